#pragma once

#include <filesystem>
#include <string>

#include "nn/net_model.h"

namespace tengen {

// Writes KataGo's model files, which nn/kata_net_reader.h reads: a word a line, as KataGo's export
// does. Numbers of the header and epsilons keep the text that they were read as, so that a file
// which was read is written again byte for byte.

enum class KataNetForm { kBinary, kText };

// Throws Error where the model does not pass validate. In text each number has the fewest digits
// that give it back.
std::string to_kata_net(const NetModel& model, KataNetForm form = KataNetForm::kBinary);

// The binary form, packed, durably (rules/durable_file.h). KataGo goes by the name, which is to end
// in .bin.gz.
void write_kata_net(const std::filesystem::path& path, const NetModel& model);

}  // namespace tengen

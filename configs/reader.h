#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "configs/option.h"
#include "rules/check.h"

namespace tengen {

// Reads a TOML file strictly into a config: an object for which for_each_section(config, visit)
// calls visit(name, options, text) and whose options have for_each_option. Keys that are absent
// keep their defaults. `overrides` are "section.key=value" in TOML's spelling. Throws UsageError
// "file:line: ..." for an unknown section or key (with the nearest valid one), a wrong type or a
// value out of range; Error for a file that cannot be read.
//
//   RunConfig config;
//   read_config("configs/cpu-9x9.toml", {"run.minutes=6"}, config);
template <class Config>
void read_config(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                 Config& config);

// The config as TOML with every key, its meaning and range as comments; read_config reads it back
// to the same.
template <class Config>
std::string to_toml(const Config& config, bool with_comments);

// builder's: the non-template core below (one .cc with toml++).

}  // namespace tengen

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "configs/option.h"
#include "rules/check.h"

namespace tengen {

// A config is an object of named sections, each a struct of options:
//
//   template <class Visit> void for_each_section(RunConfig& c, Visit visit) {
//     visit("search", c.search, "how a move is found in self-play");
//   }
//
// See configs/option.h for the options. The reader knows only the flat list of them below, which
// walks the two visitors; so a key is documented once, where it is defined.

// Where an option's value lives.
using OptionValue = std::variant<bool*, int*, std::int64_t*, double*, std::string*,
                                 std::vector<int>*, std::vector<double>*>;

struct OptionEntry {
  std::string key;
  OptionValue value;
  OptionDoc doc;
};

struct SectionEntry {
  std::string name;
  std::string text;  // what the section is about
  std::vector<OptionEntry> options;
};

using OptionList = std::vector<SectionEntry>;

// All options of a config, pointing into it.
template <class Config>
OptionList list_options(Config& config) {
  OptionList list;
  for_each_section(config, [&list](std::string_view name, auto& options, std::string_view text) {
    SectionEntry& section = list.emplace_back(std::string(name), std::string(text));
    for_each_option(options,
                    [&section](std::string_view key, auto& value, const OptionDoc& doc = {}) {
                      section.options.emplace_back(std::string(key), &value, doc);
                    });
  });
  return list;
}

// "1 to 100000", "at least 0", "at most 1", or nothing where there are no bounds.
std::string range_of(const OptionDoc& doc);

// Reads a file, then the overrides, into the options of the list; those not named stay as they are.
// Errors as below; after one the options are in an unknown state.
void read_options(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                  const OptionList& list);

// The options as TOML. Comments give meaning, type, range and the default, which `defaults` (a list
// of the same options) holds.
std::string write_options(const OptionList& list, const OptionList& defaults, bool with_comments);

// Reads a TOML file strictly into a config. Keys that are absent keep the value that `config` has;
// an empty `file` reads the overrides alone. `overrides` are "section.key=value" in TOML's
// spelling, later ones win; the quotes around a text may be left out. Integers are accepted for
// decimal numbers, not the other way round.
//
// Throws UsageError, with the config unchanged, for what its writer can put right:
// "file:line: ..." for TOML that does not parse, an unknown section or key (with the nearest valid
// one), a wrong type and a value out of range, "--set section.key=value: ..." for the same in an
// override, and for a file that is not there. Throws Error for a file that is there and cannot be
// read.
//
//   RunConfig config;
//   read_config("configs/cpu-9x9.toml", {"run.minutes=6"}, config);
template <class Config>
void read_config(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                 Config& config) {
  Config read = config;
  read_options(file, overrides, list_options(read));
  config = std::move(read);
}

// The config as TOML with every key, its meaning, type, range and default as comments if wanted;
// read_config reads it back to the same. It is what `tengen config` prints and what a run keeps.
template <class Config>
std::string to_toml(const Config& config, bool with_comments) {
  Config shown = config;
  Config defaults;
  return write_options(list_options(shown), list_options(defaults), with_comments);
}

}  // namespace tengen

#include "configs/reader.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include "rules/durable_file.h"
#include "rules/edit_distance.h"

namespace tengen {
namespace {

namespace fs = std::filesystem;

// What the reader found at fault; `line` orders several of them, 0 in an override.
struct Fault {
  unsigned line;
  std::string text;
};

std::string joined(std::string_view section, std::string_view key) {
  return section.empty() ? std::string(key) : std::string(section) + "." + std::string(key);
}

// The option whose name is nearest. A right key in a wrong section is nearer than a misspelt one.
std::string nearest_key(std::string_view section, std::string_view key, const OptionList& list) {
  std::pair<int, std::string> best{1 << 30, ""};
  for (const SectionEntry& entry : list) {
    const int section_cost = std::min(2, edit_distance(section, entry.name));
    for (const OptionEntry& option : entry.options)
      best = std::min(best, {2 * edit_distance(key, option.key) + section_cost,
                             joined(entry.name, option.key)});
  }
  return best.second;
}

std::string nearest_section(std::string_view name, const OptionList& list) {
  std::pair<int, std::string> best{1 << 30, ""};
  for (const SectionEntry& entry : list)
    best = std::min(best, {edit_distance(name, entry.name), entry.name});
  return best.second;
}

// What was found, in a reader's words: "the text \"abc\"", "the number 2.5", "a list".
std::string found(const toml::node& node) {
  std::ostringstream value;
  node.visit([&value](const auto& v) {
    if constexpr (toml::is_array<decltype(v)>) {
      value << "a list";
    } else if constexpr (toml::is_table<decltype(v)>) {
      value << "a section";
    } else if constexpr (toml::is_string<decltype(v)>) {
      value << "the text \"" << v.get() << '"';
    } else if constexpr (toml::is_integer<decltype(v)>) {
      value << "the integer " << v.get();
    } else if constexpr (toml::is_floating_point<decltype(v)>) {
      value << "the number " << v.get();
    } else if constexpr (toml::is_boolean<decltype(v)>) {
      value << (v.get() ? "true" : "false");
    } else {
      value << "a date or time";
    }
  });
  return value.str();
}

[[noreturn]] void refuse(const std::string& wanted, const toml::node& node) {
  throw UsageError("expected " + wanted + ", found " + found(node));
}

void check_range(double value, const OptionDoc& doc) {
  if (value >= doc.min && value <= doc.max && std::isfinite(value)) return;
  const std::string range = range_of(doc);
  std::ostringstream text;
  text << "out of range: expected " << (range.empty() ? "a finite number" : range) << ", found "
       << std::setprecision(17) << value;
  throw UsageError(text.str());
}

void assign(const toml::node& node, const OptionDoc&, bool& out) {
  if (!node.is_boolean()) refuse("true or false", node);
  out = **node.as_boolean();
}

void assign(const toml::node& node, const OptionDoc& doc, std::int64_t& out) {
  if (!node.is_integer()) refuse("an integer", node);
  check_range(static_cast<double>(**node.as_integer()), doc);
  out = **node.as_integer();
}

void assign(const toml::node& node, const OptionDoc& doc, int& out) {
  std::int64_t value = 0;
  assign(node, doc, value);
  if (value != static_cast<int>(value)) throw UsageError("out of range: more than 32 bits");
  out = static_cast<int>(value);
}

void assign(const toml::node& node, const OptionDoc& doc, double& out) {
  if (!node.is_number()) refuse("a number", node);
  const double value = *node.value<double>();
  check_range(value, doc);
  out = value;
}

void assign(const toml::node& node, const OptionDoc& doc, std::string& out) {
  if (!node.is_string()) refuse("a text in quotes", node);
  const std::string& value = **node.as_string();
  if (!doc.choices.empty() && std::ranges::find(doc.choices, value) == doc.choices.end()) {
    std::string choices;
    for (const std::string_view choice : doc.choices)
      choices += (choices.empty() ? "" : ", ") + std::string(choice);
    throw UsageError("expected one of " + choices + ", found " + found(node));
  }
  out = value;
}

template <class T>
void assign(const toml::node& node, const OptionDoc& doc, std::vector<T>& out) {
  if (!node.is_array())
    refuse(std::is_same_v<T, int> ? "a list of integers, [1, 2]" : "a list of numbers, [1.0, 2.0]",
           node);
  out.clear();
  for (const toml::node& element : *node.as_array()) assign(element, doc, out.emplace_back());
}

const OptionEntry* find_option(std::string_view section, std::string_view key,
                               const OptionList& list) {
  for (const SectionEntry& entry : list)
    if (entry.name == section)
      for (const OptionEntry& option : entry.options)
        if (option.key == key) return &option;
  return nullptr;
}

// Gives one value to one option; what is wrong with it, if anything.
std::optional<std::string> set_option(std::string_view section, std::string_view key,
                                      const toml::node& node, const OptionList& list) {
  const OptionEntry* option = find_option(section, key, list);
  if (!option)
    return "unknown key " + joined(section, key) + "; nearest: " + nearest_key(section, key, list);
  try {
    std::visit([&](auto* out) { assign(node, option->doc, *out); }, option->value);
  } catch (const UsageError& error) {
    return joined(section, key) + ": " + error.what();
  }
  return std::nullopt;
}

std::vector<Fault> set_all(const toml::table& root, const OptionList& list) {
  std::vector<Fault> faults;
  const auto set = [&](std::string_view section, const toml::key& key, const toml::node& node) {
    if (auto fault = set_option(section, key.str(), node, list))
      faults.push_back({key.source().begin.line, *fault});
  };
  for (const auto& [name, node] : root) {
    const bool known = std::ranges::find(list, name.str(), &SectionEntry::name) != list.end();
    if (known && node.is_table()) {
      for (const auto& [key, value] : *node.as_table()) set(name.str(), key, value);
    } else if (known || node.is_table()) {
      faults.push_back({name.source().begin.line,
                        known
                            ? std::string(name.str()) + ": expected a section, found " + found(node)
                            : "unknown section [" + std::string(name.str()) + "]; nearest: [" +
                                  nearest_section(name.str(), list) + "]"});
    } else {
      set("", name, node);
    }
  }
  return faults;
}

// Directories and missing files are the caller's mistake.
std::string read_config_file(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) throw UsageError(file.string() + ": no such config file");
  if (fs::is_directory(status))
    throw UsageError(file.string() + ": a directory, not a config file");
  return read_file(file);
}

void read_toml(const fs::path& file, const OptionList& list) {
  toml::table root;
  try {
    root = toml::parse(read_config_file(file), file.string());
  } catch (const toml::parse_error& error) {
    throw UsageError(file.string() + ":" + std::to_string(error.source().begin.line) + ": " +
                     std::string(error.description()));
  }
  const std::vector<Fault> faults = set_all(root, list);
  if (faults.empty()) return;
  const Fault& first = *std::ranges::min_element(faults, {}, &Fault::line);
  throw UsageError(
      file.string() + ":" + std::to_string(first.line) + ": " + first.text +
      (faults.size() == 1 ? "" : " (and " + std::to_string(faults.size() - 1) + " more)"));
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

// The value of an override: TOML, or what is not TOML, or not the text it is to be, as it stands.
toml::table parse_value(const std::string& text, bool is_text) {
  try {
    toml::table table = toml::parse("value = " + text);
    if (table.size() == 1 && (!is_text || table.get("value")->is_string())) return table;
  } catch (const toml::parse_error&) {
  }
  return toml::table{{"value", text}};
}

void apply_override(const std::string& text, const OptionList& list) {
  const std::string place = "--set " + text + ": ";
  const std::size_t equals = text.find('=');
  const std::string name = trimmed(text.substr(0, equals));
  if (equals == std::string::npos || name.empty())
    throw UsageError(place + "expected section.key=value");
  const std::size_t dot = name.find('.');
  const std::string section = dot == std::string::npos ? "" : name.substr(0, dot);
  const std::string key = dot == std::string::npos ? name : name.substr(dot + 1);

  const OptionEntry* option = find_option(section, key, list);
  const bool is_text = option && std::holds_alternative<std::string*>(option->value);
  const toml::table value = parse_value(trimmed(text.substr(equals + 1)), is_text);
  if (auto fault = set_option(section, key, *value.get("value"), list))
    throw UsageError(place + *fault);
}

}  // namespace

void read_options(const fs::path& file, const std::vector<std::string>& overrides,
                  const OptionList& list) {
  if (!file.empty()) read_toml(file, list);
  for (const std::string& text : overrides) apply_override(text, list);
}

}  // namespace tengen

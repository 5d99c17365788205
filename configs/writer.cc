#include <array>
#include <charconv>
#include <cmath>
#include <sstream>

#include "configs/reader.h"

namespace tengen {
namespace {

std::string spell(bool value) {
  return value ? "true" : "false";
}
std::string spell(int value) {
  return std::to_string(value);
}
std::string spell(std::int64_t value) {
  return std::to_string(value);
}

// The shortest spelling that reads back to the same number, with a point or an exponent: TOML tells
// 1 from 1.0.
std::string spell(double value) {
  std::array<char, 40> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  std::string text(buffer.data(), end);
  if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return text;
}

std::string spell(const std::string& value) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      text += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      text += std::string("\\u00") + kHex[(c >> 4) & 0xf] + kHex[c & 0xf];
    } else {
      text += c;
    }
  }
  return text + '"';
}

template <class T>
std::string spell(const std::vector<T>& values) {
  std::string text = "[";
  for (const T value : values) text += (text.size() > 1 ? ", " : "") + spell(value);
  return text + "]";
}

std::string spell(const OptionValue& value) {
  return std::visit([](const auto* v) { return spell(*v); }, value);
}

std::string type_of(const bool*) {
  return "true or false";
}
std::string type_of(const int*) {
  return "integer";
}
std::string type_of(const std::int64_t*) {
  return "integer";
}
std::string type_of(const double*) {
  return "number";
}
std::string type_of(const std::string*) {
  return "text";
}
std::string type_of(const std::vector<int>*) {
  return "list of integers";
}
std::string type_of(const std::vector<double>*) {
  return "list of numbers";
}

bool is_numeric(const OptionValue& value) {
  return !std::holds_alternative<bool*>(value) && !std::holds_alternative<std::string*>(value);
}

// "[integer, 1 to 100000; default 32]"
std::string facts(const OptionEntry& option, const OptionEntry& standard) {
  std::string text = "[";
  if (!option.doc.choices.empty()) {
    for (const std::string_view choice : option.doc.choices)
      text += (text.size() > 1 ? " | " : "") + std::string(choice);
  } else {
    text += std::visit([](const auto* v) { return type_of(v); }, option.value);
    const std::string range = range_of(option.doc);
    if (is_numeric(option.value) && !range.empty()) text += ", " + range;
  }
  return text + "; default " + spell(standard.value) + "]";
}

// A comment, broken at spaces to fit 100 columns.
std::string comment(const std::string& text) {
  constexpr std::size_t kWidth = 98;
  std::string lines;
  std::size_t start = 0;
  while (text.size() - start > kWidth) {
    std::size_t end = text.rfind(' ', start + kWidth);
    if (end == std::string::npos || end <= start) end = start + kWidth;
    lines += "# " + text.substr(start, end - start) + "\n";
    start = text[end] == ' ' ? end + 1 : end;
  }
  return lines + "# " + text.substr(start) + "\n";
}

}  // namespace

std::string range_of(const OptionDoc& doc) {
  std::ostringstream text;
  text.precision(10);
  if (std::isfinite(doc.min) && std::isfinite(doc.max)) {
    text << doc.min << " to " << doc.max;
  } else if (std::isfinite(doc.min)) {
    text << "at least " << doc.min;
  } else if (std::isfinite(doc.max)) {
    text << "at most " << doc.max;
  }
  return text.str();
}

std::string write_options(const OptionList& list, const OptionList& defaults, bool with_comments) {
  check(list.size() == defaults.size(), "defaults of the same config");
  std::string text;
  for (std::size_t s = 0; s < list.size(); ++s) {
    const SectionEntry& section = list[s];
    if (!text.empty()) text += "\n";
    if (with_comments) text += comment(section.text);
    text.append("[").append(section.name).append("]\n");
    for (std::size_t i = 0; i < section.options.size(); ++i) {
      const OptionEntry& option = section.options[i];
      const std::string meaning = std::string(option.doc.text) + " ";
      if (with_comments)
        text.append("\n").append(comment(meaning + facts(option, defaults[s].options[i])));
      text.append(option.key).append(" = ").append(spell(option.value)).append("\n");
    }
  }
  return text;
}

}  // namespace tengen

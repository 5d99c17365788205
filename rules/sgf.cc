#include "rules/sgf.h"

#include <algorithm>
#include <array>
#include <fstream>

#include "rules/sgf_syntax.h"

namespace tengen {
namespace {

// Resolves escapes; a line break becomes `line_break`.
std::string resolve(std::string_view raw, char line_break) {
  std::string text;
  std::size_t i = 0;
  while (i < raw.size()) {
    const bool is_escaped = raw[i] == '\\' && i + 1 < raw.size();
    if (is_escaped) ++i;
    const std::size_t break_length = sgf_syntax::line_break_at(raw, i);
    if (break_length == 0) {
      const bool is_blank = sgf_syntax::kBlanks.find(raw[i]) != std::string_view::npos;
      text += is_blank ? ' ' : raw[i];
    } else if (!is_escaped) {
      text += line_break;
    }
    i += std::max<std::size_t>(break_length, 1);
  }
  return text;
}

void append(std::string& out, const SgfNode& node) {
  out += ';';
  for (const SgfProperty& property : node.properties) {
    check(sgf_syntax::is_name(property.name), "a property's name is capital letters and digits");
    check(!property.values.empty(), "a property has a value");
    out += property.name;
    for (const SgfValue& value : property.values) (out += '[').append(value.raw()) += ']';
  }
}

// Closes what ends with the leaf: its variation, and those around it that have no further ones.
void append_ends_of_variations(std::string& out, const SgfTree& tree, int leaf) {
  for (int i = leaf; i != SgfTree::kNone; i = tree.parent(i)) {
    if (tree.has_siblings(i)) out += ')';
    if (tree.next_sibling(i) != SgfTree::kNone) return;
  }
}

}  // namespace

std::string to_text(SgfPlace place) {
  if (place.line == 0) return "SGF";
  return "line " + std::to_string(place.line) + ", column " + std::to_string(place.column);
}

SgfValue SgfValue::from_text(std::string_view text) {
  std::string raw;
  for (const char c : text) {
    if (c == ']' || c == '\\') raw += '\\';
    raw += c;
  }
  return {std::move(raw), {}};
}

SgfValue SgfValue::from_raw(std::string raw, SgfPlace place) {
  raw += ']';
  const bool is_whole = sgf_syntax::end_of_value(raw, 0) == raw.size() - 1;
  check(is_whole, "a raw value is escaped");
  raw.pop_back();
  return {std::move(raw), place};
}

std::string SgfValue::text() const {
  return resolve(raw_, '\n');
}

std::string SgfValue::simple_text() const {
  return resolve(raw_, ' ');
}

Error SgfValue::unexpected(std::string_view expected) const {
  constexpr std::size_t kShown = 40;
  std::string found = raw_.substr(0, kShown);
  const auto is_control = [](unsigned char c) { return c < ' ' || c == 127; };
  std::ranges::replace_if(found, is_control, '?');
  if (raw_.size() > kShown) found += "...";
  return Error(to_text(place_) + ": expected " + std::string(expected) + ", found [" + found + "]");
}

void SgfNode::add(std::string name, std::string_view text) {
  properties.push_back({std::move(name), {SgfValue::from_text(text)}});
}

const SgfProperty* SgfNode::find(std::string_view name) const {
  const auto found = std::ranges::find(properties, name, &SgfProperty::name);
  return found == properties.end() ? nullptr : &*found;
}

bool SgfTree::has_siblings(int index) const {
  const int above = parent(index);
  return above != kNone && links_[above].first_child != links_[above].last_child;
}

int SgfTree::next_in_file(int index) const {
  if (first_child(index) != kNone) return first_child(index);
  while (index != kNone && next_sibling(index) == kNone) index = parent(index);
  return index == kNone ? kNone : next_sibling(index);
}

int SgfTree::add_child(int parent) {
  const int child = size();
  nodes_.emplace_back();
  links_.emplace_back().parent = parent;
  Links& above = links_[parent];
  if (above.first_child == kNone) {
    above.first_child = child;
  } else {
    links_[above.last_child].next_sibling = child;
  }
  above.last_child = child;
  return child;
}

int SgfTree::end_of_main_line() const {
  int index = kRoot;
  while (first_child(index) != kNone) index = first_child(index);
  return index;
}

std::vector<int> SgfTree::path_to(int index) const {
  std::vector<int> path;
  for (; index != kNone; index = parent(index)) path.push_back(index);
  std::ranges::reverse(path);
  return path;
}

// In the order of the file, whether each node has a child and a further sibling fixes the shape.
bool operator==(const SgfTree& a, const SgfTree& b) {
  if (a.size() != b.size()) return false;
  const auto shape = [](const SgfTree& tree, int index) {
    return std::pair(tree.first_child(index) != SgfTree::kNone,
                     tree.next_sibling(index) != SgfTree::kNone);
  };
  int i = SgfTree::kRoot;
  int j = SgfTree::kRoot;
  while (i != SgfTree::kNone) {
    if (shape(a, i) != shape(b, j) || a.node(i) != b.node(j)) return false;
    i = a.next_in_file(i);
    j = b.next_in_file(j);
  }
  return true;
}

std::string to_text(const SgfTree& tree) {
  std::string out = "(";
  for (int i = SgfTree::kRoot; i != SgfTree::kNone; i = tree.next_in_file(i)) {
    if (tree.has_siblings(i)) out += '(';
    append(out, tree.node(i));
    if (tree.first_child(i) == SgfTree::kNone) append_ends_of_variations(out, tree, i);
  }
  return out + ")\n";
}

std::string to_text(std::span<const SgfTree> games) {
  std::string out;
  for (const SgfTree& game : games) out += to_text(game);
  return out;
}

std::vector<SgfTree> read_sgf(const std::filesystem::path& path, std::size_t max_bytes) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(path.string() + ": cannot be opened");
  std::string text;
  std::array<char, 1 << 16> chunk;
  while (in.read(chunk.data(), chunk.size()), in.gcount() > 0) {
    text.append(chunk.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > max_bytes) {
      throw Error(path.string() + ": expected at most " + std::to_string(max_bytes) +
                  " bytes, found more");
    }
  }
  if (in.bad()) throw Error(path.string() + ": cannot be read");
  try {
    return parse_sgf(text);
  } catch (const Error& error) {
    throw Error(path.string() + ": " + error.what());
  }
}

}  // namespace tengen

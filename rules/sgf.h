#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/check.h"

// SGF, the format of game records (https://www.red-bean.com/sgf/), as data: games that are trees of
// nodes with properties. sgf_game.h makes moves and stones of them. rules/README.md says which
// files are read and what is an error.

namespace tengen {

// Where a value's bracket stood in the text it was read from: line and byte of the line, from 1.
// Line 0 is no place: the value was made by the program.
struct SgfPlace {
  int line = 0;
  int column = 0;
};

std::string to_text(SgfPlace place);  // "line 3, column 14", or "SGF" for no place

// A property's value as it stands between its brackets, escapes included, so that what nobody here
// understands is written back as it was. The bytes are in the charset that CA names.
class SgfValue {
 public:
  // The text with ']' and '\' escaped.
  static SgfValue from_text(std::string_view text);
  // Requires that every ']' is escaped and that no '\' stands alone at the end.
  static SgfValue from_raw(std::string raw, SgfPlace place = {});

  const std::string& raw() const { return raw_; }
  SgfPlace place() const { return place_; }
  // What it says to a reader: escapes and escaped line breaks resolved, line breaks of all systems
  // as '\n', other white space as blanks.
  std::string text() const;
  std::string simple_text() const;  // the same on one line, line breaks as blanks

  // "line 3, column 14: expected <expected>, found [<raw, at most 40 bytes of it>]"
  Error unexpected(std::string_view expected) const;

  // The same bytes, at whatever place.
  friend bool operator==(const SgfValue& a, const SgfValue& b) { return a.raw_ == b.raw_; }

 private:
  SgfValue(std::string raw, SgfPlace place) : raw_(std::move(raw)), place_(place) {}
  std::string raw_;
  SgfPlace place_;
};

struct SgfProperty {
  std::string name;              // capital letters, then also digits: "B", "AB", "KGSDE"
  std::vector<SgfValue> values;  // at least one

  friend bool operator==(const SgfProperty&, const SgfProperty&) = default;
};

// Properties in the order of the file. A name may come twice: what is read is kept.
struct SgfNode {
  std::vector<SgfProperty> properties;

  void add(std::string name, std::string_view text);     // a property with one value, at the end
  const SgfProperty* find(std::string_view name) const;  // the first of this name, or nullptr

  friend bool operator==(const SgfNode&, const SgfNode&) = default;
};

// One game: a root and below every node its variations, the first of them the main line. Nodes are
// numbered as they are added, those of a file in its order; the links need no recursion, however
// deep the tree is. References to nodes last until the next add_child.
class SgfTree {
 public:
  static constexpr int kRoot = 0;
  static constexpr int kNone = -1;

  SgfTree() : nodes_(1), links_(1) {}  // a root without properties

  int size() const { return static_cast<int>(nodes_.size()); }
  SgfNode& node(int index) { return nodes_[index]; }
  const SgfNode& node(int index) const { return nodes_[index]; }

  // kNone where there is none.
  int parent(int index) const { return links_[index].parent; }
  int first_child(int index) const { return links_[index].first_child; }
  int next_sibling(int index) const { return links_[index].next_sibling; }
  bool has_siblings(int index) const;
  // The next one in the order of a file: a node, then its variations one by one.
  int next_in_file(int index) const;

  // A new node without properties, the last variation of `parent`. Returns its number.
  int add_child(int parent);

  int end_of_main_line() const;               // from the root by first children
  std::vector<int> path_to(int index) const;  // from the root to this node, both included

  // The same nodes in the same shape, however they are numbered.
  friend bool operator==(const SgfTree& a, const SgfTree& b);

 private:
  struct Links {
    int parent = kNone;
    int first_child = kNone;
    int last_child = kNone;
    int next_sibling = kNone;
  };
  std::vector<SgfNode> nodes_;
  std::vector<Links> links_;  // [node]
};

// All games of a text, at least one. Throws Error "line 3, column 14: expected ..., found ...".
// Time is linear; memory, hostile text included, at most some 150 bytes a byte.
std::vector<SgfTree> parse_sgf(std::string_view text);

// The games of a file of at most `max_bytes`. Throws Error that begins with the path.
std::vector<SgfTree> read_sgf(const std::filesystem::path& path,
                              std::size_t max_bytes = std::size_t{64} << 20);

// A game as a line of its own (values may hold more line breaks), which parse_sgf reads back to the
// same. Requires names and values as SgfProperty says. A file is written by write_durable.
std::string to_text(const SgfTree& tree);
std::string to_text(std::span<const SgfTree> games);

}  // namespace tengen

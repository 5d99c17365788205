#include <algorithm>
#include <climits>
#include <cstdio>

#include "rules/sgf.h"
#include "rules/sgf_syntax.h"

namespace tengen {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // of UTF-8

class SgfParser {
 public:
  explicit SgfParser(std::string_view text) : text_(text) {}

  std::vector<SgfTree> read_games();

 private:
  bool find_game();
  SgfTree read_game();
  int read_node(SgfTree& tree, int parent);
  SgfProperty read_property();
  std::string read_name();
  SgfValue read_value();

  bool is_at(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool is_at_letter() const {
    return at_ < text_.size() &&
           (sgf_syntax::is_capital(text_[at_]) || sgf_syntax::is_small(text_[at_]));
  }
  void skip_blanks() {
    at_ = std::min(text_.find_first_not_of(sgf_syntax::kBlanks, at_), text_.size());
  }
  SgfPlace place();
  std::string found() const;
  [[noreturn]] void fail(std::string_view expected, std::string_view found);
  [[noreturn]] void fail(std::string_view expected) { fail(expected, found()); }

  std::string_view text_;
  std::size_t at_ = 0;
  // Lines are counted up to here; places are asked for in rising order.
  std::size_t counted_ = 0;
  int line_ = 1;
  std::size_t line_start_ = 0;
};

std::vector<SgfTree> SgfParser::read_games() {
  if (text_.starts_with(kByteOrderMark)) at_ = counted_ = line_start_ = kByteOrderMark.size();
  std::vector<SgfTree> games;
  while (find_game()) {
    games.push_back(read_game());
    skip_blanks();
    if (is_at(')') || is_at(';')) fail("another game or the end of the text after a game");
  }
  if (games.empty()) fail("a game, '(;'");
  return games;
}

// Goes to the next '(' that is followed by ';', over whatever a mail or a web page has around it.
bool SgfParser::find_game() {
  while ((at_ = text_.find('(', at_)) != std::string_view::npos) {
    const std::size_t after = text_.find_first_not_of(sgf_syntax::kBlanks, at_ + 1);
    if (after != std::string_view::npos && text_[after] == ';') return true;
    at_ = after;
  }
  at_ = text_.size();
  return false;
}

// Requires to be at '('. Open variations are a list, not calls: depth costs memory only.
SgfTree SgfParser::read_game() {
  enum class Due { kFirstNode, kAnything, kEndOrVariation };
  SgfTree tree;
  std::vector<int> branches;  // for each '(' that is open, the node before it
  int node = SgfTree::kNone;
  Due due = Due::kAnything;
  do {
    skip_blanks();
    if (is_at('(') && due != Due::kFirstNode) {
      branches.push_back(node);
      ++at_;
      due = Due::kFirstNode;
    } else if (is_at(')') && due != Due::kFirstNode) {
      node = branches.back();
      branches.pop_back();
      ++at_;
      due = Due::kEndOrVariation;
    } else if (is_at(';') && due != Due::kEndOrVariation) {
      node = read_node(tree, node);
      due = Due::kAnything;
    } else {
      fail(due == Due::kFirstNode  ? "';' after '('"
           : due == Due::kAnything ? "a property, ';', '(' or ')'"
                                   : "'(' or ')' after a variation");
    }
  } while (!branches.empty());
  return tree;
}

int SgfParser::read_node(SgfTree& tree, int parent) {
  const int node = parent == SgfTree::kNone ? SgfTree::kRoot : tree.add_child(parent);
  ++at_;
  skip_blanks();
  while (is_at_letter()) tree.node(node).properties.push_back(read_property());
  return node;
}

SgfProperty SgfParser::read_property() {
  SgfProperty property{.name = read_name(), .values = {}};
  skip_blanks();
  if (!is_at('[')) fail("'[' after the property's name");
  while (is_at('[')) {
    property.values.push_back(read_value());
    skip_blanks();
  }
  return property;
}

// Small letters are left out, as FF[4] asks of readers: the "AddBlack" of older files is AB.
std::string SgfParser::read_name() {
  std::string name;
  std::size_t end = at_;
  for (; end < text_.size(); ++end) {
    const char c = text_[end];
    if (sgf_syntax::is_small(c)) continue;
    if (!sgf_syntax::is_capital(c) && !sgf_syntax::is_digit(c)) break;
    name += c;
  }
  if (!sgf_syntax::is_name(name)) fail("a name that has a capital letter first");
  at_ = end;
  return name;
}

SgfValue SgfParser::read_value() {
  const SgfPlace start = place();
  const std::size_t end = sgf_syntax::end_of_value(text_, at_ + 1);
  if (end == std::string_view::npos) fail("']' at the end of this value", "the end of the text");
  std::string raw(text_.substr(at_ + 1, end - at_ - 1));
  at_ = end + 1;
  return SgfValue::from_raw(std::move(raw), start);
}

SgfPlace SgfParser::place() {
  while (counted_ < at_) {
    const std::size_t length = sgf_syntax::line_break_at(text_, counted_);
    counted_ += std::max<std::size_t>(length, 1);
    if (length == 0) continue;
    ++line_;
    line_start_ = counted_;
  }
  return {line_, static_cast<int>(at_ - line_start_) + 1};
}

std::string SgfParser::found() const {
  if (at_ >= text_.size()) return "the end of the text";
  const auto c = static_cast<unsigned char>(text_[at_]);
  if (c > ' ' && c < 127) return std::string("'") + text_[at_] + "'";
  char code[16];
  std::snprintf(code, sizeof code, "byte 0x%02X", c);
  return code;
}

void SgfParser::fail(std::string_view expected, std::string_view found) {
  throw Error(to_text(place()) + ": expected " + std::string(expected) + ", found " +
              std::string(found));
}

}  // namespace

std::vector<SgfTree> parse_sgf(std::string_view text) {
  if (text.size() > INT_MAX) throw Error("SGF: expected at most 2 GiB of text");
  return SgfParser(text).read_games();
}

}  // namespace tengen

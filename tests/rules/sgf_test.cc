#include "rules/sgf.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "rules/rng.h"
#include "tests/fuzz/mutation.h"

namespace tengen {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

SgfTree only_game(std::string_view text) {
  const std::vector<SgfTree> games = parse_sgf(text);
  EXPECT_EQ(games.size(), 1u);
  return games.front();
}

SgfValue first_value(const SgfTree& tree, std::string_view name) {
  return tree.node(SgfTree::kRoot).find(name)->values.front();
}

std::string error_of(std::string_view text) {
  try {
    parse_sgf(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<fs::path> sample_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(TENGEN_SOURCE_DIR "/tests/rules/sgf")) {
    files.push_back(entry.path());
  }
  return files;
}

TEST(Sgf, NodesAndVariationsAreInTheOrderOfTheFile) {
  const SgfTree tree = only_game("(;A[](;B[](;C[])(;D[];E[]))(;F[]))");
  ASSERT_EQ(tree.size(), 6);
  std::string names;
  for (int i = SgfTree::kRoot; i != SgfTree::kNone; i = tree.next_in_file(i)) {
    names += tree.node(i).properties.front().name;
  }
  EXPECT_EQ(names, "ABCDEF");
  EXPECT_EQ(tree.end_of_main_line(), 2);
  EXPECT_EQ(tree.path_to(4), (std::vector<int>{0, 1, 3, 4}));
  EXPECT_EQ(tree.next_sibling(1), 5);
  EXPECT_EQ(tree.parent(SgfTree::kRoot), SgfTree::kNone);
}

TEST(Sgf, PropertiesKeepTheirOrderTheirValuesAndTheirRepetitions) {
  const SgfNode node = only_game("(;XX[2][1] AB [aa]\n[bb]XX[3])").node(SgfTree::kRoot);
  ASSERT_EQ(node.properties.size(), 3u);
  EXPECT_EQ(node.properties[0].name, "XX");
  EXPECT_EQ(node.properties[0].values[1].raw(), "1");
  EXPECT_EQ(node.properties[1].values.size(), 2u);
  EXPECT_EQ(node.find("XX"), &node.properties[0]);
  EXPECT_EQ(node.find("YY"), nullptr);
}

TEST(Sgf, EscapesAndSoftLineBreaksAreResolvedInTextsOnly) {
  const SgfTree tree = only_game("(;C[a\\]b\\\\c\\:d\\\r\ne\tf\r\ng\n\rh\ri])");
  const SgfValue value = first_value(tree, "C");
  EXPECT_EQ(value.text(), "a]b\\c:de f\ng\nh\ni");
  EXPECT_EQ(value.simple_text(), "a]b\\c:de f g h i");
  EXPECT_EQ(value.raw(), "a\\]b\\\\c\\:d\\\r\ne\tf\r\ng\n\rh\ri");
}

TEST(Sgf, AnyTextGoesRoundThroughAValue) {
  for (const std::string text : {"", "]", "\\", "\\]", "[a]", "a\\\\", "x:y", "\xE7\xA2\x81\n\\"}) {
    SgfTree tree;
    tree.node(SgfTree::kRoot).add("C", text);
    EXPECT_EQ(first_value(only_game(to_text(tree)), "C").text(), text);
  }
}

TEST(Sgf, BytesOfAnyCharsetArePassedThrough) {
  std::string all;
  for (int c = 0; c < 256; ++c) {
    if (c != ']' && c != '\\') all += static_cast<char>(c);
  }
  const std::string text = "(;CA[ISO-8859-1]C[" + all + "])\n";
  EXPECT_EQ(to_text(only_game(text)), text);
}

TEST(Sgf, SmallLettersOfOldNamesAreLeftOut) {
  const SgfTree tree = only_game("(;GaMe[1]AddBlack[aa]Bb1[])");
  EXPECT_EQ(to_text(tree), "(;GM[1]AB[aa]B1[])\n");
}

TEST(Sgf, WhatIsAroundTheGamesIsPassedOver) {
  const std::string text =
      "\xEF\xBB\xBFOn Monday (late) :-( (\n(;A[1]) \r\n(\n;A[2])\nBye (Ada)\x1A\0"s;
  const std::vector<SgfTree> games = parse_sgf(text);
  ASSERT_EQ(games.size(), 2u);
  EXPECT_EQ(to_text(games), "(;A[1])\n(;A[2])\n");
}

TEST(Sgf, PlacesCountTheLinesOfAllSystemsAndBytes) {
  const SgfTree tree =
      only_game("\xEF\xBB\xBF(;A[1]\n;B[\r\n];C[]\r;D[\xE7\xA2\x81]EE[]\n\r\n FF[])");
  std::string places;
  for (int i = 0; i < tree.size(); ++i) {
    for (const SgfProperty& property : tree.node(i).properties) {
      places += to_text(property.values.front().place()) + "; ";
    }
  }
  EXPECT_EQ(places,
            "line 1, column 4; line 2, column 3; line 3, column 4; line 4, column 3; "
            "line 4, column 10; line 6, column 4; ");
  EXPECT_EQ(to_text(SgfValue::from_text("x").place()), "SGF");
}

TEST(Sgf, TreesAreEqualInShapeAndProperties) {
  const SgfTree tree = only_game("(;A[](;B[];C[])(;D[]))");
  SgfTree other;  // the same, numbered in another order
  other.node(SgfTree::kRoot).add("A", "");
  const int b = other.add_child(SgfTree::kRoot);
  const int d = other.add_child(SgfTree::kRoot);
  const int c = other.add_child(b);
  other.node(b).add("B", "");
  other.node(c).add("C", "");
  other.node(d).add("D", "");
  EXPECT_EQ(tree, other);
  EXPECT_EQ(to_text(tree), to_text(other));
  EXPECT_NE(tree, only_game("(;A[](;B[])(;C[];D[]))"));
  EXPECT_NE(tree, only_game("(;A[](;B[];C[])(;E[]))"));
  EXPECT_NE(tree, only_game("(;A[](;B[];C[]))"));
}

TEST(Sgf, RandomTreesGoRound) {
  for (int seed = 0; seed < 200; ++seed) {
    Rng rng(17, seed);
    SgfTree tree;
    const int nodes = 1 + static_cast<int>(rng.below(60));
    while (tree.size() < nodes) tree.add_child(static_cast<int>(rng.below(tree.size())));
    for (int i = 0; i < nodes; ++i) {
      for (auto n = rng.below(3); n > 0; --n) {
        std::string text;
        for (auto length = rng.below(8); length > 0; --length) text += "a[]\\:;() "[rng.below(9)];
        tree.node(i).add(std::string(1, static_cast<char>('A' + rng.below(26))), text);
      }
    }
    ASSERT_EQ(only_game(to_text(tree)), tree) << to_text(tree);
  }
}

TEST(Sgf, FilesOfOtherProgramsGoRound) {
  for (const fs::path& file : sample_files()) {
    const std::vector<SgfTree> games = read_sgf(file);
    EXPECT_EQ(parse_sgf(to_text(games)), games) << file;
  }
}

TEST(Sgf, UnknownPropertiesAreWrittenBackByteForByte) {
  const std::string text = bytes_of(TENGEN_SOURCE_DIR "/tests/rules/sgf/katago.sgfs");
  EXPECT_EQ(to_text(parse_sgf(text)), text);
}

TEST(Sgf, AMillionNestedVariationsAreReadComparedAndWritten) {
  constexpr int kDepth = 1'000'000;
  std::string text;
  for (int i = 0; i < kDepth; ++i) text += "(;";
  text.append(kDepth, ')');
  const SgfTree tree = only_game(text);
  EXPECT_EQ(tree.size(), kDepth);
  EXPECT_EQ(tree.end_of_main_line(), kDepth - 1);
  EXPECT_EQ(only_game(to_text(tree)), tree);
  text.pop_back();
  EXPECT_NE(error_of(text), "no error");
}

TEST(Sgf, AMillionVariationsOfOneNodeAreReadComparedAndWritten) {
  constexpr int kWidth = 1'000'000;
  std::string text = "(;";
  for (int i = 0; i < kWidth; ++i) text += "(;)";
  text += ")\n";
  const SgfTree tree = only_game(text);
  EXPECT_EQ(tree.size(), kWidth + 1);
  EXPECT_EQ(to_text(tree), text);
  EXPECT_EQ(tree, SgfTree(tree));
}

TEST(Sgf, BadTextsAreErrorsThatNameThePlace) {
  const std::pair<std::string, std::string> kCases[] = {
      {"", "line 1, column 1: expected a game, '(;', found the end of the text"},
      {"no\ngame (", "line 2, column 7: expected a game, '(;', found the end of the text"},
      {"(FF[4])", "line 1, column 8: expected a game, '(;', found the end of the text"},
      {"(;", "line 1, column 3: expected a property, ';', '(' or ')', found the end of the text"},
      {"(;A",
       "line 1, column 4: expected '[' after the property's name, found the end of the text"},
      {"(;AB C[])", "line 1, column 6: expected '[' after the property's name, found 'C'"},
      {"(;A[1]\n;B[x\n\n",
       "line 2, column 3: expected ']' at the end of this value, found the end of the text"},
      {"(;A[1\\])",
       "line 1, column 4: expected ']' at the end of this value, found the end of the text"},
      {"(;A[1\\",
       "line 1, column 4: expected ']' at the end of this value, found the end of the text"},
      {"(;ab[1])", "line 1, column 3: expected a name that has a capital letter first, found 'a'"},
      {"(;a1B[1])", "line 1, column 3: expected a name that has a capital letter first, found 'a'"},
      {"(;1[1])", "line 1, column 3: expected a property, ';', '(' or ')', found '1'"},
      {"(;A[1]])", "line 1, column 7: expected a property, ';', '(' or ')', found ']'"},
      {"(;\x01)", "line 1, column 3: expected a property, ';', '(' or ')', found byte 0x01"},
      {"(;\xE7)", "line 1, column 3: expected a property, ';', '(' or ')', found byte 0xE7"},
      {"(;A[1]())", "line 1, column 8: expected ';' after '(', found ')'"},
      {"(;A[1]((;))", "line 1, column 8: expected ';' after '(', found '('"},
      {"(;A[1](B[2]))", "line 1, column 8: expected ';' after '(', found 'B'"},
      {"(;A[1](;B[2]);C[3])",
       "line 1, column 14: expected '(' or ')' after a variation, found ';'"},
      {"(;A[1](;B[2])C[3])", "line 1, column 14: expected '(' or ')' after a variation, found 'C'"},
      {"(;A[1](;B[2])",
       "line 1, column 14: expected '(' or ')' after a variation, found the end of the text"},
      {"(;A[1]))",
       "line 1, column 8: expected another game or the end of the text after a game, found ')'"},
      {"(;A[1])\r\n;B[2])",
       "line 2, column 1: expected another game or the end of the text after a game, found ';'"},
  };
  for (const auto& [text, message] : kCases) EXPECT_EQ(error_of(text), message) << text;
}

TEST(Sgf, LongValuesAreCutInMessages) {
  const SgfValue value = SgfValue::from_text("\n" + std::string(1000, 'x'));
  EXPECT_EQ(value.unexpected("a point").what(),
            "SGF: expected a point, found [?" + std::string(39, 'x') + "...]");
}

TEST(Sgf, FilesAreReadWithinABoundOrRefusedByName) {
  const fs::path gnugo = TENGEN_SOURCE_DIR "/tests/rules/sgf/gnugo.sgf";
  EXPECT_EQ(read_sgf(gnugo, fs::file_size(gnugo)).size(), 1u);
  const auto message = [](const fs::path& path, std::size_t max_bytes) -> std::string {
    try {
      read_sgf(path, max_bytes);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message(gnugo, 100), gnugo.string() + ": expected at most 100 bytes, found more");
  EXPECT_EQ(message("/no/such.sgf", 100), "/no/such.sgf: cannot be opened");
  EXPECT_EQ(message("/dev/null", 100),
            "/dev/null: line 1, column 1: expected a game, '(;', found the end of the text");
  EXPECT_EQ(message("/dev/zero", 100), "/dev/zero: expected at most 100 bytes, found more");
  EXPECT_EQ(message("/", 100), "/: cannot be read");
}

TEST(Sgf, DamagedFilesAreReadOrRefused) {
  std::vector<std::string> texts;
  for (const fs::path& file : sample_files()) texts.push_back(bytes_of(file));
  std::ranges::sort(texts);
  int read = 0;
  int refused = 0;
  for (int i = 0; i < 5000; ++i) {
    Rng rng(5, i);
    const std::string text = mutated(texts[i % texts.size()], texts[rng.below(texts.size())], rng);
    try {
      const std::vector<SgfTree> games = parse_sgf(text);
      ASSERT_EQ(parse_sgf(to_text(games)), games) << text;
      ++read;
    } catch (const Error& error) {
      ASSERT_TRUE(std::string_view(error.what()).starts_with("line ")) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(read, 500);
  EXPECT_GT(refused, 500);
}

TEST(SgfDeathTest, WhatCannotBeReadBackIsNotWritten) {
  EXPECT_DEATH(SgfValue::from_raw("a]b"), "a raw value is escaped");
  EXPECT_DEATH(SgfValue::from_raw("a\\"), "a raw value is escaped");
  SgfTree bad_name;
  bad_name.node(SgfTree::kRoot).add("b", "");
  EXPECT_DEATH(to_text(bad_name), "a property's name");
  SgfTree no_value;
  no_value.node(SgfTree::kRoot).properties.push_back({.name = "B", .values = {}});
  EXPECT_DEATH(to_text(no_value), "a property has a value");
}

}  // namespace
}  // namespace tengen

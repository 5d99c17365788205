#include "eval/gtp_syntax.h"

#include <gtest/gtest.h>

#include <limits>

namespace tengen {
namespace {

TEST(GtpLine, HasANumberACommandAndArguments) {
  const auto line = parse_gtp_line("12 play  b\tD4 # a comment");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->id, "12");
  EXPECT_EQ(line->command, "play");
  EXPECT_EQ(line->arguments, (std::vector<std::string>{"b", "D4"}));
}

TEST(GtpLine, WithoutContentIsNone) {
  for (const char* text : {"", "   ", "\t", "# genmove b", "\r", "\x01\x02"}) {
    EXPECT_FALSE(parse_gtp_line(text)) << text;
  }
}

TEST(GtpLine, DropsControlCharacters) {
  const auto line = parse_gtp_line("ge\x01nm\x7fove b\r");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->command, "genmove");
  EXPECT_EQ(line->arguments, (std::vector<std::string>{"b"}));
}

TEST(GtpAnswer, EndsInABlankLine) {
  EXPECT_EQ(gtp_answer(true, "", ""), "=\n\n");
  EXPECT_EQ(gtp_answer(true, "7", "D4"), "=7 D4\n\n");
  EXPECT_EQ(gtp_answer(false, "7", "illegal move"), "?7 illegal move\n\n");
}

TEST(GtpArguments, AreReadStrictlyAndWithoutRegardToCase) {
  EXPECT_EQ(parse_gtp_color("B"), Color::kBlack);
  EXPECT_EQ(parse_gtp_color("White"), Color::kWhite);
  EXPECT_FALSE(parse_gtp_color("green"));
  EXPECT_EQ(parse_gtp_int("19"), 19);
  EXPECT_EQ(parse_gtp_int("-3"), -3);
  EXPECT_EQ(parse_gtp_int("+3"), 3);
  for (const char* text : {"", "x", "1x", "1.5", "+-1", "-", "+"}) {
    EXPECT_FALSE(parse_gtp_int(text)) << text;
  }
  EXPECT_EQ(parse_gtp_int("99999999999"), std::numeric_limits<int>::max());
  EXPECT_EQ(parse_gtp_int("-99999999999"), std::numeric_limits<int>::min());
}

TEST(GtpArguments, KomiIsAMultipleOfAHalf) {
  EXPECT_EQ(parse_gtp_komi("6.5")->half_points(), 13);
  EXPECT_EQ(parse_gtp_komi("7.50")->half_points(), 15);
  EXPECT_EQ(parse_gtp_komi("-0.5")->half_points(), -1);
  EXPECT_EQ(parse_gtp_komi("0")->half_points(), 0);
  for (const char* text : {"", "nan", "inf", "1e999", "7.25", "400.5", "six", "6.5x", "0x10"}) {
    EXPECT_FALSE(parse_gtp_komi(text)) << text;
  }
}

TEST(GtpArguments, AVertexHasALetterWithoutIAndANumberUpTo25) {
  for (const char* text : {"A1", "z25", "t19"}) EXPECT_TRUE(is_gtp_vertex(text)) << text;
  for (const char* text : {"I5", "A0", "A26", "A", "5A", "AA1", "", "A99999999999"}) {
    EXPECT_FALSE(is_gtp_vertex(text)) << text;
  }
}

}  // namespace
}  // namespace tengen

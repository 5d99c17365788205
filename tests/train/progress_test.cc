#include "train/progress.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace tengen {
namespace {

// What a Progress writes, with a clock of the test's own.
class ProgressTest : public testing::Test {
 protected:
  ProgressTest() : out_(std::tmpfile(), &std::fclose) {}

  Progress make(const Progress::Style& style) {
    return Progress(out_.get(), style, [this] { return now_s_; });
  }
  std::string written() {
    std::rewind(out_.get());
    std::string text;
    for (int c; (c = std::fgetc(out_.get())) != EOF;) text += static_cast<char>(c);
    return text;
  }

  double now_s_ = 1000;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> out_;
};

TEST_F(ProgressTest, PlainLinesComeNowAndThen) {
  {
    Progress progress = make({.terminal = false, .color = false, .width = 80, .plain_every_s = 30});
    for (int second = 0; second <= 60; ++second, ++now_s_)
      progress.update(second / 120.0, "playing");
    progress.say("net 1 is the champion");
  }
  EXPECT_EQ(written(),
            "[  0 %, 0:00 gone] playing\n"
            "[ 25 %, 0:30 gone, 1:30 left] playing\n"
            "[ 50 %, 1:00 gone, 1:00 left] playing\n"
            "net 1 is the champion\n");
}

TEST_F(ProgressTest, ATerminalLineIsRewrittenInPlaceAndCutToTheWidth) {
  {
    Progress progress = make({.terminal = true, .color = false, .width = 30});
    progress.update(0, "a text that is far too long for it");
    now_s_ += 0.01;
    progress.update(0, "too soon");
    now_s_ += 1;
    progress.update(-1, "unknown");
    progress.say("a line");
  }
  EXPECT_EQ(written(),
            "\r[  0 %, 0:00 gone] a text tha\x1b[K"
            "\r[0:01 gone] unknown\x1b[K"
            "\r\x1b[Ka line\n");
}

TEST_F(ProgressTest, TheEstimateIsOfThisStartsOwnPace) {
  Progress progress = make({});
  progress.update(0.5, "resumed");
  now_s_ += 60;
  progress.update(0.75, "on");
  EXPECT_NE(written().find("[ 75 %, 1:00 gone, 1:00 left] on"), std::string::npos) << written();
}

TEST_F(ProgressTest, ColourOnlyWhenAskedFor) {
  make({.terminal = true, .color = true}).update(0.5, "x");
  EXPECT_EQ(written(), "\r\x1b[36m[ 50 %, 0:00 gone]\x1b[0m x\x1b[K\n");
  EXPECT_FALSE(Progress::style_of(out_.get()).terminal);
}

TEST(ClockText, IsShort) {
  EXPECT_EQ(clock_text(0), "0:00");
  EXPECT_EQ(clock_text(7.4), "0:07");
  EXPECT_EQ(clock_text(725), "12:05");
  EXPECT_EQ(clock_text(3 * 3600 + 20 * 60), "3:20:00");
  EXPECT_EQ(clock_text(52 * 3600), "2 d 4 h");
}

TEST(Grouped, SetsCommas) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(grouped(-1000), "-1,000");
  EXPECT_EQ(short_form(9999), "9,999");
  EXPECT_EQ(short_form(12345), "12.3k");
  EXPECT_EQ(short_form(567890), "568k");
  EXPECT_EQ(short_form(999499), "999k");
  EXPECT_EQ(short_form(999500), "1.0M");
  EXPECT_EQ(short_form(345600000), "346M");
}

}  // namespace
}  // namespace tengen

#include "configs/reader.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <limits>
#include <string_view>

namespace tengen {
namespace {

constexpr std::string_view kFruit[] = {"apple", "pear"};

struct Basket {
  bool open = true;
  int count = 3;
  std::int64_t grains = 1;
  double weight = 0.1;
  double anything = 0;
  std::string fruit = "apple";
  std::string label;
  std::vector<int> sizes = {9};
  std::vector<double> shares = {};
};
template <class Visit>
void for_each_option(Basket& b, Visit visit) {
  visit("open", b.open, {"whether one can take out"});
  visit("count", b.count, {"pieces", 1, 10});
  visit("grains", b.grains, {"of sand", 0, 9e15});
  visit("weight", b.weight, {"kg", 0, 2.5});
  visit("anything", b.anything, {"no bounds"});
  visit("fruit", b.fruit, {"kind", 0, 0, kFruit});
  visit("label", b.label, {"what it says"});
  visit("sizes", b.sizes, {"of the pieces", 2, 19});
  visit("shares", b.shares, {"of the owners", 0, 1});
}

struct Trip {
  double minutes = 5;
};
template <class Visit>
void for_each_option(Trip& t, Visit visit) {
  visit("minutes", t.minutes, {"how long", 0, 1e9});
}

struct Picnic {
  Trip trip;
  Basket basket;
};
template <class Visit>
void for_each_section(Picnic& p, Visit visit) {
  visit("trip", p.trip, "getting there");
  visit("basket", p.basket, "what to take");
}

// Reads a text as a config file named picnic.toml in a directory of this test.
class Reader : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = std::filesystem::temp_directory_path() /
                 ("tengen_reader_" + std::to_string(::getpid()) + "_" +
                  testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  Picnic read(std::string_view text, const std::vector<std::string>& overrides = {}) {
    std::ofstream(directory_ / "picnic.toml") << text;
    Picnic picnic;
    read_config(directory_ / "picnic.toml", overrides, picnic);
    return picnic;
  }
  // The message of the UsageError, without the directory.
  std::string fault(std::string_view text, const std::vector<std::string>& overrides = {}) {
    try {
      read(text, overrides);
    } catch (const UsageError& error) {
      std::string message = error.what();
      const std::string prefix = directory_.string() + "/";
      return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
    }
    return "no error";
  }

  std::filesystem::path directory_;
};

TEST_F(Reader, ReadsEveryTypeAndKeepsDefaultsOfTheRest) {
  const Picnic p = read(R"(
[trip]
minutes = 7        # an integer will do for a number
[basket]
open = false
count = 10
grains = 9_000_000_000
weight = 2.5
fruit = "pear"
label = "for \"you\""
sizes = [9, 13]
shares = [0.25, 1]
)");
  EXPECT_EQ(p.trip.minutes, 7);
  EXPECT_FALSE(p.basket.open);
  EXPECT_EQ(p.basket.count, 10);
  EXPECT_EQ(p.basket.grains, 9'000'000'000);
  EXPECT_EQ(p.basket.weight, 2.5);
  EXPECT_EQ(p.basket.fruit, "pear");
  EXPECT_EQ(p.basket.label, "for \"you\"");
  EXPECT_EQ(p.basket.sizes, (std::vector<int>{9, 13}));
  EXPECT_EQ(p.basket.shares, (std::vector<double>{0.25, 1}));
  EXPECT_EQ(read("").basket.count, 3);
}

TEST_F(Reader, NamesTheNearestKey) {
  EXPECT_EQ(fault("[basket]\nopen = true\ncuont = 4\n"),
            "picnic.toml:3: unknown key basket.cuont; nearest: basket.count");
  EXPECT_EQ(fault("[basket]\nminutes = 4\n"),
            "picnic.toml:2: unknown key basket.minutes; nearest: trip.minutes");
  EXPECT_EQ(fault("weight = 4\n"), "picnic.toml:1: unknown key weight; nearest: basket.weight");
  EXPECT_EQ(fault("[bascet]\ncount = 4\n"),
            "picnic.toml:1: unknown section [bascet]; nearest: [basket]");
  EXPECT_EQ(fault("[basket.inner]\ncount = 4\n"),
            "picnic.toml:1: unknown key basket.inner; nearest: basket.label");
}

TEST_F(Reader, RefusesWrongTypes) {
  EXPECT_EQ(fault("[basket]\ncount = \"4\""),
            "picnic.toml:2: basket.count: expected an integer, found the text \"4\"");
  EXPECT_EQ(fault("[basket]\ncount = 4.0"),
            "picnic.toml:2: basket.count: expected an integer, found the number 4");
  EXPECT_EQ(fault("[basket]\nweight = true"),
            "picnic.toml:2: basket.weight: expected a number, found true");
  EXPECT_EQ(fault("[basket]\nopen = 1"),
            "picnic.toml:2: basket.open: expected true or false, found the integer 1");
  EXPECT_EQ(fault("[basket]\nlabel = 1979-05-27"),
            "picnic.toml:2: basket.label: expected a text in quotes, found a date or time");
  EXPECT_EQ(
      fault("[basket]\nsizes = 9"),
      "picnic.toml:2: basket.sizes: expected a list of integers, [1, 2], found the integer 9");
  EXPECT_EQ(fault("[basket]\nsizes = [9, \"x\"]"),
            "picnic.toml:2: basket.sizes: expected an integer, found the text \"x\"");
  EXPECT_EQ(fault("basket = 3"), "picnic.toml:1: basket: expected a section, found the integer 3");
}

TEST_F(Reader, RefusesValuesOutOfRange) {
  EXPECT_EQ(fault("[basket]\n\ncount = 11"),
            "picnic.toml:3: basket.count: out of range: expected 1 to 10, found 11");
  EXPECT_EQ(fault("[basket]\nweight = -0.5"),
            "picnic.toml:2: basket.weight: out of range: expected 0 to 2.5, found -0.5");
  EXPECT_EQ(fault("[basket]\nanything = nan"),
            "picnic.toml:2: basket.anything: out of range: expected a finite number, found nan");
  EXPECT_EQ(fault("[basket]\nsizes = [9, 20]"),
            "picnic.toml:2: basket.sizes: out of range: expected 2 to 19, found 20");
  EXPECT_EQ(fault("[basket]\nfruit = \"plum\""),
            "picnic.toml:2: basket.fruit: expected one of apple, pear, found the text \"plum\"");
}

TEST_F(Reader, TellsTheFirstOfSeveralFaultsByLine) {
  EXPECT_EQ(fault("[trip]\nminutes = 1\n[basket]\nzebra = 1\nant = 2\n[trap]\n"),
            "picnic.toml:4: unknown key basket.zebra; nearest: basket.label (and 2 more)");
}

TEST_F(Reader, TellsTheLineOfBrokenToml) {
  EXPECT_TRUE(fault("[trip]\nminutes = \n").starts_with("picnic.toml:2: "))
      << fault("[trip]\nminutes = \n");
  EXPECT_TRUE(fault("[trip]\nminutes = 1\nminutes = 2\n").starts_with("picnic.toml:3: "));
}

TEST_F(Reader, LeavesTheConfigAloneAfterAnError) {
  std::ofstream(directory_ / "picnic.toml") << "[trip]\nminutes = 9\nhours = 1\n";
  Picnic picnic;
  EXPECT_THROW(read_config(directory_ / "picnic.toml", {}, picnic), UsageError);
  EXPECT_EQ(picnic.trip.minutes, 5);
}

TEST_F(Reader, MissingFileIsAUsageError) {
  Picnic picnic;
  EXPECT_THROW(read_config(directory_ / "none.toml", {}, picnic), UsageError);
  EXPECT_THROW(read_config(directory_, {}, picnic), UsageError);
  EXPECT_NO_THROW(read_config("", {"trip.minutes=1"}, picnic));
}

TEST_F(Reader, OverridesComeLastAndAreToml) {
  const Picnic p =
      read("[basket]\ncount = 2\n", {"basket.count=4", " basket.count = 5 ", "basket.sizes=[5, 7]",
                                     "basket.weight=1", "basket.open=false"});
  EXPECT_EQ(p.basket.count, 5);
  EXPECT_EQ(p.basket.sizes, (std::vector<int>{5, 7}));
  EXPECT_EQ(p.basket.weight, 1);
  EXPECT_FALSE(p.basket.open);
}

TEST_F(Reader, OverridesTakeBareTexts) {
  EXPECT_EQ(read("", {"basket.fruit=pear"}).basket.fruit, "pear");
  EXPECT_EQ(read("", {"basket.fruit=\"pear\""}).basket.fruit, "pear");
  EXPECT_EQ(read("", {"basket.label=a=b # c"}).basket.label, "a=b # c");
  EXPECT_EQ(read("", {"basket.label=12"}).basket.label, "12");
  EXPECT_EQ(read("", {"basket.label="}).basket.label, "");
}

TEST_F(Reader, OverridesAreChecked) {
  EXPECT_EQ(fault("", {"basket.cuont=4"}),
            "--set basket.cuont=4: unknown key basket.cuont; nearest: basket.count");
  EXPECT_EQ(fault("", {"basket.count=many"}),
            "--set basket.count=many: basket.count: expected an integer, found the text \"many\"");
  EXPECT_EQ(fault("", {"basket.count=0"}),
            "--set basket.count=0: basket.count: out of range: expected 1 to 10, found 0");
  EXPECT_EQ(fault("", {"basket.count"}), "--set basket.count: expected section.key=value");
  // A line break cannot smuggle in a second key.
  EXPECT_NE(fault("", {"basket.count=1\nopen=false"}).find("expected an integer"),
            std::string::npos);
}

TEST_F(Reader, WhatIsWrittenReadsBackTheSame) {
  Picnic p;
  p.trip.minutes = 1.0 / 3.0;
  p.basket = {false,
              7,
              std::numeric_limits<std::int32_t>::max() * 4LL,
              1e-7,
              -1e300,
              "pear",
              "tab\t\"quoted\" \\ \x01 \xc3\xa9",
              {2, 19},
              {0.1, 1.0}};
  for (const bool with_comments : {false, true}) {
    const std::string text = to_toml(p, with_comments);
    const Picnic q = read(text);
    EXPECT_EQ(to_toml(q, with_comments), text);
    EXPECT_EQ(q.trip.minutes, p.trip.minutes);
    EXPECT_EQ(q.basket.grains, p.basket.grains);
    EXPECT_EQ(q.basket.weight, p.basket.weight);
    EXPECT_EQ(q.basket.anything, p.basket.anything);
    EXPECT_EQ(q.basket.label, p.basket.label);
    EXPECT_EQ(q.basket.sizes, p.basket.sizes);
    EXPECT_EQ(q.basket.shares, p.basket.shares);
  }
}

TEST_F(Reader, TheListingShowsMeaningTypeRangeAndDefault) {
  Picnic p;
  p.basket.count = 4;
  const std::string text = to_toml(p, true);
  EXPECT_NE(text.find("# what to take\n[basket]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("# pieces [integer, 1 to 10; default 3]\ncount = 4\n"), std::string::npos);
  EXPECT_NE(text.find("# kind [apple | pear; default \"apple\"]\nfruit = \"apple\"\n"),
            std::string::npos);
  EXPECT_NE(text.find("# how long [number, 0 to 1000000000; default 5.0]\n"), std::string::npos);
}

}  // namespace
}  // namespace tengen

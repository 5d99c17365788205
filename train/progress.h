#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

namespace tengen {

// A line that shows how far a run is:
//
//   [ 42 %, 3:21 gone, 4:38 left] self-play 1,204 games, 2,950 evaluations/s
//
// On a terminal one line, rewritten in place and cut to the width; elsewhere (a log, a pipe, TERM
// dumb) a plain line now and then. Colour only on a terminal and without NO_COLOR in the
// environment (no-color.org). One caller at a time.
class Progress {
 public:
  struct Style {
    bool terminal = false;
    bool color = false;
    int width = 80;             // columns of the terminal
    double plain_every_s = 30;  // between plain lines
  };
  using Clock = std::function<double()>;  // seconds since any moment, never back

  // As `out` is now.
  static Style style_of(std::FILE* out);
  explicit Progress(std::FILE* out);
  Progress(std::FILE* out, const Style& style, Clock clock);
  ~Progress();  // ends the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `share` in [0, 1] of the whole is done; negative: unknown, no estimate. Time left is that of
  // this process's own pace. Cheap to call often: shows at most ten times a second.
  void update(double share, std::string_view what);
  // A line that stays above the progress line, at once.
  void say(std::string_view line);

 private:
  void show(const std::string& line);

  std::FILE* out_;
  Style style_;
  Clock clock_;
  double started_s_;
  double shown_s_;
  double first_share_ = -1;
  bool line_open_ = false;
};

// "0:07", "12:05", "3:20:00", "2 d 4 h".
std::string clock_text(double seconds);
// "1,234,567".
std::string grouped(long long number);
// Of at most 5 characters: "9,999", "12.3k", "567k", "1.2M", "345M". Requires 0 <= number < 1e10.
std::string short_form(long long number);

}  // namespace tengen

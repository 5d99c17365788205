#include "train/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace tengen {
namespace {

constexpr double kTellingShare = 0.01;  // of the whole, after which its end can be foretold

double steady_s() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

// The first `columns` characters of UTF-8.
std::string_view cut(std::string_view text, int columns) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((text[i] & 0xc0) != 0x80 && columns-- == 0) return text.substr(0, i);
  return text;
}

std::string two_digits(long long number) {
  return {static_cast<char>('0' + number / 10), static_cast<char>('0' + number % 10)};
}

}  // namespace

std::string clock_text(double seconds) {
  const auto s = static_cast<long long>(std::max(0.0, seconds) + 0.5);
  if (s >= 48 * 3600)
    return std::to_string(s / 86400) + " d " + std::to_string(s / 3600 % 24) + " h";
  if (s >= 3600)
    return std::to_string(s / 3600) + ":" + two_digits(s / 60 % 60) + ":" + two_digits(s % 60);
  return std::to_string(s / 60) + ":" + two_digits(s % 60);
}

std::string grouped(long long number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > (number < 0 ? 1U : 0U) && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string short_form(long long number) {
  if (number < 10000) return grouped(number);
  const bool millions = number >= 999'500;
  const double value = static_cast<double>(number) / (millions ? 1e6 : 1e3);
  char text[32];
  std::snprintf(text, sizeof text, "%.*f%s", value < 100 ? 1 : 0, value, millions ? "M" : "k");
  return text;
}

Progress::Style Progress::style_of(std::FILE* out) {
  Style style;
  const char* term = std::getenv("TERM");
  const char* no_color = std::getenv("NO_COLOR");
  style.terminal = ::isatty(::fileno(out)) == 1 && term && std::string_view(term) != "dumb";
  style.color = style.terminal && !(no_color && *no_color);
  winsize size{};
  if (style.terminal && ::ioctl(::fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    style.width = size.ws_col;
  return style;
}

Progress::Progress(std::FILE* out) : Progress(out, style_of(out), steady_s) {}

Progress::Progress(std::FILE* out, const Style& style, Clock clock)
    : out_(out),
      style_(style),
      clock_(std::move(clock)),
      started_s_(clock_()),
      shown_s_(-std::numeric_limits<double>::infinity()) {}

Progress::~Progress() {
  if (line_open_) std::fputs("\n", out_);
  std::fflush(out_);
}

void Progress::update(double share, std::string_view what) {
  const double now = clock_();
  if (share >= 0 && first_share_ < 0) first_share_ = share;
  if (now - shown_s_ < (style_.terminal ? 0.1 : style_.plain_every_s)) return;
  shown_s_ = now;

  std::string line = "[";
  if (share >= 0) {
    const std::string percent =
        std::to_string(static_cast<int>(std::floor(100 * std::min(share, 1.0))));
    line += std::string(3 - std::min<std::size_t>(3, percent.size()), ' ') + percent + " %, ";
  }
  line += clock_text(now - started_s_) + " gone";
  const double done = share - first_share_;
  if (share >= 0 && done > kTellingShare)
    line += ", " + clock_text((now - started_s_) * (1 - std::min(share, 1.0)) / done) + " left";
  line += "] ";
  show(line.append(what));
}

void Progress::show(const std::string& line) {
  if (!style_.terminal) {
    std::fprintf(out_, "%s\n", line.c_str());
  } else {
    const std::string shown(cut(line, style_.width - 1));
    const std::size_t end = std::min(shown.find(']'), shown.size() - 1) + 1;
    std::fprintf(out_, "\r%s%s%s%s\x1b[K", style_.color ? "\x1b[36m" : "",
                 shown.substr(0, end).c_str(), style_.color ? "\x1b[0m" : "",
                 shown.substr(end).c_str());
    line_open_ = true;
  }
  std::fflush(out_);
}

void Progress::say(std::string_view line) {
  if (line_open_) std::fputs("\r\x1b[K", out_);
  line_open_ = false;
  shown_s_ = std::min(shown_s_, clock_() - 1);  // the progress line comes back at once
  std::fprintf(out_, "%.*s\n", static_cast<int>(line.size()), line.data());
  std::fflush(out_);
}

}  // namespace tengen

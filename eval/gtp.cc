#include "eval/gtp.h"

#include <algorithm>
#include <istream>
#include <ostream>
#include <utility>

#include "eval/gtp_failure.h"
#include "eval/kata_rules.h"
#include "rules/check.h"

namespace tengen {
namespace {

constexpr std::size_t kMaxLine = 1 << 16;  // characters; longer input is nobody's command

// A failure in one line of bearable length, whatever was sent.
std::string one_line(std::string text) {
  constexpr std::size_t kMost = 1000;
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; }, ' ');
  const auto repeated = [](char a, char b) { return a == ' ' && b == ' '; };
  text.erase(std::unique(text.begin(), text.end(), repeated), text.end());
  while (text.ends_with(' ')) text.pop_back();
  if (text.size() > kMost) text = text.substr(0, kMost) + " ...";
  return text;
}

// Reads up to a newline and keeps at most kMaxLine characters. False at the end of the input.
bool read_line(std::istream& in, std::string& line) {
  line.clear();
  auto* buffer = in.rdbuf();
  for (bool any = false;; any = true) {
    const int c = buffer->sbumpc();
    if (c == std::istream::traits_type::eof()) return any;
    if (c == '\n') return true;
    if (line.size() < kMaxLine) line += static_cast<char>(c);
  }
}

}  // namespace

GtpEngine::GtpEngine(std::shared_ptr<Player> player, const Options& options)
    : player_(std::move(player)),
      options_(options),
      rules_(options.rules),
      position_(options.rules) {}

const std::map<std::string, GtpEngine::Command, std::less<>>& GtpEngine::commands() {
  static const std::map<std::string, Command, std::less<>> table = {
      {"boardsize", &GtpEngine::boardsize},
      {"clear_board", &GtpEngine::clear_board},
      {"final_score", &GtpEngine::final_score},
      {"final_status_list", &GtpEngine::final_status_list},
      {"fixed_handicap", &GtpEngine::fixed_handicap},
      {"genmove", &GtpEngine::genmove},
      {"kata-get-rules", &GtpEngine::kata_get_rules},
      {"kata-set-rules", &GtpEngine::kata_set_rules},
      {"kgs-genmove_cleanup", &GtpEngine::genmove_cleanup},
      {"kgs-time_settings", &GtpEngine::kgs_time_settings},
      {"known_command", &GtpEngine::known_command},
      {"komi", &GtpEngine::komi},
      {"list_commands", &GtpEngine::list_commands},
      {"name", &GtpEngine::name},
      {"place_free_handicap", &GtpEngine::place_free_handicap},
      {"play", &GtpEngine::play},
      {"protocol_version", &GtpEngine::protocol_version},
      {"quit", &GtpEngine::quit_command},
      {"rectangular_boardsize", &GtpEngine::boardsize},
      {"reg_genmove", &GtpEngine::reg_genmove},
      {"set_free_handicap", &GtpEngine::set_free_handicap},
      {"showboard", &GtpEngine::showboard},
      {"tengen-confirm", &GtpEngine::confirm},
      {"tengen-mark", &GtpEngine::mark},
      {"tengen-marks", &GtpEngine::marks},
      {"tengen-resume", &GtpEngine::resume},
      {"tengen-score", &GtpEngine::score},
      {"tengen-suggest", &GtpEngine::suggest},
      {"time_left", &GtpEngine::time_left},
      {"time_settings", &GtpEngine::time_settings},
      {"undo", &GtpEngine::undo},
      {"version", &GtpEngine::version},
  };
  return table;
}

std::string GtpEngine::answer(const std::string& line) {
  const auto parsed = parse_gtp_line(line);
  if (!parsed) return "";
  try {
    if (parsed->command.empty()) throw GtpFailure{"syntax error"};
    const auto command = commands().find(parsed->command);
    if (command == commands().end()) throw GtpFailure{"unknown command"};
    return gtp_answer(true, parsed->id, (this->*command->second)(parsed->arguments));
  } catch (const GtpFailure& failure) {
    return gtp_answer(false, parsed->id, failure.text);
  } catch (const std::exception& e) {
    return gtp_answer(false, parsed->id, one_line(e.what()));
  }
}

void GtpEngine::serve(std::istream& in, std::ostream& out) {
  std::string line;
  std::jthread ponderer;
  while (!quit_ && out && read_line(in, line)) {
    ponderer = {};  // asks it to stop and waits
    out << answer(line) << std::flush;
    ponderer = pondering();
  }
}

// --- about the engine ---

std::string GtpEngine::protocol_version(const Arguments&) {
  return "2";
}
std::string GtpEngine::name(const Arguments&) {
  return options_.name;
}
std::string GtpEngine::version(const Arguments&) {
  return options_.version;
}
std::string GtpEngine::known_command(const Arguments& arguments) {
  return !arguments.empty() && commands().contains(arguments[0]) ? "true" : "false";
}
std::string GtpEngine::list_commands(const Arguments&) {
  std::string text;
  for (const auto& [name, command] : commands()) (text += text.empty() ? "" : "\n") += name;
  return text;
}
std::string GtpEngine::quit_command(const Arguments&) {
  quit_ = true;
  return "";
}

// --- setting up ---

void GtpEngine::start_game() {
  handicap_.clear();
  rules_.handicap = 0;
  played_.clear();
  own_move_ = 0;
  marking_.reset();
  position_ = Position(rules_);
  ++games_;
}

// "boardsize 9", and with two numbers as KataGo's rectangular_boardsize: width, height.
std::string GtpEngine::boardsize(const Arguments& arguments) {
  require_arguments(arguments, 1);
  const int width = required(parse_gtp_int(arguments[0]));
  const int height = arguments.size() > 1 ? required(parse_gtp_int(arguments[1])) : width;
  const auto fits = [](int n) { return n >= kMinBoardSize && n <= kMaxBoardSize; };
  if (!fits(width) || !fits(height)) throw GtpFailure{"unacceptable size"};
  rules_.size = {static_cast<std::int8_t>(width), static_cast<std::int8_t>(height)};
  start_game();
  return "";
}

std::string GtpEngine::clear_board(const Arguments&) {
  start_game();
  return "";
}

std::string GtpEngine::komi(const Arguments& arguments) {
  require_arguments(arguments, 1);
  Rules rules = rules_;
  rules.komi = required(parse_gtp_komi(arguments[0]));
  go_back(rules, played_.size());
  return "";
}

std::string GtpEngine::kata_get_rules(const Arguments&) {
  return kata_rules(rules_);
}

std::string GtpEngine::kata_set_rules(const Arguments& arguments) {
  std::string text;
  for (const std::string& word : arguments) (text += text.empty() ? "" : " ") += word;
  go_back(with_kata_rules(rules_, text), played_.size());
  return "";
}

std::string GtpEngine::time_settings(const Arguments& arguments) {
  require_arguments(arguments, 3);
  for (int i = 0; i < 3; ++i) {
    if (required(parse_gtp_number(arguments[i])) < 0) throw GtpFailure{"syntax error"};
  }
  return "";
}
std::string GtpEngine::kgs_time_settings(const Arguments& arguments) {
  require_arguments(arguments, 1);
  return "";
}
std::string GtpEngine::time_left(const Arguments& arguments) {
  require_arguments(arguments, 3);
  required(parse_gtp_color(arguments[0]));
  for (int i = 1; i < 3; ++i) required(parse_gtp_number(arguments[i]));
  return "";
}

}  // namespace tengen

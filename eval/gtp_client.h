#pragma once

#include <memory>
#include <string>

#include "eval/player.h"

namespace tengen {

// Another program that speaks GTP, started by a command line and driven through its standard input
// and output; its standard error is ours. It is killed, with all it started, when the client goes.
// One caller at a time. No signal is touched: a program that dies is an Error, not a SIGPIPE.
class GtpClient {
 public:
  // Starts `command_line` by /bin/sh. `timeout_s` is the longest wait for one answer.
  explicit GtpClient(std::string command_line, double timeout_s = 60);
  ~GtpClient();
  GtpClient(const GtpClient&) = delete;
  GtpClient& operator=(const GtpClient&) = delete;

  struct Answer {
    bool success;      // "=" or "?"
    std::string text;  // without the mark, the number and blanks at either end
  };
  // Sends one command and waits. Throws Error that names the command line and the command if the
  // program ends, stays silent for longer than the timeout, or answers something that is not GTP.
  Answer ask(const std::string& command);
  // The same for commands that must succeed: returns the text, throws Error for "?".
  std::string tell(const std::string& command);

 private:
  struct Process;
  void send(const std::string& text, const std::string& command);
  [[noreturn]] void fail(const std::string& command, const std::string& what) const;

  std::string command_line_;
  double timeout_s_;
  std::unique_ptr<Process> process_;
  std::string unread_;  // received and not yet part of an answer
};

inline constexpr int kGtpProcesses = 2;

// A player that asks such a program for moves. `processes` of them run at most; games share them,
// and a program that does not hold the wanted game is told it anew, so with as many processes as
// games in flight nothing is replayed. Requests need MoveRequest::moves. Throws Error for an engine
// that fails, and from here on for each move it refuses.
std::unique_ptr<Player> make_gtp_player(const std::string& command_line, double timeout_s = 60,
                                        int processes = kGtpProcesses);

}  // namespace tengen

#include "eval/gtp_client.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <utility>

#include "rules/check.h"

namespace tengen {
namespace {

constexpr std::size_t kMaxAnswer = 1 << 20;  // bytes

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

}  // namespace

// One socket is the program's standard input and output; unlike a pipe, a socket can be written to
// without SIGPIPE when the other end is gone.
struct GtpClient::Process {
  explicit Process(const std::string& command_line) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
      throw Error("cannot start '" + command_line + "': " + std::strerror(errno));
    }
    id = ::fork();
    if (id == 0) {  // only async-signal-safe calls from here
      ::setpgid(0, 0);
      ::dup2(ends[1], STDIN_FILENO);
      ::dup2(ends[1], STDOUT_FILENO);
      ::execl("/bin/sh", "sh", "-c", command_line.c_str(), static_cast<char*>(nullptr));
      ::_exit(127);
    }
    const int failure = errno;  // of fork, before close sets its own
    ::close(ends[1]);
    socket = ends[0];
    if (id < 0) {
      ::close(socket);
      throw Error("cannot start '" + command_line + "': " + std::strerror(failure));
    }
    ::setpgid(id, id);  // whoever of the two comes first
  }
  ~Process() {
    ::close(socket);
    ::kill(-id, SIGKILL);
    ::waitpid(id, nullptr, 0);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t id = -1;
  int socket = -1;
};

GtpClient::GtpClient(std::string command_line, double timeout_s)
    : command_line_(std::move(command_line)),
      timeout_s_(timeout_s),
      process_(std::make_unique<Process>(command_line_)) {}

GtpClient::~GtpClient() = default;

void GtpClient::fail(const std::string& command, const std::string& what) const {
  throw Error("'" + command_line_ + "' at \"" + command + "\": " + what);
}

void GtpClient::send(const std::string& text, const std::string& command) {
  for (std::size_t done = 0; done < text.size();) {
    const auto n = ::send(process_->socket, text.data() + done, text.size() - done, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(command, "the program has ended");
    done += static_cast<std::size_t>(n);
  }
}

GtpClient::Answer GtpClient::ask(const std::string& command) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(timeout_s_);
  send(command + "\n", command);
  while (true) {
    // An answer ends in a blank line; blank lines before it are noise.
    unread_.erase(0, unread_.find_first_not_of('\n'));
    const auto line = unread_.substr(0, unread_.find('\n'));
    if (line.size() < unread_.size() && line[0] != '=' && line[0] != '?') {
      fail(command, "no GTP answer: " + line);
    }
    if (const auto stop = unread_.find("\n\n"); stop != std::string::npos) {
      const std::string answer = unread_.substr(0, stop);
      unread_.erase(0, stop + 2);
      return {answer[0] == '=', trimmed(answer.substr(1))};
    }
    if (unread_.size() > kMaxAnswer) fail(command, "an answer without end");
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) fail(command, "no answer in " + std::to_string(timeout_s_) + " s");
    pollfd poll{.fd = process_->socket, .events = POLLIN, .revents = 0};
    if (::poll(&poll, 1, static_cast<int>(left) + 1) <= 0) continue;
    char buffer[4096];
    const auto n = ::recv(process_->socket, buffer, sizeof buffer, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail(command, "the program has ended");
    for (ssize_t i = 0; i < n; ++i) {
      if (buffer[i] != '\r') unread_ += buffer[i];
    }
  }
}

std::string GtpClient::tell(const std::string& command) {
  Answer answer = ask(command);
  if (!answer.success) fail(command, "refused: " + answer.text);
  return std::move(answer.text);
}

}  // namespace tengen

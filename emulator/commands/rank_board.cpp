#include "emulator/commands/rank_board.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/error.hpp"

namespace somnus {
namespace {

constexpr const char* board_variable = "SOMNUS_RANK_BOARD";

enum Member : int { process, code_plus_one, members };

/// 0: it has not been written.
std::int32_t read_member(int file, int rank, Member member) {
  std::int32_t value = 0;
  const auto place = static_cast<off_t>(sizeof value) * (rank * members + member);
  return pread(file, &value, sizeof value, place) == sizeof value ? value : 0;
}

bool write_member(Member member, std::int32_t value) {
  const char* const path = std::getenv(board_variable);
  const char* const rank = std::getenv("OMPI_COMM_WORLD_RANK");
  if (path == nullptr || rank == nullptr) return false;
  const int file = ::open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const auto place = static_cast<off_t>(sizeof value) * (std::atoi(rank) * members + member);
  const bool written = pwrite(file, &value, sizeof value, place) == sizeof value;
  ::close(file);
  return written;
}

}  // namespace

RankBoard::RankBoard() : file_(memfd_create("somnus-ranks", MFD_CLOEXEC)) {
  if (file_ < 0) {
    throw WorldError(fmt::format("cannot make a file in memory: {}", std::strerror(errno)));
  }
  setenv(board_variable, fmt::format("/proc/{}/fd/{}", getpid(), file_).c_str(), 1);
}

RankBoard::~RankBoard() {
  unsetenv(board_variable);
  ::close(file_);
}

std::optional<int> RankBoard::process_of(int rank) const {
  const std::int32_t found = read_member(file_, rank, process);
  return found == 0 ? std::nullopt : std::optional(found);
}

std::optional<int> RankBoard::code_of(int rank) const {
  const std::int32_t found = read_member(file_, rank, code_plus_one);
  return found == 0 ? std::nullopt : std::optional(found - 1);
}

void write_process_on_board() { write_member(process, getpid()); }

bool write_code_on_board(int code) { return write_member(code_plus_one, code + 1); }

bool board_is_gone() {
  const char* const path = std::getenv(board_variable);
  return path != nullptr && access(path, F_OK) != 0;
}

}  // namespace somnus

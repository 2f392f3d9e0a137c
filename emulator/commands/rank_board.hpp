// What the ranks of `somnus run` write down for the process that started their mpirun: who they
// are, and how they ended. It stands in memory alone and goes with that process.
//
// mpirun takes seconds over a rank that does not return 0, so rank 0 returns 0 and its exit code is
// only here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace somnus {

class RankBoard {
 public:
  /// Throws WorldError. The ranks find it by the environment, until this is destroyed.
  RankBoard();
  ~RankBoard();
  RankBoard(const RankBoard&) = delete;
  RankBoard& operator=(const RankBoard&) = delete;

  /// None: it has not begun.
  [[nodiscard]] std::optional<int> process_of(int rank) const;
  /// None: it has not said how it ends.
  [[nodiscard]] std::optional<int> code_of(int rank) const;

 private:
  int file_;
};

// Of a rank. Without a board, as under the user's own mpirun, they do nothing.

/// To be called when signals are handled: whoever has begun is sent some.
void write_process_on_board();
/// False: there is no board.
bool write_code_on_board(int code);
/// There was one, and who made it has ended.
[[nodiscard]] bool board_is_gone();

}  // namespace somnus

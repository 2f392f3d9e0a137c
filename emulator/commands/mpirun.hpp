// The mpirun that `somnus run` starts, from its start to its end. It is never waited for in vain:
// it may be stopped, hang before the ranks start or after they have ended, or not pass on that the
// ranks are to end.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "emulator/commands/rank_board.hpp"

namespace somnus {

class Mpirun {
 public:
  /// The program could not be executed.
  static constexpr int cannot_start = 127;

  /// Starts it. It ends soon after this process, however that ends. Throws WorldError.
  Mpirun(std::vector<std::string> words, int ranks);
  ~Mpirun();
  Mpirun(const Mpirun&) = delete;
  Mpirun& operator=(const Mpirun&) = delete;

  /// Until it has ended: its status, as of waitpid(). When we are asked to stop it has the ranks
  /// end, at the second request or after eight seconds at once.
  int wait();

  [[nodiscard]] const RankBoard& board() const { return board_; }
  /// Why it was made to end; empty: it ended by itself, or we were asked to stop.
  [[nodiscard]] const std::string& why_ended() const { return why_ended_; }
  /// The first ranks that were gone without having written down how they ended; where mpirun ended
  /// by itself and none was gone before rank 0 had ended, those that had not begun, if any.
  [[nodiscard]] const std::vector<int>& lost_ranks() const { return lost_ranks_; }
  /// They were gone while rank 0 had not ended, so nobody but them is why.
  [[nodiscard]] bool lost_before_end() const { return lost_before_end_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Rank {
    pid_t process = 0;  // 0: it has not begun
    bool gone = false;
  };

  void look_at_ranks(Clock::time_point now);
  void obey_stop(Clock::time_point now);
  void wake_when_over();
  void end_if_stuck(Clock::time_point now);
  void kill_all(std::string why);
  /// They see that mpirun is gone; what they come to until then counts.
  void let_ranks_end() const;
  [[nodiscard]] std::vector<int> ranks_not_begun() const;
  void signal_ranks(int number) const;
  [[nodiscard]] std::string state_in_words() const;

  RankBoard board_;
  std::vector<Rank> ranks_;
  pid_t process_;
  pid_t guard_ = -1;  // -1: it could not be started
  int to_guard_ = -1;
  Clock::time_point started_ = Clock::now();
  Clock::time_point next_look_;
  Clock::time_point first_rank_gone_;
  Clock::time_point all_gone_;
  Clock::time_point asked_to_stop_;
  Clock::time_point stop_again_;
  Clock::time_point ending_;
  bool all_begun_ = false;
  bool continued_ = false;
  bool lost_before_end_ = false;
  std::vector<int> lost_ranks_;
  std::string why_ended_;
};

}  // namespace somnus

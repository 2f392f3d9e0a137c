// The wire over MPI (Boost.MPI): the only place that knows MPI. One thread of a process uses it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "transport/wire.hpp"

namespace somnus {

inline constexpr const char* start_limit_variable = "SOMNUS_START_LIMIT_S";
/// How long ranks may take to start: what the environment says, else a minute.
[[nodiscard]] std::chrono::seconds start_limit();

/// MPI from its start to its end. Make one, in main, before anything else of MPI.
///
/// MPI's own waits can't be broken off. Each has a limit, after which `overdue` is called from
/// another thread with a sentence about who is waited for; it has to end the process.
class MpiWorld {
 public:
  using Overdue = std::function<void(const std::string& what)>;

  /// What keeps the ranks from starting, as the end of a sentence; empty: unknown.
  using Diagnose = std::function<std::string()>;

  /// Waits for all ranks to start, for at most start_limit(), other ranks than the first a little
  /// longer. Throws UserError if they were started by another MPI's launcher.
  MpiWorld(
      int& argc, char**& argv, Overdue overdue, Diagnose diagnose = [] { return std::string(); });
  /// Drops what still comes and waits for the other ranks to end, for ten seconds in all.
  ~MpiWorld();
  MpiWorld(const MpiWorld&) = delete;
  MpiWorld& operator=(const MpiWorld&) = delete;

  [[nodiscard]] Wire& wire();
  /// A rank is lost: leave without the others' consent. Overdue after five seconds.
  [[noreturn]] void abandon(int exit_code);

  /// The MPI that the program was built with, as "Open MPI v4.1.4".
  [[nodiscard]] static std::string library();
  /// Whether this process was started by mpirun, srun or the like.
  [[nodiscard]] static bool launched();

 private:
  class Impl;
  Overdue overdue_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace somnus

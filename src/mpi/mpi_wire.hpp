// The wire over MPI (Boost.MPI): the only place that knows MPI. One thread of a process uses it.
#pragma once

#include <memory>
#include <string>

#include "runtime/wire.hpp"

namespace somnus {

/// MPI from its start to its end. Make one, in main, before anything else of MPI.
class MpiWorld {
 public:
  MpiWorld(int& argc, char**& argv);
  /// Drops what still comes and waits for the other ranks. One that waits for ten seconds in vain
  /// says so and ends them all, with exit code 3.
  ~MpiWorld();
  MpiWorld(const MpiWorld&) = delete;
  MpiWorld& operator=(const MpiWorld&) = delete;

  [[nodiscard]] Wire& wire();
  /// All ranks are on this one's host.
  [[nodiscard]] int ranks_on_this_host() const;
  /// A rank is lost: leave without the others' consent.
  [[noreturn]] void abandon(int exit_code);

  /// Whether this process was started by mpirun, srun or the like.
  [[nodiscard]] static bool launched();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace somnus

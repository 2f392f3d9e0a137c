// The one packer of tasks into resources and time (Carbyne, section 3; policies.md 6.5): a list
// scheduler. Whenever something ends, of the bundles that are ready the one starts a task whose
// demand is best aligned with what is free, until nothing more fits; a tie goes to the bundle that
// is first. Held work stands in the space from the beginning: a task starts only if it has room
// for all its time.
//
// The space is one pool of resources or machines, which are filled one after another, each with
// what is best aligned with what is free on it; a task runs on one of them.
//
// It packs forward. To pack backward, from a DAG's end, let bundles follow their children and count
// time from the end; what is held has to be mirrored, too.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "packing/profile_view.hpp"

namespace somnus {

/// sum_r d_r f_r / c_r^2: how well a demand d goes with what is free, f, of a capacity c (Tetris,
/// SIGCOMM 2014; policies.md 6.2).
class Alignment {
 public:
  explicit Alignment(std::span<const Wide> capacity);
  /// `free`: in units of the demand.
  [[nodiscard]] double of(DemandSpan demand, std::span<const double> free) const {
    double sum = 0;
    for (std::size_t kind = 0; kind < demand.size() && kind < free.size(); ++kind) {
      if (demand[kind] == 0) continue;
      sum += static_cast<double>(demand[kind]) * over_[kind] * (free[kind] * over_[kind]);
    }
    return sum;
  }

 private:
  std::vector<double> over_;  // 1 / capacity, by kind
};

/// A stage's tasks, which are alike.
struct Bundle {
  std::uint32_t tasks = 0;
  Duration duration{};                    // of each
  DemandSpan demand;                      // of each
  Duration ready = Duration::min();       // none starts before
  Duration busy_until = Duration::min();  // by tasks of it that are held: when these end
};

/// Which bundle must have ended before which other can start.
struct Edge {
  std::uint32_t before;
  std::uint32_t after;
};

struct PackedStart {
  Duration begin;
  std::uint32_t bundle;
  std::uint32_t tasks;
  std::uint32_t machine = 0;  // 0 where the space is a pool
};

class Packer {
 public:
  /// capacity: what alignment is reckoned by.
  explicit Packer(std::span<const Wide> capacity) : alignment_(capacity) {}

  /// Packs the bundles into the space, where they are held from then on; from then on up to `until`
  /// only, if that is given: what starts later is left out. Bundles are in their order among
  /// equals. Starts are in order of time; valid until the next call.
  std::span<const PackedStart> pack(Profile& space, std::span<const Bundle> bundles,
                                    std::span<const Edge> edges, Duration from,
                                    Duration until = Duration::max()) {
    return pack(std::span(&space, 1), bundles, edges, from, until);
  }
  /// The same into machines. A task that is larger than a machine runs there, alone, only if no
  /// machine is as large.
  std::span<const PackedStart> pack(std::span<Profile> machines, std::span<const Bundle> bundles,
                                    std::span<const Edge> edges, Duration from,
                                    Duration until = Duration::max());
  /// Of all that was packed, and of all that bundles were busy with; `from` if nothing was.
  [[nodiscard]] Duration end() const { return end_; }

 private:
  struct Progress {
    std::uint32_t left = 0;       // tasks
    std::uint32_t waits_for = 0;  // bundles
    Duration ready{};
    Duration ended{};  // of what was packed or held
  };
  /// A bundle of which a task has room now.
  struct Candidate {
    std::uint32_t bundle;
    double alignment = 0;
  };
  void begin(std::span<const Bundle> bundles, std::span<const Edge> edges);
  void let_follow(std::size_t from);
  void fill(std::span<Profile> machines, std::uint32_t machine, std::span<const Bundle> bundles);
  void find_candidates(std::span<const Profile> machines, std::uint32_t machine,
                       std::span<const Bundle> bundles);
  [[nodiscard]] Duration next_moment(std::span<const Profile> machines) const;
  [[nodiscard]] std::optional<Candidate> best_candidate(const ProfileView& profile_view,
                                                        std::span<const Bundle> bundles);
  [[nodiscard]] std::uint32_t lead_of(const Candidate& best, std::span<const Bundle> bundles);
  void start(std::span<Profile> machines, const PackedStart& made, const Bundle& of);

  Alignment alignment_;
  std::vector<PackedStart> starts_;
  std::vector<Progress> progress_;          // by bundle
  std::vector<std::uint32_t> first_after_;  // by bundle, into after_
  std::vector<std::uint32_t> after_;
  std::vector<std::uint32_t> open_;    // bundles that wait for no other, in order
  bool followed_at_once_ = false;      // one got open that is ready by now
  std::vector<Candidate> candidates_;  // of this moment, in order
  std::vector<ProfileView> outlooks_;  // by machine
  std::vector<double> lost_;           // by kind, to a task of the best candidate
  Duration now_{};
  Duration end_{};
};

}  // namespace somnus

// priority: Slurm's multifactor priority, the most first (policies.md 9.5; Slurm's documentation,
// "Multifactor Priority Plugin" and "Fair Tree Fairshare Algorithm").
//
//     P = floor(weight_age A + weight_fairshare F + weight_job_size S + weight_partition Q +
//     weight_qos Y - nice), at least 1
//
//     A   how long the job has waited, over max_age, at most 1
//     S   (1 / nodes + width / slots) / 2, of the cluster; favor_small: 1 less that. (1 / nodes is
//         of a job that asks for CPUs, whose `min_nodes` is 1.)
//     F   "tree": users in order of usage / weight, the least first. Of n users the first has 1,
//         the next (n - 1) / n and so on; who has used as much for its weight, to the millionth of
//         a slot-second, has as much.
//         "classic": 2^-(usage's share of all usage / (weight's share of all weights) / dampening)
//         Both of a tree of accounts, where jobs name some (fair_shares.hpp).
//     Q   f over the greatest f of the workload's queues; f is what partition_factors say of the
//         job's queue, 1 where they say nothing
//     Y   f over the greatest f of qos_factors, f being that of the job's QOS; 0 if it has none
//
// A user's usage is the slot-time that its tasks have held, and halves in each half-life:
//
//     u(t) = integral of running(s) 2^-((t - s) / half_life) ds
//
// A and F are computed at multiples of calc_period only, as Slurm does; while a job waits, a round
// follows. A job that has come since then has waited for nothing, and a user that has come since
// has used nothing. Users are those that have submitted a job, one for each account. Ties go to the
// earlier job. Jobs of queues with a higher tier (PriorityTier) go before all of a lower one,
// whatever P says, and may take their slots; so do, in a tier of queues, those of QOS with a higher
// tier.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/limits.hpp"
#include "policies/fair_shares.hpp"
#include "scheduler/ranking.hpp"
#include "scheduler/traits.hpp"

namespace somnus {

enum class FairShare { tree, classic };
template <>
struct EnumNames<FairShare> {
  static constexpr std::pair<FairShare, const char*> names[] = {{FairShare::tree, "tree"},
                                                                {FairShare::classic, "classic"}};
};

class Priority {
 public:
  double weight_age = 1000;
  double weight_fairshare = 10000;
  double weight_job_size = 1000;
  double max_age_s = 604800;
  double decay_half_life_s = 604800;
  double calc_period_s = 300;
  FairShare fair_share = FairShare::tree;
  double dampening = 1;
  bool favor_small = false;
  double weight_partition = 0;
  std::map<std::string, double> partition_factors;
  std::map<std::string, double> tiers;
  double weight_qos = 0;
  std::map<std::string, double> qos_factors;
  std::map<std::string, double> qos_tiers;
  std::map<std::string, double> account_shares;

  static constexpr auto fields() {
    using P = Priority;
    constexpr Range of_weight{.low = 0, .high = 4294967295.0};
    constexpr Range of_partition{.low = 0, .high = 65533};
    constexpr Range of_time{.low = 0.001, .high = 1e9};
    return in_order(
        field("weight_age", &P::weight_age, "1", "what waiting for max_age_s is worth", of_weight),
        field("weight_fairshare", &P::weight_fairshare, "1",
              "what it is worth to have used least, for the user's weight", of_weight),
        field("weight_job_size", &P::weight_job_size, "1", "what it is worth to need all slots",
              of_weight),
        field("max_age_s", &P::max_age_s, "s", "waiting longer is worth no more", of_time),
        field("decay_half_life_s", &P::decay_half_life_s, "s",
              "half of what a user has used counts no more after that; 0: all counts for ever",
              Range{.low = 0, .high = 1e9}),
        field("calc_period_s", &P::calc_period_s, "s", "from one computation to the next", of_time),
        field(
            "fair_share", &P::fair_share, "",
            "users by their place in the order of usage (tree) or by how much they used (classic)"),
        field("dampening", &P::dampening, "1",
              "of the classic fair share: the greater, the less usage counts",
              Range{.low = 0.001, .high = 1e6}),
        field("favor_small", &P::favor_small, "", "narrow jobs have the greater size factor"),
        field("weight_partition", &P::weight_partition, "1",
              "what it is worth to be in the queue with the greatest factor", of_weight),
        field("partition_factors", &P::partition_factors, "",
              "of the workload's queues, such as { debug = 10 }; 1 where nothing is said",
              of_partition),
        field("tiers", &P::tiers, "",
              "of the workload's queues, the highest first, whatever else counts; 1 where nothing "
              "is said",
              of_partition),
        field("weight_qos", &P::weight_qos, "1",
              "what it is worth to have the QOS with the greatest factor", of_weight),
        field("qos_factors", &P::qos_factors, "",
              "of qualities of service, all of the workload's among them, such as { high = 10, "
              "normal = 0 }; {}: 0 each",
              of_weight),
        field("qos_tiers", &P::qos_tiers, "",
              "of qualities of service, all of the workload's among them, the highest first among "
              "those of the same tier of queues; {}, or of jobs without a QOS: 1",
              of_partition),
        field("account_shares", &P::account_shares, "",
              "of accounts, among those directly below the same, such as { physics = 10, "
              "\"physics/theory\" = 3 }; {}: 1 each, all below the root",
              Range{.low = least_weight, .high = of_weight.high}));
  }

  explicit Priority(double slots) : slots_(slots) {}
  [[nodiscard]] std::vector<ConfigError> config_errors(const Environment& environment) const;
  /// There must be no config_errors.
  void on(const Configured& configured);
  [[nodiscard]] OrderTraits traits() const;

  static constexpr Level level = Level::job;
  using Key = std::pair<std::uint32_t, std::int64_t>;  // tier, -P
  static constexpr KeyMoves moves = KeyMoves::not_at_all;

  void on(const Submitted& entered);
  void on(const Started& started);
  void on(const Ended& ended);
  bool on(const Passed& passed);

  [[nodiscard]] Key key(const Unit& job) const;
  [[nodiscard]] std::uint32_t tier(const Unit& job) const;
  /// The next computation.
  [[nodiscard]] Time wakes_at() const { return computed_ + seconds(calc_period_s); }

 private:
  /// Since when a user of shares_ has had how many tasks running.
  struct Running {
    std::uint32_t tasks = 0;
    Time as_of;  // its usage is that until then, decayed
  };
  struct OfJob {
    std::uint32_t user = 0;     // in shares_
    std::uint32_t running = 0;  // of the user's tasks those that are its own
  };
  /// A queue or a QOS.
  struct Class {
    std::uint32_t tier = 0;  // of its kind; the first is 0
    double factor = 0;       // Q or Y
  };
  /// By number; the last is of those that name none.
  struct Classes {
    std::vector<Class> all;
    std::uint32_t tiers = 1;
    /// factors, tiers: by name; otherwise: the factor of one of which nothing is said.
    static Classes of(std::span<const std::string> names,
                      const std::map<std::string, double>& factors, double otherwise,
                      const std::map<std::string, double>& tiers);
    [[nodiscard]] const Class& operator[](std::size_t number) const { return all[number]; }
  };
  [[nodiscard]] const Class& class_of(QosId qos) const {
    return qos.valid() ? qos_[qos.index()] : qos_.all.back();
  }
  void advance(Time now);
  void compute();
  void changed(const Unit& job);
  void settle(std::uint32_t user, Time now);

  double slots_;
  double nodes_ = 1;
  FairShares shares_;
  std::map<std::pair<AccountId, UserId>, std::uint32_t> users_;  // in shares_
  std::vector<Running> running_;                                 // the same users
  std::vector<OfJob> jobs_;                                      // by JobId
  Classes queues_;                                               // by QueueId
  Classes qos_;                                                  // by QosId
  Time computed_;
  bool moved_ = false;  // keys, since the last round
};
static_assert(Ranking<Priority>);

}  // namespace somnus

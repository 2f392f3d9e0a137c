// Synthetic DAGs of the shapes of Tables 1 and 2 of Carbyne, which give the 50th and the 95th
// percentile over jobs of
//
// * stages
// * barriers: "stages with multiple parents" (section 2.2)
// * length of the critical path: stages on the longest path
// * disjoint paths: "each sequence of stages that can run in parallel with other sequences of
//   different stages" (2.2). Read as the most stages of which none waits for another, which is also
//   the fewest chains that all stages can be put into (Dilworth).
//
// Counted so, the 17 TPC-H queries of Carbyne's simulator have 8/14 stages, 2/4 barriers, 5/8 in
// length and 3/6 paths; the tables say 8/12, 2/4, 5/7 and 3/7.
//
// Counts: each of the four is lognormal with its two percentiles, rounded, and drawn with one value
// from each of as many equal strata as there are jobs, so that few jobs have the percentiles, too.
// Large DAGs have more of everything: ranks are those of normal variables with correlation 0.95. A
// DAG of b barriers, length c and p paths needs c + max(p - 1, b) stages, so stages are dealt out
// in the order of that need. What still cannot be is moved: b to c - 1 at most (c / 2 with two
// paths), 0 with one path and else at least 1; stages into what the other three allow. Over many
// jobs all percentiles are the tables' but one: TPC-H has 13 stages at the 95th, not 12, since its
// large DAGs are both 7 long and of 7 paths, which takes 13.
//
// Shape: a spine of c stages, and p - 1 lanes beside it. Each lane begins with a source and joins
// the spine at a later stage, a barrier; with more barriers than lanes, a lane leaves the spine
// there and joins it again further on. So every DAG has p sources, any two of which can run side by
// side, and ends in one stage, as a query does. Which stages are barriers is an even draw, or else
// the last ones where only these leave room for all stages; which lane a stage lengthens is one,
// too, among those that are still shorter than the spine beside them.
//
// The rest is ours, after the same queries: a stage has 1 to max_tasks equal tasks of 1 s to
// max_task_s, both log-uniform. A task demands U[0.1, 0.3] of a machine's cpu and as much of its
// mem, and of io1 to io4, disk and network, log-uniform shares of 0.001 to 0.3: mostly little, now
// and then much. Table 1's input work is not steered.
#include <algorithm>
#include <array>
#include <boost/math/special_functions/erf.hpp>
#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/random.hpp"
#include "generators/arrivals.hpp"
#include "generators/generators.hpp"
#include "generators/submissions.hpp"
#include "workload/rounding.hpp"

namespace somnus {

enum class DagTable { ms, tpc_ds, tpc_h, bigbench };
template <>
struct EnumNames<DagTable> {
  static constexpr std::pair<DagTable, const char*> names[] = {{DagTable::ms, "ms"},
                                                               {DagTable::tpc_ds, "tpc-ds"},
                                                               {DagTable::tpc_h, "tpc-h"},
                                                               {DagTable::bigbench, "bigbench"}};
};

}  // namespace somnus

namespace somnus::generate_dags {
namespace {

constexpr double correlation = 0.95;
constexpr double normal_p95 = 1.6448536269514722;

struct Percentiles {
  double p50;
  double p95;
};
struct CarbyneRow {
  Percentiles stages;
  Percentiles barriers;
  Percentiles length;
  Percentiles paths;
};

constexpr CarbyneRow row_of(DagTable table) {
  switch (table) {
    case DagTable::ms:
      return {{13, 121}, {4, 13}, {7, 17}, {6, 34}};
    case DagTable::tpc_ds:
      return {{8, 23}, {1, 4}, {5, 8}, {4, 15}};
    case DagTable::tpc_h:
      return {{8, 12}, {2, 4}, {5, 7}, {3, 7}};
    case DagTable::bigbench:
      return {{7, 19}, {2, 6}, {5, 8}, {2, 10}};
  }
  return {};
}

struct SyntheticDags : DagArrivals {
  DagTable like = DagTable::tpc_ds;
  std::uint32_t max_tasks = 200;
  double max_task_s = 100;

  static constexpr auto fields() {
    using P = SyntheticDags;
    return together(
        DagArrivals::fields(),
        in_order(
            field("like", &P::like, "", "whose stages, barriers, longest and disjoint paths"),
            field("max_tasks", &P::max_tasks, "1", "tasks of a stage; log-uniform from 1 on",
                  Range{.low = 1, .high = 1e5}),
            field("max_task_s", &P::max_task_s, "s", "of a stage's tasks; log-uniform from 1 s on",
                  Range{.low = 1, .high = 1e5})));
  }
};

struct DagCounts {
  std::size_t stages = 0;
  std::size_t barriers = 0;
  std::size_t length = 0;
  std::size_t paths = 0;

  [[nodiscard]] std::size_t lanes() const { return paths - 1; }
  [[nodiscard]] std::size_t least_stages() const { return length + std::max(lanes(), barriers); }
};

// A part of a lane, beside the stages of the spine from `leaves` to `joins`, which count from 1.
struct Detour {
  std::size_t leaves;  // 0: begins with a source
  std::size_t joins;
  std::size_t stages = 1;

  [[nodiscard]] std::size_t room() const { return joins - leaves - 1; }
};

// The i-th joins at barriers[i], and those beyond the last barrier where `join_of` says.
template <class JoinOf>
std::vector<Detour> detours_to(const std::vector<std::size_t>& barriers, std::size_t lanes,
                               JoinOf&& join_of) {
  std::vector<Detour> detours;
  for (std::size_t i = 0; i < std::max(lanes, barriers.size()); ++i) {
    detours.push_back({.leaves = i < lanes ? 0 : barriers[i - lanes],
                       .joins = i < barriers.size() ? barriers[i] : join_of()});
  }
  return detours;
}

// As late as can be, which gives lanes the most room. With one lane they stand two apart, so that
// there is room between them.
std::vector<Detour> latest_detours(const DagCounts& counts) {
  const std::size_t apart = counts.lanes() == 1 ? 2 : 1;
  std::vector<std::size_t> barriers(counts.barriers);
  for (std::size_t i = 0; i < barriers.size(); ++i) {
    barriers[i] = counts.length - apart * (barriers.size() - 1 - i);
  }
  return detours_to(barriers, counts.lanes(), [&] { return counts.length; });
}

std::size_t room_in(const std::vector<Detour>& detours) {
  std::size_t room = 0;
  for (const Detour& detour : detours) room += detour.room();
  return room;
}

void make_possible(DagCounts& counts) {
  if (counts.paths == 1) {
    counts.barriers = 0;
    return;
  }
  counts.length = std::max<std::size_t>(counts.length, 2);
  const std::size_t most = counts.paths == 2 ? counts.length / 2 : counts.length - 1;
  counts.barriers = std::clamp<std::size_t>(counts.barriers, 1, most);
}

std::vector<std::size_t> stratified(Percentiles with, std::size_t jobs, RandomStream stream) {
  const double sd = std::log(with.p95 / with.p50) / normal_p95;
  std::vector<std::size_t> counts(jobs);
  for (std::size_t stratum = 0; stratum < jobs; ++stratum) {
    const double share =
        (static_cast<double>(stratum) + stream.uniform()) / static_cast<double>(jobs);
    const double z =
        -std::numbers::sqrt2 * boost::math::erfc_inv(2 * std::clamp(share, 1e-12, 1 - 1e-12));
    counts[stratum] = static_cast<std::size_t>(std::round(with.p50 * std::exp(sd * z)));
  }
  return counts;
}

// Indices in order of their keys.
template <class Key>
std::vector<std::size_t> order_of(const std::vector<Key>& keys) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t index) { return keys[index]; });
  return order;
}

std::vector<DagCounts> draw_counts(const CarbyneRow& like, std::size_t jobs, std::uint64_t seed) {
  boost::random::normal_distribution<double> normal;
  RandomStream size_stream(seed, "dags sizes");
  std::vector<double> sizes(jobs);
  for (double& size : sizes) size = std::sqrt(correlation) * normal(size_stream.engine());

  std::vector<DagCounts> all(jobs);
  const auto deal = [&](std::size_t DagCounts::* member, Percentiles with, std::size_t least,
                        const std::string& name) {
    const auto counts = stratified(with, jobs, {seed, "dags " + name});
    RandomStream stream(seed, "dags ranks of " + name);
    std::vector<double> keys(jobs);
    for (std::size_t job = 0; job < jobs; ++job) {
      keys[job] = sizes[job] + std::sqrt(1 - correlation) * normal(stream.engine());
    }
    const auto order = order_of(keys);
    for (std::size_t rank = 0; rank < jobs; ++rank) {
      all[order[rank]].*member = std::max(counts[rank], least);
    }
  };
  deal(&DagCounts::barriers, like.barriers, 0, "barriers");
  deal(&DagCounts::length, like.length, 1, "length");
  deal(&DagCounts::paths, like.paths, 1, "paths");

  std::vector<std::size_t> needs;
  for (DagCounts& counts : all) {
    make_possible(counts);
    needs.push_back(counts.least_stages());
  }
  const auto stages = stratified(like.stages, jobs, {seed, "dags stages"});
  const auto order = order_of(needs);
  for (std::size_t rank = 0; rank < jobs; ++rank) {
    DagCounts& counts = all[order[rank]];
    counts.stages = std::clamp(stages[rank], counts.least_stages(),
                               counts.length + room_in(latest_detours(counts)));
  }
  return all;
}

// Stages of the spine from 2 on, `apart` or more apart, each choice as likely: closed up, they are
// any choice from a spine that is shorter by what must lie between them.
std::vector<std::size_t> draw_barriers(const DagCounts& counts, RandomStream& stream) {
  std::size_t left = counts.barriers;
  if (left == 0) return {};
  const std::size_t between = counts.lanes() == 1 ? 1 : 0;
  std::vector<std::size_t> barriers;
  const std::size_t last = counts.length - between * (left - 1);
  for (std::size_t stage = 2; left > 0; ++stage) {
    const double share = static_cast<double>(left) / static_cast<double>(last - stage + 1);
    if (stream.uniform() >= share) continue;
    barriers.push_back(stage + between * barriers.size());
    --left;
  }
  return barriers;
}

std::vector<Detour> draw_detours(const DagCounts& counts, RandomStream& stream) {
  const std::size_t to_place = counts.stages - counts.length;
  const auto barriers = draw_barriers(counts, stream);
  auto detours = detours_to(barriers, counts.lanes(), [&] {
    return barriers[static_cast<std::size_t>(
        stream.integer(0, static_cast<std::int64_t>(barriers.size()) - 1))];
  });
  if (room_in(detours) < to_place) detours = latest_detours(counts);
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < detours.size(); ++i) {
    if (detours[i].room() > 1) open.push_back(i);
  }
  for (std::size_t placed = detours.size(); placed < to_place; ++placed) {
    const auto at = stream.integer(0, static_cast<std::int64_t>(open.size()) - 1);
    Detour& chosen = detours[open[static_cast<std::size_t>(at)]];
    if (++chosen.stages == chosen.room()) open.erase(open.begin() + at);
  }
  return detours;
}

// Numbered so that parents come first.
std::vector<StageSpec> lay_out(const DagCounts& counts, std::vector<Detour> detours) {
  std::ranges::stable_sort(detours, {}, &Detour::joins);
  std::vector<StageSpec> stages;
  const auto add = [&](std::vector<std::uint32_t> parents) {
    const auto number = static_cast<std::uint32_t>(stages.size());
    stages.push_back({.stage = number, .parents = std::move(parents)});
    return number;
  };
  std::vector<std::uint32_t> spine = {0};  // numbers of its stages, from [1] on
  auto detour = detours.begin();
  for (std::size_t stage = 1; stage <= counts.length; ++stage) {
    std::vector<std::uint32_t> parents;
    if (stage > 1) parents.push_back(spine.back());
    for (; detour != detours.end() && detour->joins == stage; ++detour) {
      auto last = detour->leaves == 0 ? add({}) : add({spine[detour->leaves]});
      for (std::size_t more = 1; more < detour->stages; ++more) last = add({last});
      parents.push_back(last);
    }
    spine.push_back(add(std::move(parents)));
  }
  return stages;
}

double log_uniform(RandomStream& stream, double low, double high) {
  return low * std::pow(high / low, stream.uniform());
}

Checked<WorkloadSpec> make(const SyntheticDags& with, std::uint64_t seed) {
  const auto counts = draw_counts(row_of(with.like), with.jobs, seed);
  double stages = 0;
  for (const DagCounts& each : counts) stages += static_cast<double>(each.stages);
  const double tasks_per_stage = with.max_tasks / std::log1p(with.max_tasks);
  if (auto what = too_many_tasks(stages * tasks_per_stage)) return refuse("jobs", std::move(*what));

  RandomStream shapes(seed, "dags shapes");
  RandomStream tasks(seed, "dags tasks");
  RandomStream durations(seed, "dags durations");
  RandomStream demands(seed, "dags demands");
  const auto submits = submit_times(with, {seed, "dags times"});
  WorkloadSpec workload{.name = std::string("dags like ") + name_of(with.like),
                        .resources = {"cpu", "mem", "io1", "io2", "io3", "io4"}};
  for (std::size_t index = 0; index < submits.size(); ++index) {
    JobSpec job{.job = std::to_string(index),
                .submit = submits[index],
                .stages = lay_out(counts[index], draw_detours(counts[index], shapes))};
    for (StageSpec& stage : job.stages) {
      const double count = std::floor(log_uniform(tasks, 1, with.max_tasks + 1.0));
      const double duration_s = to_milliseconds_of_work(log_uniform(durations, 1, with.max_task_s));
      stage.durations.assign(static_cast<std::size_t>(count), duration_s);
      for (std::size_t kind = 0; kind < workload.resources.size(); ++kind) {
        const bool is_io = kind >= 2;
        const double share = is_io ? log_uniform(demands, 0.001, 0.3) : demands.uniform(0.1, 0.3);
        stage.demand.push_back(to_millionths(share));
      }
    }
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

const Registered<Generator> row = generator<SyntheticDags>(
    "dags", "synthetic DAGs with the stages, barriers and paths of Carbyne's workloads",
    "Carbyne, Tables 1 and 2", make);

}  // namespace
}  // namespace somnus::generate_dags

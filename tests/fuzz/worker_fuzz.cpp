// A rank 0 that says anything to a worker: the worker does it, or gives up and says why. That it
// may be asked for what no node can do, such as a task without a free slot, is a check of the
// node's.
//
// The first byte chooses the world, the rest is a script (script.hpp).
#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "fuzz/target.hpp"
#include "fuzz/worlds.hpp"
#include "model/limits.hpp"
#include "workers/worker_rank.hpp"

namespace somnus::fuzz {
namespace {

// A faster run, or one that began long ago, would keep nodes busy with heartbeats.
constexpr double most_speed_here = 1e4;
constexpr Duration longest_pause = std::chrono::seconds(10);  // a real millisecond
constexpr std::uint32_t most_jobs_here = 1'000'000;           // of a hundred million: 30 MB
constexpr std::int64_t longest_ago_ns = 1 << 20;

/// Starts that can be are soon; others stay what they are.
void bring_near(Bytes& bytes) {
  if (!error_in(bytes).empty() || kind_of(bytes) != packet_kind<Start>) return;
  Start start;
  std::memcpy(&start, bytes.data() + sizeof(std::uint64_t), sizeof start);
  constexpr std::int64_t year_ns = std::int64_t{1} << 55;
  if (start.start_ns < -year_ns || start.start_ns > year_ns) return;
  start.start_ns =
      start.start_ns % longest_ago_ns + ScaledClock::real_now().time_since_epoch().count();
  if (start.tasks <= most_tasks) start.jobs = std::min(start.jobs, most_jobs_here);
  if (start.speed > most_speed_here && start.speed <= most_speed) start.speed = most_speed_here;
  std::memcpy(bytes.data() + sizeof(std::uint64_t), &start, sizeof start);
}

/// Rank 0's side of a script, which ends with a word to go home.
class ScriptedWire final : public Wire {
 public:
  explicit ScriptedWire(std::string_view script) : script_(script) {}

  [[nodiscard]] int rank() const override { return 1; }
  [[nodiscard]] int size() const override { return workers + 1; }
  void send(int /*to*/, Bytes /*bytes*/) override {}
  bool receive(int& from, Bytes& bytes) override {
    from = 0;
    if (ScaledClock::real_now() < next_) return false;
    if (script_.over()) {
      bytes = packet(Leave{});
      return true;
    }
    Step step = script_.next();
    if (step.pause > Duration::zero()) {
      const double pause_ns = static_cast<double>((step.pause % longest_pause).count());
      next_ = ScaledClock::real_now() +
              RealDuration(static_cast<std::int64_t>(pause_ns / most_speed_here));
      return false;
    }
    bytes = std::move(step.packet);
    bring_near(bytes);
    return true;
  }

 private:
  Script script_;
  RealTime next_;  // before that nothing comes
};

WorkerParts parts_of(const World& world) {
  return {.nodes = std::make_unique<NodeSet>(nodes_of(world, 1)), .spin = true};
}

}  // namespace

void read(std::string_view bytes) {
  if (bytes.empty()) return;
  const World& world = worlds()[static_cast<unsigned char>(bytes.front()) % worlds().size()];
  ScriptedWire wire(bytes.substr(1));
  const auto build = [&](std::string_view, const WorkerRank::Identity&) { return parts_of(world); };
  try {
    WorkerRank(wire, build, nullptr).run();
  } catch (const Bug&) {
  }
}

std::vector<Seed> seeds() {
  std::vector<Seed> all;
  for (const World& world : worlds()) {
    ScriptWriter script;
    script.say(1, packet(SilenceRules{.silence_ns = 20'000'000'000}));
    script.say(1, packet(Hello{"[cluster]"}));
    script.say(1, packet(Ping{.sent_ns = 12345}));
    script.say(
        1, packet(Start{.start_ns = 0,
                        .speed = most_speed_here,
                        .jobs = static_cast<std::uint32_t>(world.workload.catalogue.jobs.size()),
                        .tasks = static_cast<std::uint32_t>(world.workload.catalogue.tasks)}));
    script.append(ran(world).of_rank_0);
    script.say(1, packet(Stop{}));
    const auto number = static_cast<char>(&world - worlds().data());
    all.push_back({world.name, number + script.text()});
  }
  return all;
}

}  // namespace somnus::fuzz

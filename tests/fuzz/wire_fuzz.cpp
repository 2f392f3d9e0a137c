// Workers that say anything to rank 0: every packet is decoded, checked and, if it is accepted,
// acted upon by scheduler and recorder. The run goes on or ends with a WorldError that names the
// rank.
//
// The first byte chooses the world, the rest is a script (script.hpp).
#include <algorithm>
#include <atomic>
#include <memory>

#include "fuzz/target.hpp"
#include "fuzz/worlds.hpp"
#include "runtime/cluster_link.hpp"
#include "runtime/loop.hpp"
#include "runtime/virtual_clock.hpp"
#include "session/compose.hpp"
#include "session/recorder.hpp"
#include "session/tables.hpp"

namespace somnus::fuzz {
namespace {

/// Packets of the script up to a time; nobody hears what rank 0 says.
class ScriptedWire final : public Wire {
 public:
  explicit ScriptedWire(std::string_view script) : script_(script) {}

  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return workers + 1; }
  void send(int /*to*/, Bytes /*bytes*/) override {}
  bool receive(int& from, Bytes& bytes) override {
    while (next_ <= now_ && !script_.over()) {
      Step step = script_.next();
      next_ += step.pause;
      if (step.pause > Duration::zero()) continue;
      from = step.from;
      bytes = std::move(step.packet);
      return true;
    }
    return false;
  }
  void go_on_until(Time now) { now_ = now; }
  [[nodiscard]] Time next() const { return next_; }
  [[nodiscard]] bool over() const { return script_.over(); }

 private:
  Script script_;
  Time now_ = start_of_time;
  Time next_ = start_of_time;
};

/// Rank 0's link in the script's time. When the script is over, the run is.
class ScriptedLink {
 public:
  ScriptedLink(ScriptedWire& wire, const World& world, std::atomic<int>& stop)
      : wire_(wire),
        stop_(stop),
        membership_(wire, {.silence = std::chrono::hours(1)}),
        link_(membership_, world.settings.cluster, world.workload.catalogue, {}) {}

  template <CommandMessage Command>
  void send(Time now, const Command& command) {
    link_.send(now, command);
  }
  void announce(const JobUpdate& update) { link_.announce(update); }
  void flush() { link_.flush(); }
  void receive(Time now, Reports& reports) {
    wire_.go_on_until(now);
    link_.receive(now, reports);
    if (wire_.over()) stop_ = 1;
  }
  [[nodiscard]] Time go_on(Time until) const { return std::min(until, next()); }
  [[nodiscard]] Time next() const { return wire_.next(); }

 private:
  ScriptedWire& wire_;
  std::atomic<int>& stop_;
  Membership membership_;
  ClusterLink link_;
};

void run(const World& world, std::string_view script) {
  const Settings& settings = world.settings;
  Log log;
  log.tables = initial_tables(settings, world.workload, workers);
  const auto engine = engine_of(settings, world.workload.catalogue, world.workload.names);
  const auto estimator = estimator_of(settings, world.workload);
  std::atomic<int> stop{0};
  ScriptedWire wire(script);
  ScriptedLink link(wire, world, stop);
  VirtualClock clock;
  Recorder recorder(world.workload, *engine, log.tables, {.kept = &log});
  Loop loop(world.workload, *engine, *estimator, clock, link, recorder,
            loop_options_of(settings, world.workload, &stop));
  loop.run();
  recorder.finish();
}

}  // namespace

void read(std::string_view bytes) {
  if (bytes.empty()) return;
  const auto chosen = static_cast<unsigned char>(bytes.front());
  run(worlds()[chosen % worlds().size()], bytes.substr(1));
}

std::vector<Seed> seeds() {
  std::vector<Seed> all;
  for (const World& world : worlds()) {
    const auto number = static_cast<char>(&world - worlds().data());
    all.push_back({world.name, number + ran(world).of_workers.text()});
  }
  ScriptWriter others;
  others.say(1, packet(HostName{"n1"}));
  others.say(2, packet(WorkerReady{.nodes = 2, .slots = 4}));
  others.say(1, packet(Pong{.sent_ns = 1000, .worker_ns = 900}));
  others.say(1, packet(LatenessCount{.up_to_s = 0.001, .looks = 40}));
  others.say(1, packet(WorkerTotals{.sleep_error_p50 = 0.001, .cpu = 0.5, .messages_in = 7}));
  others.say(2, packet(Failure{"no memory"}));
  all.push_back({"others", '\0' + others.text()});
  return all;
}

}  // namespace somnus::fuzz

#include "external/external_order.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "scheduler/rows.hpp"

namespace somnus {
namespace {

namespace protocol = order_protocol;

const Registered<Part> external = rows::order<ExternalOrder>(
    "external", "the least key first that a process of yours gives", "`somnus protocol`");

}  // namespace

/// The process, the events that it has not been sent yet, and the keys that it has given.
class OrderProcess {
 public:
  OrderProcess(const ExternalOrder& order, const protocol::Init& init, bool audits)
      : tiers_(order.tiers),
        audits_(audits),
        process_("order", order),
        about_(process_.begin(init, protocol::read_about)) {
    if (!audits || about_.all_keys) return;
    process_.attempt([] {
      throw WorldError(
          "can not be asked for all its keys, as run.audit_keys = true wants: expected "
          "\"all_keys\": true in its first answer");
    });
  }

  [[nodiscard]] const protocol::About& about() const { return about_; }
  [[nodiscard]] Time wakes_at() const { return wakes_at_; }
  void blame(const std::string& deed) const { process_.blame(deed); }
  [[nodiscard]] protocol::Key key(std::uint32_t unit) const {
    return unit < units_.size() ? units_[unit].key : protocol::Key();
  }

  void submitted(Time now, const Unit& unit) {
    if (unit.index() >= units_.size()) units_.resize(std::size_t{unit.index()} + 1);
    units_[unit.index()].job = unit.job();
    if (about_.hears(protocol::Hears::submitted)) hears(protocol::submitted(now, unit));
  }
  void started(const Unit& unit) {
    launched_ = true;
    now_ = unit.now();
    if (about_.hears(protocol::Hears::started)) hears(protocol::started(unit));
    if (about_.each_launch) ask(now_, unit.index());
  }
  void ended(const Unit& unit, Outcome outcome) {
    if (about_.hears(protocol::Hears::ended)) hears(protocol::ended(unit, outcome));
  }
  void job_ended(const JobEnded& event) {
    if (!about_.hears(protocol::Hears::job_ended)) return;
    hears(protocol::JobEndedMessage{.time = ns(event.now), .job = event.job.value()});
  }
  void round_begins(const Passed& passed) {
    if (process_.has_unheard() || about_.each_round || wakes_at_ <= passed.now) {
      ask(passed.now);
    }
    if (audits_) audit(passed.now);
    for (const JobId job : std::exchange(moved_, {})) passed.moved(job);
  }
  void round_ends() {
    for (const protocol::NewKey& each : std::exchange(later_, {})) set(each);
    if (about_.wakes && launched_) ask(now_);
  }

 private:
  struct Known {
    JobId job;  // invalid: it has not been submitted
    protocol::Key key;
  };

  template <class Message>
  void hears(const Message& message) {
    now_ = Time(Duration(message.time));
    process_.hear(message);
  }

  /// Where a round goes on after a launch, `launched` alone may move at once.
  void ask(Time now, std::optional<std::uint32_t> launched = {}) {
    launched_ = false;
    const std::string_view line = process_.ask(now);
    process_.attempt([&] {
      const protocol::Answer said = protocol::read_answer(line);
      for (const protocol::NewKey& each : said.keys) take(each, launched);
      wakes_at_ = said.wakes_at;
      require_later(wakes_at_, now);
      if (wakes_at_ != never && !about_.wakes) {
        throw WorldError("wants to be woken: expected \"wakes\": true in its first answer");
      }
    });
  }

  /// None may be another one than it has given.
  void audit(Time now) {
    const std::string_view line = process_.ask(now, R"(,"all_keys":true)");
    process_.attempt([&] {
      for (const protocol::NewKey& each : protocol::read_answer(line).keys) {
        require_submitted(each);
        const Known& known = units_[each.unit];
        if (known.key == each.key) continue;
        throw WorldError(fmt::format(
            "has {} {} (job {}) at the key {}, but asked for all keys at {} s it gives {}: keys "
            "move with an event that it does not get, or without its moved()",
            name_of(about_.level), each.unit, known.job.value(), protocol::in_words(known.key),
            in_seconds(now), protocol::in_words(each.key)));
      }
    });
  }

  void require_submitted(const protocol::NewKey& given) const {
    if (given.unit < units_.size() && units_[given.unit].job.valid()) return;
    throw WorldError(
        fmt::format("gave a key to unit {}, which has not been submitted", given.unit));
  }

  void take(const protocol::NewKey& given, std::optional<std::uint32_t> launched) {
    require_submitted(given);
    if (tiers_ && !is_tier(given.key)) {
      throw WorldError(fmt::format(
          "gave unit {} a key whose first number is {}: expected a tier, a whole number from 0 on, "
          "as scheduler.external.tiers = true",
          given.unit, given.key.numbers.front()));
    }
    if (launched && given.unit != *launched) {
      later_.push_back(given);
    } else {
      std::erase_if(later_, [&](const protocol::NewKey& each) { return each.unit == given.unit; });
      set(given);
    }
  }
  void set(const protocol::NewKey& given) {
    Known& known = units_[given.unit];
    if (std::exchange(known.key, given.key) != given.key) moved_.push_back(known.job);
  }
  static bool is_tier(const protocol::Key& key) {
    const double tier = key.numbers.front();
    return tier >= 0 && tier < std::numeric_limits<std::uint32_t>::max() &&
           tier == static_cast<double>(static_cast<std::uint32_t>(tier));
  }

  bool tiers_;
  bool audits_;
  ExternalProcess process_;
  protocol::About about_;
  std::vector<Known> units_;
  std::vector<protocol::NewKey> later_;  // keys that count from the next round on
  std::vector<JobId> moved_;             // have units with new keys since the last round
  Time now_;                             // when the last event was
  bool launched_ = false;                // a task, since it was asked
  Time wakes_at_ = never;
};

void ExternalOrder::on(const Configured& event) {
  const Environment& environment = event.environment;
  auto init = init_of<protocol::Init>(*this, environment);
  init.nodes = environment.cluster.node_count();
  init.slots = environment.cluster.slot_count();
  process_ = std::make_shared<OrderProcess>(*this, init, environment.audit_keys);
  level = process_->about().level;
  resort_per_task = process_->about().each_launch;
}

void ExternalOrder::on(const Submitted& event) { process_->submitted(event.now, event.unit); }
void ExternalOrder::on(const Started& event) { process_->started(event.unit); }
void ExternalOrder::on(const Ended& event) { process_->ended(event.unit, event.end.outcome); }
bool ExternalOrder::on(const Passed& event) {
  process_->round_begins(event);
  return false;
}
void ExternalOrder::on(const JobEnded& event) { process_->job_ended(event); }
void ExternalOrder::on(const RoundEnded& /*event*/) { process_->round_ends(); }

ExternalOrder::Key ExternalOrder::key(const Unit& unit) const {
  return process_->key(unit.index());
}
std::uint32_t ExternalOrder::tier(const Unit& unit) const {
  return tiers ? static_cast<std::uint32_t>(process_->key(unit.index()).numbers.front()) : 0;
}
Time ExternalOrder::wakes_at() const { return process_->wakes_at(); }
void ExternalOrder::blame(const std::string& deed) const { process_->blame(deed); }

}  // namespace somnus

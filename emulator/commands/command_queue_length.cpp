#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>

#include "base/wrapped.hpp"
#include "emulator/commands/command.hpp"
#include "emulator/commands/result.hpp"
#include "fluid/queue_length.hpp"
#include "print/text_table.hpp"
#include "text/parse_number.hpp"

namespace somnus::command_queue_length {
namespace {

/// As texts, so that all that is wrong with them is reported at once.
struct QueueLengthOptions {
  std::optional<std::string> slots;
  std::optional<std::string> heartbeat;      // s
  std::optional<std::string> task_duration;  // s
  std::optional<std::string> utilization;
  CommonOptions common;
};

struct Sizing {
  RefilledNode node;
  double target = 0;
};

class Reading {
 public:
  /// `fallback` stands for a text that is not given; without one it is required.
  template <class Fits>
  double number(const char* option, const std::optional<std::string>& text,
                const std::optional<double>& fallback, const std::string& expected, Fits&& fits) {
    if (!text && fallback) return *fallback;
    if (!text) {
      wrong(option, fmt::format("missing, expected {}", expected));
      return 1;
    }
    const auto value = parse_number<double>(*text);
    if (value && fits(*value)) return *value;
    wrong(option, fmt::format("expected {}, found '{}'", expected, *text));
    return 1;
  }

  void wrong(const char* option, std::string what) {
    mistakes_.add({.key = option, .what = std::move(what)});
  }

  void throw_if_wrong() && {
    if (mistakes_.any()) throw UserError(std::move(mistakes_));
  }

 private:
  Mistakes mistakes_;
};

Sizing sizing_of(const QueueLengthOptions& options) {
  constexpr double most_slots = 1e6;
  constexpr double most_seconds = 1e9;
  const auto is_slots = [](double x) { return x >= 1 && x <= most_slots && x == std::floor(x); };
  const auto is_time = [](double x) { return x > 0 && x <= most_seconds; };
  const auto is_share = [](double x) { return x > 0 && x < 1; };
  const std::string slots = fmt::format("a whole number from 1 to {:.0f}", most_slots);
  const std::string seconds = fmt::format("seconds above 0, at most {:.0f}", most_seconds);
  Reading reading;
  Sizing sizing;
  sizing.node.slots = static_cast<std::uint64_t>(
      reading.number("--slots", options.slots, std::nullopt, slots, is_slots));
  sizing.node.heartbeat_s = reading.number("--heartbeat", options.heartbeat, 3, seconds, is_time);
  sizing.node.task_duration_s =
      reading.number("--task-duration", options.task_duration, std::nullopt, seconds, is_time);
  sizing.target = reading.number("--utilization", options.utilization, 0.95,
                                 "a share above 0 and below 1", is_share);
  std::move(reading).throw_if_wrong();
  const double ends = sizing.node.ends_per_heartbeat();
  if (ends <= RefilledNode::most_ends_per_heartbeat) return sizing;
  throw UserError(
      mistake({.key = "--task-duration",
               .what = fmt::format("expected at most {:.0f} tasks to end on the slots in a "
                                   "heartbeat, found time for {:.3g}",
                                   RefilledNode::most_ends_per_heartbeat, ends)})
          .value());
}

struct Rule {
  const char* name;
  std::uint64_t queue;
  std::string meaning;
};

std::vector<Rule> rules_for(const Sizing& sizing) {
  const auto& [node, target] = sizing;
  const std::string share = fmt::format("{:.6g} %", 100 * target);
  return {{"fixed", fixed_duration_queue(node),
           "tasks all alike: no slot ever idle, if the heartbeat is a multiple of their duration"},
          {"chernoff", chernoff_queue(node, target),
           "exponential tasks: no slot idle in " + share +
               " of the heartbeats, by Chernoff's bound (Prop. 1)"},
          {"erlang", erlang_queue(node, target), "the same, exactly (eq. 2)"},
          {"utilization", utilised_queue(node, target),
           "exponential tasks: slots busy " + share + " of the time (Prop. 2, corrected)"}};
}

// The lengths to print: all up to the longest answer; of many the answers and an even selection.
std::set<std::uint64_t> queues_around(const std::vector<Rule>& rules) {
  constexpr std::uint64_t most_steps = 20;
  std::set<std::uint64_t> queues;
  for (const Rule& rule : rules) queues.insert(rule.queue);
  const std::uint64_t longest = *queues.rbegin();
  const std::uint64_t step = longest / most_steps + 1;
  for (std::uint64_t queue = 0; queue < longest; queue += step) queues.insert(queue);
  return queues;
}

std::string text_of(const Sizing& sizing, const std::vector<Rule>& rules) {
  const RefilledNode& node = sizing.node;
  std::string text =
      fmt::format("slots {}, heartbeat {} s, tasks of {} s: {:.4g} tasks end in a heartbeat\n\n",
                  node.slots, node.heartbeat_s, node.task_duration_s, node.ends_per_heartbeat());
  constexpr std::size_t meaning_column = 22;
  text += fmt::format("{:<12}{:>8}  gives\n", "rule", "queue");
  for (const Rule& rule : rules) {
    text += fmt::format("{:<12}{:>8}  {}\n", rule.name, rule.queue,
                        wrapped(rule.meaning, meaning_column));
  }
  text += "\nexponential tasks:\n";
  std::vector<TextRow> table = {
      {.title = "queue", .cells = {"slots busy", "heartbeats without an idle slot"}}};
  for (const std::uint64_t queue : queues_around(rules)) {
    table.push_back({.title = fmt::format("{:>5}", queue),
                     .cells = {fmt::format("{:.2f} %", 100 * utilisation(node, queue)),
                               fmt::format("{:.2f} %", 100 * (1 - idling_share(node, queue)))}});
  }
  return text + aligned(table);
}

nlohmann::json as_json(const Sizing& sizing, const std::vector<Rule>& rules) {
  const RefilledNode& node = sizing.node;
  nlohmann::json all = {{"slots", node.slots},
                        {"heartbeat_s", node.heartbeat_s},
                        {"task_duration_s", node.task_duration_s},
                        {"utilization", sizing.target},
                        {"tasks_per_heartbeat", node.ends_per_heartbeat()},
                        {"table", nlohmann::json::array()}};
  for (const Rule& rule : rules) all["queue_length"][rule.name] = rule.queue;
  for (const std::uint64_t queue : queues_around(rules)) {
    all["table"].push_back({{"queue_length", queue},
                            {"utilization", utilisation(node, queue)},
                            {"heartbeats_without_idle_slot", 1 - idling_share(node, queue)}});
  }
  return all;
}

int queue_length(const QueueLengthOptions& options) {
  const Sizing sizing = sizing_of(options);
  const std::vector<Rule> rules = rules_for(sizing);
  print_result(
      options.common, [&] { return as_json(sizing, rules); },
      [&] { return text_of(sizing, rules); });
  return exit_fine;
}

void describe(CLI::App& app, QueueLengthOptions& options) {
  app.add_option("--slots", options.slots, "tasks that a node runs at once")->type_name("NUMBER");
  app.add_option("--heartbeat", options.heartbeat, "between two refills of the queue (default 3)")
      ->type_name("SECONDS");
  app.add_option("--task-duration", options.task_duration, "of a task, on average")
      ->type_name("SECONDS");
  app.add_option("--utilization", options.utilization,
                 "to be reached, above 0 and below 1 (default 0.95)")
      ->type_name("SHARE");
  add_output(app, options.common);
  app.footer(
      "A node gets new tasks at heartbeats only. In between it lives on its queue: one too short "
      "leaves slots idle, one too long makes tasks wait at a node while others idle. For [queue] "
      "bound = \"length\" and a saturated cluster this gives the length, for tasks of one "
      "duration and for exponential ones by three rules, and what the node's utilisation is with "
      "any other (Yaq, section 3.1.1 and appendix A).\n"
      "  somnus queue-length --slots 10 --task-duration 10 --utilization 0.95");
}

const Registered<Command> row =
    command("queue-length", CommandGroup::reference, "how long a node's queue of tasks must be",
            describe, queue_length);

}  // namespace
}  // namespace somnus::command_queue_length

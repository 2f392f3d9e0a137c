#include "export/perfetto.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <unordered_set>

#include "export/lanes.hpp"
#include "export/perfetto_text.hpp"
#include "model/event.hpp"

namespace somnus {
namespace {

constexpr std::uint64_t cluster_process = 1;
constexpr std::uint64_t jobs_process = 2;
constexpr std::uint64_t first_node_process = 3;
constexpr std::uint64_t never_started_thread = 0;  // of a node; its slots are 1, 2, ...
constexpr const char* flow_name = "\"first start\"";
constexpr std::uint32_t no_row = std::numeric_limits<std::uint32_t>::max();

class TraceBuilder {
 public:
  TraceBuilder(const Log& log, const TraceCut& cut, OutputFile& out, ExportProgress& progress)
      : log_(log), cut_(cut), progress_(progress), text_(out, about(log)) {}

  TraceCounts operator()() {
    end_s_ = last_moment();
    put_names_in_quotes();
    find_lanes();
    find_first_attempts();
    draw_cluster();
    draw_jobs();
    draw_nodes();
    for (std::size_t row = 0; row < log_.tasks.size(); ++row) {
      draw_attempt(row);
      progress_.add(1);
    }
    text_.finish();
    return counts_;
  }

 private:
  static std::string about(const Log& log) {
    const LogHeader& header = log.header;
    return fmt::format(
        R"({{"format":"somnus {}","mode":{},"scheduler":{},"workload":{},"seed":"{}"}})",
        header.somnus_version, json_text(header.mode), json_text(header.label),
        json_text(header.workload_name), header.seed);
  }

  /// Where what has not ended is cut off.
  double last_moment() const {
    double last = 0;
    for (const TaskRow& row : log_.tasks) last = std::fmax(last, std::fmax(row.start, row.finish));
    for (const SampleRow& row : log_.samples) last = std::fmax(last, row.time);
    for (const JobRow& row : log_.tables.jobs) last = std::fmax(last, row.submit);
    return last;
  }

  void put_names_in_quotes() {
    const auto all = [](const std::vector<std::string>& names) {
      std::vector<std::string> quoted;
      for (const std::string& name : names) quoted.push_back(json_text(name));
      return quoted;
    };
    users_ = all(log_.tables.names.users);
    queues_ = all(log_.tables.names.queues);
    apps_ = all(log_.tables.names.apps);
  }

  static std::string_view at(const std::vector<std::string>& names, std::uint32_t id) {
    return id < names.size() ? std::string_view(names[id]) : std::string_view("null");
  }

  std::string job_name(std::uint32_t job) const {
    const auto& names = log_.tables.names.jobs;
    return job < names.size() ? names[job] : fmt::format("job {}", job);
  }

  // --- where things stand ---

  static bool has_started(const TaskRow& row) { return !std::isnan(row.start); }
  double end_of(const TaskRow& row) const {
    return std::isnan(row.finish) ? std::max(row.start, end_s_) : std::max(row.start, row.finish);
  }
  bool has_slots(const TaskRow& row) const { return log_.tables.nodes[row.node].slots > 0; }

  /// Of attempts on nodes whose resources alone say how many run at once.
  void find_lanes() {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < log_.tasks.size(); ++row) {
      if (has_started(log_.tasks[row]) && !has_slots(log_.tasks[row])) rows.push_back(row);
    }
    if (rows.empty()) return;
    std::ranges::stable_sort(rows, {}, [&](std::uint32_t row) { return log_.tasks[row].start; });
    lane_of_row_.resize(log_.tasks.size());
    std::vector<Lanes> lanes_of_node(log_.tables.nodes.size());
    for (const std::uint32_t row : rows) {
      const TaskRow& task = log_.tasks[row];
      lane_of_row_[row] =
          lanes_of_node[task.node].take(seconds(task.start).count(), seconds(end_of(task)).count());
    }
  }

  void find_first_attempts() {
    first_row_.assign(log_.tables.jobs.size(), no_row);
    for (std::uint32_t row = 0; row < log_.tasks.size(); ++row) {
      const TaskRow& task = log_.tasks[row];
      std::uint32_t& first = first_row_[task.job];
      if (!has_started(task)) continue;
      if (first == no_row || task.start < log_.tasks[first].start) first = row;
    }
  }

  Track track_of(std::size_t row) const {
    const TaskRow& task = log_.tasks[row];
    const std::uint64_t process = first_node_process + task.node;
    if (!has_started(task)) return {.process = process, .thread = never_started_thread};
    return {.process = process,
            .thread = 1 + std::uint64_t{has_slots(task) ? task.slot : lane_of_row_[row]}};
  }

  bool is_shown(const TaskRow& row) const {
    if (!cut_.shows(row.job)) return false;
    return has_started(row) ? cut_.shows(row.start, end_of(row))
                            : cut_.shows(moment_of(row), moment_of(row));
  }
  /// Of an attempt that never started.
  static double moment_of(const TaskRow& row) {
    for (const double time : {row.queued, row.placed, row.ready}) {
      if (!std::isnan(time)) return time;
    }
    return 0;
  }

  // --- drawing ---

  void draw_cluster() {
    text_.name_process(cluster_process, "\"cluster\"", 0);
    for (const SampleRow& row : log_.samples) {
      progress_.add(1);
      if (!cut_.shows(row.time, row.time)) continue;
      ++counts_.samples;
      const Time time = at_seconds(row.time);
      const auto counter = [&](std::string_view name, double value) {
        text_.counter(cluster_process, name, time, value);
      };
      counter("\"busy slots\"", row.busy_slots);
      counter("\"pending tasks\"", row.pending_tasks);
      counter("\"queued tasks\"", row.queued_tasks);
      counter("\"active jobs\"", row.active_jobs);
      counter("\"active users\"", row.active_users);
      counter("\"lag [s]\"", row.lag);
      for (std::size_t resource = 0; resource < log_.header.resources.size(); ++resource) {
        counter(json_text("allocated " + log_.header.resources[resource]), row.allocated[resource]);
      }
    }
  }

  void draw_jobs() {
    text_.name_process(jobs_process, "\"jobs\"", 1);
    std::vector<std::uint32_t> order;
    for (std::uint32_t job = 0; job < log_.tables.jobs.size(); ++job) {
      const JobRow& row = log_.tables.jobs[job];
      const bool came = !std::isnan(row.submit);
      if (came && cut_.shows(job) && cut_.shows(row.submit, end_of(row))) order.push_back(job);
    }
    std::ranges::stable_sort(order, {},
                             [&](std::uint32_t job) { return log_.tables.jobs[job].submit; });
    Lanes lanes;
    for (const std::uint32_t job : order) draw_job(job, lanes);
  }

  double end_of(const JobRow& row) const {
    return std::isnan(row.finish) ? std::max(row.submit, end_s_) : std::max(row.submit, row.finish);
  }

  void draw_job(std::uint32_t job, Lanes& lanes) {
    const JobRow& row = log_.tables.jobs[job];
    const Time begin = at_seconds(row.submit);
    const Time end = at_seconds(end_of(row));
    const Track track{.process = jobs_process,
                      .thread = 1 + std::uint64_t{lanes.take(begin.time_since_epoch().count(),
                                                             end.time_since_epoch().count())}};
    TraceArgs args;
    args.add("user", at(users_, row.user));
    args.add("queue", at(queues_, row.queue));
    args.add("app", at(apps_, row.app));
    args.add("tasks", row.tasks);
    args.add("first_start", row.first_start);
    args.add("slot_time", row.slot_time);
    args.add("estimate", row.estimate);
    args.add("alone", row.alone);
    text_.span(track, json_text(job_name(job)), "job", begin, end, args);
    ++counts_.jobs;
    if (arrow_is_shown(job)) text_.flow_begins(track, flow_name, job + 1, begin);
  }

  bool arrow_is_shown(std::uint32_t job) const {
    const JobRow& row = log_.tables.jobs[job];
    const std::uint32_t first = first_row_[job];
    return first != no_row && is_shown(log_.tasks[first]) && !std::isnan(row.submit) &&
           cut_.shows(row.submit, end_of(row));
  }

  void draw_nodes() {
    for (const NodeRow& node : log_.tables.nodes) {
      const auto& groups = log_.tables.names.groups;
      const std::string group =
          node.group < groups.size() ? fmt::format("{}, ", groups[node.group]) : "";
      const std::uint64_t process = first_node_process + node.node;
      text_.name_process(process,
                         json_text(fmt::format("node {} ({}rank {})", node.node, group, node.rank)),
                         process);
    }
  }

  /// When something is drawn there first: a log can say that a node has any number of slots.
  void name_thread(Track track, const TaskRow& row) {
    if (!named_.insert(track.process << 32 | track.thread).second) return;
    const char* const kind = has_slots(row) ? "slot" : "lane";
    text_.name_thread(track, track.thread == never_started_thread
                                 ? std::string("\"never started\"")
                                 : fmt::format("\"{} {}\"", kind, track.thread - 1));
  }

  void draw_attempt(std::size_t at_row) {
    const TaskRow& row = log_.tasks[at_row];
    if (!is_shown(row)) return;
    const JobRow& job = log_.tables.jobs[row.job];
    const std::string name = json_text(
        fmt::format("{}/{}/{}{}", job_name(row.job), log_.tables.stages[row.stage].stage, row.index,
                    row.attempt > 0 ? fmt::format(" attempt {}", row.attempt) : ""));
    const char* const outcome = name_of(static_cast<Outcome>(row.outcome));
    TraceArgs args;
    args.add("outcome", fmt::format("\"{}\"", outcome));
    args.add("user", at(users_, job.user));
    args.add("queue", at(queues_, job.queue));
    args.add("app", at(apps_, job.app));
    args.add("attempt", row.attempt);
    args.add("warm", std::string_view(row.warm != 0 ? "true" : "false"));
    for (const auto& [key, value] : {std::pair("ready", row.ready),
                                     {"placed", row.placed},
                                     {"queued", row.queued},
                                     {"intended", row.intended},
                                     {"nominal", row.nominal}}) {
      args.add(key, value);
    }
    const Track track = track_of(at_row);
    name_thread(track, row);
    if (!has_started(row)) {
      text_.instant(track, name, outcome, at_seconds(moment_of(row)), args);
      ++counts_.never_started;
      return;
    }
    if (static_cast<Outcome>(row.outcome) == Outcome::finished) {
      const Duration took = seconds(row.finish) - seconds(row.start);
      args.add("lateness", in_seconds(took - seconds(row.intended)));
    }
    const Time begin = at_seconds(row.start);
    text_.span(track, name, outcome, begin, at_seconds(end_of(row)), args);
    ++counts_.attempts;
    if (first_row_[row.job] == at_row && arrow_is_shown(row.job)) {
      text_.flow_ends(track, flow_name, std::uint64_t{row.job} + 1, begin);
    }
  }

  const Log& log_;
  const TraceCut& cut_;
  ExportProgress& progress_;
  TraceText text_;
  TraceCounts counts_;
  double end_s_ = 0;
  std::vector<std::string> users_;  // as JSON, by id
  std::vector<std::string> queues_;
  std::vector<std::string> apps_;
  std::vector<std::uint32_t> lane_of_row_;   // empty: all nodes have slots
  std::vector<std::uint32_t> first_row_;     // by job: of its first attempt in /tasks
  std::unordered_set<std::uint64_t> named_;  // process and thread
};

}  // namespace

TraceCounts write_perfetto(const Log& log, const TraceCut& cut, OutputFile& out,
                           ExportProgress& progress) {
  return TraceBuilder(log, cut, out, progress)();
}

}  // namespace somnus

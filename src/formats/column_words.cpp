#include "formats/column_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

namespace somnus {
namespace {

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0;
}
bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

/// "ElapsedRaw", "JobID" and "job_id" are two words, "NCPUS" is one.
std::vector<std::string> split(std::string_view name) {
  std::vector<std::string> words;
  bool goes_on = false;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const char c = name[at];
    if (!is_letter(c)) {
      goes_on = false;
      continue;
    }
    const bool after_lower = at > 0 && is_letter(name[at - 1]) && !is_upper(name[at - 1]);
    const bool ends_capitals = at > 0 && at + 1 < name.size() && is_upper(name[at - 1]) &&
                               is_letter(name[at + 1]) && !is_upper(name[at + 1]);
    if (!goes_on || (is_upper(c) && (after_lower || ends_capitals))) words.emplace_back();
    words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    goes_on = true;
  }
  return words;
}

struct Unit {
  std::string_view word;
  double seconds;
};
constexpr std::array units = {Unit{"ms", 1e-3},
                              Unit{"msec", 1e-3},
                              Unit{"msecs", 1e-3},
                              Unit{"millis", 1e-3},
                              Unit{"milliseconds", 1e-3},
                              Unit{"us", 1e-6},
                              Unit{"usec", 1e-6},
                              Unit{"micros", 1e-6},
                              Unit{"microseconds", 1e-6},
                              Unit{"ns", 1e-9},
                              Unit{"nanos", 1e-9},
                              Unit{"nanoseconds", 1e-9},
                              Unit{"s", 1},
                              Unit{"sec", 1},
                              Unit{"secs", 1},
                              Unit{"second", 1},
                              Unit{"seconds", 1},
                              Unit{"min", 60},
                              Unit{"mins", 60},
                              Unit{"minutes", 60},
                              Unit{"h", 3600},
                              Unit{"hours", 3600}};

bool is_any_of(std::string_view word, std::span<const std::string_view> of) {
  return std::ranges::find(of, word) != of.end();
}

/// Words that say nothing more of a time.
constexpr std::string_view of_times[] = {"time", "at",  "timestamp", "ts",   "date",
                                         "raw",  "utc", "epoch",     "unix", "datetime"};
constexpr std::string_view of_things[] = {"job", "task", "app", "application", "pod", "query"};
constexpr std::string_view of_counts[] = {"n",     "num",       "number", "count", "of",
                                          "alloc", "allocated", "total",  "used"};

/// What remains without those; all, where nothing would.
std::vector<std::string> without(std::vector<std::string> words,
                                 std::span<const std::string_view> fillers) {
  std::vector<std::string> left = words;
  std::erase_if(left, [&](const std::string& word) { return is_any_of(word, fillers); });
  return left.empty() ? words : left;
}

std::string joined_words(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : " ") + word;
  return all;
}

/// The names of a role, those of a rank in one list.
struct RoleNames {
  ColumnRole role;
  int rank;
  std::span<const std::string_view> words;
};

constexpr std::string_view submits[] = {"submit",  "submitted", "submission", "arrival",
                                        "arrived", "arrive",    "arrives"};
constexpr std::string_view creations[] = {"created", "creation", "create",  "queued",  "enqueued",
                                          "enqueue", "sent",     "release", "received"};
constexpr std::string_view starts[] = {"start", "started", "begin", "began", "launch", "launched"};
constexpr std::string_view ends[] = {"end",       "ended",    "finish", "finished", "completion",
                                     "completed", "complete", "stop",   "stopped"};
constexpr std::string_view durations[] = {"duration", "runtime",     "run",  "elapsed",
                                          "took",     "execution",   "exec", "execution duration",
                                          "service",  "run duration"};
constexpr std::string_view walls[] = {"walltime", "wallclock", "wall", "wall clock"};
constexpr std::string_view tasks[] = {"tasks", "ntasks", "instances", "replicas", "width"};
constexpr std::string_view processors[] = {"cpus",  "ncpus",  "cores", "ncores", "processors",
                                           "procs", "nprocs", "slots", "vcpus",  "vcores"};
constexpr std::string_view jobs[] = {"job", "job id", "jobid", "job no", "job number"};
constexpr std::string_view wholes[] = {"workflow id", "workflow",      "application id",
                                       "app id",      "applicationid", "query id",
                                       "query",       "request id",    "run id"};
constexpr std::string_view ids[] = {"id", "uid", "uuid", "name"};
constexpr std::string_view parts[] = {"task",    "task id",  "pod",     "pod name",
                                      "podname", "instance", "attempt", "container"};
constexpr std::string_view users[] = {"user",    "username", "user name", "owner",
                                      "user id", "userid",   "submitter"};
constexpr std::string_view tenants[] = {"tenant", "namespace", "uid", "group"};
constexpr std::string_view queues[] = {"queue", "queue name", "partition", "pool"};
constexpr std::string_view classes[] = {"priority class", "class", "priorityclass"};
constexpr std::string_view accounts[] = {"account", "project"};
constexpr std::string_view qualities[] = {"qos"};
constexpr std::string_view apps[] = {"app",      "application", "app name", "application name",
                                     "job name", "jobname",     "program",  "executable",
                                     "command",  "image"};
constexpr std::string_view limits[] = {"limit", "timelimit", "timeout", "requested", "req"};
constexpr std::string_view requested_cpus[] = {"cpu", "cpu request", "req cpus", "requested cpus",
                                               "cpu requests"};
constexpr std::string_view memories[] = {"mem", "memory",           "req mem", "memory request",
                                         "ram", "requested memory", "max rss", "memory requests"};
constexpr std::string_view states[] = {"state", "status", "phase", "result", "outcome"};
constexpr std::string_view stages[] = {"stage", "stage id"};
constexpr std::string_view befores[] = {"parents", "dependencies", "depends on", "parent stages"};

constexpr RoleNames all_names[] = {{ColumnRole::submit, 1, submits},
                                   {ColumnRole::submit, 2, creations},
                                   {ColumnRole::start, 1, starts},
                                   {ColumnRole::end, 1, ends},
                                   {ColumnRole::duration, 1, durations},
                                   {ColumnRole::duration, 2, walls},
                                   {ColumnRole::tasks, 1, tasks},
                                   {ColumnRole::tasks, 2, processors},
                                   {ColumnRole::job, 1, jobs},
                                   {ColumnRole::job, 2, wholes},
                                   {ColumnRole::job, 3, ids},
                                   {ColumnRole::job, 4, parts},
                                   {ColumnRole::task, 1, parts},
                                   {ColumnRole::user, 1, users},
                                   {ColumnRole::user, 2, tenants},
                                   {ColumnRole::queue, 1, queues},
                                   {ColumnRole::queue, 2, classes},
                                   {ColumnRole::account, 1, accounts},
                                   {ColumnRole::qos, 1, qualities},
                                   {ColumnRole::app, 1, apps},
                                   {ColumnRole::limit, 1, limits},
                                   {ColumnRole::cpu, 1, requested_cpus},
                                   {ColumnRole::memory, 1, memories},
                                   {ColumnRole::state, 1, states},
                                   {ColumnRole::stage, 1, stages},
                                   {ColumnRole::parents, 1, befores}};

bool is_time(ColumnRole role) {
  return role == ColumnRole::submit || role == ColumnRole::start || role == ColumnRole::end ||
         role == ColumnRole::duration || role == ColumnRole::limit;
}

}  // namespace

ColumnWords words_of_column(std::string_view name) {
  ColumnWords found{.words = split(name), .unit_s = {}};
  for (const Unit& unit : units) {
    // The first word is no unit: "min", "h" and "s" alone may be anything.
    const auto at = std::find(found.words.begin() + (found.words.empty() ? 0 : 1),
                              found.words.end(), unit.word);
    if (at == found.words.end()) continue;
    found.unit_s = unit.seconds;
    found.words.erase(at);
    break;
  }
  return found;
}

std::optional<int> rank_of(ColumnRole role, const ColumnWords& name) {
  std::vector<std::string> words = name.words;
  if (is_time(role)) words = without(without(std::move(words), of_times), of_things);
  if (role == ColumnRole::tasks) words = without(std::move(words), of_counts);
  if (role == ColumnRole::job) std::erase(words, "raw");
  const std::string text = joined_words(words);
  for (const RoleNames& each : all_names) {
    if (each.role == role && is_any_of(text, each.words)) return each.rank;
  }
  return std::nullopt;
}

}  // namespace somnus

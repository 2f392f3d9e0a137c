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

/// "ElapsedRaw", "JobID" and "job_id" are two words, "NCPUS" and "CPUs" are one.
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
    const bool is_plural = name.substr(at + 1, 1) == "s" &&
                           (at + 2 == name.size() || !is_letter(name[at + 2]));  // "IDs"
    const bool ends_capitals = at > 0 && at + 1 < name.size() && is_upper(name[at - 1]) &&
                               is_letter(name[at + 1]) && !is_upper(name[at + 1]) && !is_plural;
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
constexpr std::array duration_units = {Unit{"ms", 1e-3},
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

/// Whose makers say in which unit they are, though the name does not.
constexpr Unit names_with_units[] = {{"timelimit raw", 60}};

/// GB that one is.
constexpr Unit memory_units[] = {{"gb", 1},    {"gib", 1.073741824}, {"mb", 1e-3},
                                 {"kb", 1e-6}, {"mib", 1.048576e-3}, {"kib", 1.024e-6},
                                 {"tb", 1e3},  {"bytes", 1e-9}};

constexpr std::string_view width_words[] = {
    "cpu",     "cpus",   "ncpus",     "core",        "cores",      "ncores",  "proc",     "procs",
    "nprocs",  "slots",  "gpu",       "gpus",        "ngpus",      "nodes",   "nnodes",   "pods",
    "tasks",   "ntasks", "instances", "replicas",    "threads",    "workers", "ranks",    "vcpu",
    "ppn",     "vcpus",  "hosts",     "executors",   "width",      "kerne",   "machines", "frame",
    "frames",  "maps",   "mappers",   "reduces",     "shards",     "cœurs",   "coeurs",   "núcleos",
    "nucleos", "array",  "resources", "completions", "parallelism"};
constexpr std::string_view no_width_words[] = {
    "time",    "hours",   "util",  "usage", "utilization", "avg",        "mean", "max",
    "percent", "mem",     "share", "load",  "type",        "memory",     "id",   "name",
    "list",    "seconds", "index", "rank",  "rate",        "utilisation"};

bool is_any_of(std::string_view word, std::span<const std::string_view> of) {
  return std::ranges::find(of, word) != of.end();
}

/// Words that say nothing more of a time.
constexpr std::string_view of_times_words[] = {"time", "at",  "timestamp", "ts",   "date",
                                               "raw",  "utc", "epoch",     "unix", "datetime",
                                               "dttm", "hh",  "mm",        "ss"};
constexpr std::string_view of_things_words[] = {"job",         "task", "app",
                                                "application", "pod",  "query"};
constexpr std::string_view of_counts_words[] = {"n",         "num",    "nb",    "anzahl", "nombre",
                                                "número",    "number", "count", "of",     "alloc",
                                                "allocated", "total",  "used"};

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

constexpr std::string_view submits_words[] = {"submit",  "submitted", "submission", "arrival",
                                              "arrived", "arrive",    "arrives"};
constexpr std::string_view creations_words[] = {
    "created",  "creation", "create", "queued",     "enqueued",   "enqueue",   "sent",   "release",
    "received", "qtime",    "ctime",  "abgabezeit", "soumission", "soumis le", "enviado"};
// In full: of the last word alone nobody would know.
constexpr std::string_view whole_creations_words[] = {"q date", "qdate"};
constexpr std::string_view starts_words[] = {
    "start",     "started",   "begin",      "began",           "launch",   "launched",
    "job start", "run start", "exec start", "execution start", "startzeit"};
constexpr std::string_view admissions_words[] = {"admitted", "admission", "dispatched", "dispatch"};
constexpr std::string_view ends_words[] = {"end",        "ended",     "finish",   "finished",
                                           "completion", "completed", "complete", "stop",
                                           "stopped",    "endzeit",   "ende"};
constexpr std::string_view durations_words[] = {"duration",
                                                "runtime",
                                                "run",
                                                "elapsed",
                                                "took",
                                                "execution",
                                                "exec",
                                                "execution duration",
                                                "service",
                                                "run duration",
                                                "used walltime",
                                                "walltime used",
                                                "resources used walltime",
                                                "dauer",
                                                "laufzeit",
                                                "durée",
                                                "duración"};
constexpr std::string_view walls_words[] = {"walltime", "wallclock", "wall", "wall clock",
                                            "remote wall clock"};
constexpr std::string_view tasks_words[] = {"tasks", "ntasks", "instances",  "replicas",
                                            "width", "pods",   "task count", "tasks count"};
constexpr std::string_view processors_words[] = {
    "cpus",       "ncpus",     "cores",        "ncores",
    "processors", "procs",     "nprocs",       "slots",
    "vcpus",      "vcores",    "vcpu",         "v cpu",
    "v cpus",     "cpu cores", "request cpus", "resource list ncpus",
    "kerne",      "cœurs",     "coeurs",       "núcleos"};
constexpr std::string_view nodes_words[] = {"nodes", "nnodes", "hosts", "nhosts"};
constexpr std::string_view per_nodes_words[] = {"ppn",
                                                "cores per node",
                                                "cpus per node",
                                                "procs per node",
                                                "processors per node",
                                                "tasks per node",
                                                "ntasks per node",
                                                "processes per node"};
constexpr std::string_view gpus_words[] = {"gpu", "gpus", "ngpus", "req gpus", "requests gpu"};
constexpr std::string_view attempts_words[] = {"attempt",          "attempt id", "attempts", "try",
                                               "stage attempt id", "retry",      "retries"};
constexpr std::string_view jobs_words[] = {"job",    "job id",     "jobid",
                                           "job no", "job number", "jobnumber"};
constexpr std::string_view wholes_words[] = {"workflow id", "workflow",      "application id",
                                             "app id",      "applicationid", "query id",
                                             "query",       "request id",    "run id"};
constexpr std::string_view ids_words[] = {"id", "uid", "uuid", "name"};
// Of HTCondor; where others say so it is a cluster of machines, but they name jobs, too.
constexpr std::string_view clusters_words[] = {"cluster id", "clusterid"};
constexpr std::string_view parts_words[] = {"task",    "task id",  "pod",     "pod name",
                                            "podname", "instance", "attempt", "container"};
constexpr std::string_view users_words[] = {
    "user",      "username",   "user name", "owner",      "user id",     "userid",
    "submitter", "user email", "user mail", "user login", "benutzer",    "unixname",
    "unix name", "tags owner", "job user",  "job owner",  "utilisateur", "usuario"};
constexpr std::string_view actors_words[] = {"user username", "creator user name", "creator",
                                             "run as",        "started by",        "actor"};
constexpr std::string_view tenants_words[] = {"tenant", "namespace", "uid", "group"};
constexpr std::string_view queues_words[] = {
    "queue", "queue name", "qname", "job queue", "partition", "pool", "warteschlange", "cola"};
constexpr std::string_view classes_words[] = {"priority class", "class", "priorityclass"};
constexpr std::string_view accounts_words[] = {"account", "project"};
constexpr std::string_view qualities_words[] = {"qos"};
constexpr std::string_view apps_words[] = {
    "app",     "application", "app name",   "application name", "job name",
    "jobname", "program",     "executable", "command",          "image"};
constexpr std::string_view limits_words[] = {
    "limit",        "timelimit",    "timeout",           "requested",
    "req",          "time limit",   "walltime limit",    "resource list walltime",
    "req walltime", "walltime req", "requested walltime"};
constexpr std::string_view requested_cpus_words[] = {
    "cpu", "cpu request", "req cpus", "requested cpus", "cpu requests", "requests cpu"};
constexpr std::string_view memories_words[] = {"mem",
                                               "memory",
                                               "req mem",
                                               "memory request",
                                               "ram",
                                               "requested memory",
                                               "max rss",
                                               "memory requests",
                                               "requests memory",
                                               "resource list mem",
                                               "speicher"};
constexpr std::string_view states_words[] = {"state", "status", "phase", "result", "outcome"};
constexpr std::string_view stages_words[] = {"stage", "stage id"};
constexpr std::string_view befores_words[] = {"parents", "dependencies", "depends on",
                                              "parent stages"};

constexpr RoleNames all_names[] = {{ColumnRole::submit, 1, submits_words},
                                   {ColumnRole::submit, 2, creations_words},
                                   {ColumnRole::submit, 2, whole_creations_words},
                                   {ColumnRole::start, 1, starts_words},
                                   {ColumnRole::start, 2, admissions_words},
                                   {ColumnRole::end, 1, ends_words},
                                   {ColumnRole::duration, 1, durations_words},
                                   {ColumnRole::duration, 2, walls_words},
                                   {ColumnRole::tasks, 1, tasks_words},
                                   {ColumnRole::tasks, 2, processors_words},
                                   {ColumnRole::job, 1, jobs_words},
                                   {ColumnRole::job, 2, wholes_words},
                                   {ColumnRole::job, 3, ids_words},
                                   {ColumnRole::job, 4, parts_words},
                                   {ColumnRole::job, 5, clusters_words},
                                   {ColumnRole::task, 1, parts_words},
                                   {ColumnRole::user, 1, users_words},
                                   {ColumnRole::user, 2, actors_words},
                                   {ColumnRole::user, 3, tenants_words},
                                   {ColumnRole::queue, 1, queues_words},
                                   {ColumnRole::queue, 2, classes_words},
                                   {ColumnRole::account, 1, accounts_words},
                                   {ColumnRole::qos, 1, qualities_words},
                                   {ColumnRole::app, 1, apps_words},
                                   {ColumnRole::limit, 1, limits_words},
                                   {ColumnRole::nodes, 1, nodes_words},
                                   {ColumnRole::per_node, 1, per_nodes_words},
                                   {ColumnRole::cpu, 1, requested_cpus_words},
                                   {ColumnRole::gpu, 1, gpus_words},
                                   {ColumnRole::attempt, 1, attempts_words},
                                   {ColumnRole::memory, 1, memories_words},
                                   {ColumnRole::state, 1, states_words},
                                   {ColumnRole::stage, 1, stages_words},
                                   {ColumnRole::parents, 1, befores_words}};

bool is_count(ColumnRole role) {
  return role == ColumnRole::tasks || role == ColumnRole::nodes || role == ColumnRole::gpu ||
         role == ColumnRole::attempt;
}

bool is_time(ColumnRole role) {
  return role == ColumnRole::submit || role == ColumnRole::start || role == ColumnRole::end ||
         role == ColumnRole::duration || role == ColumnRole::limit;
}

}  // namespace

ColumnWords words_of_column(std::string_view name) {
  ColumnWords found{.words = split(name), .unit_s = {}};
  for (const Unit& unit : duration_units) {
    // The first word is no unit: "min", "h" and "s" alone may be anything.
    const auto at = std::find(found.words.begin() + (found.words.empty() ? 0 : 1),
                              found.words.end(), unit.word);
    if (at == found.words.end()) continue;
    found.unit_s = unit.seconds;
    found.words.erase(at);
    break;
  }
  const std::string all = joined_words(found.words);
  for (const Unit& known : names_with_units) {
    if (all == known.word) found.unit_s = known.seconds;
  }
  return found;
}

bool is_like_a_width(const ColumnWords& name) {
  const auto has_any = [&](std::span<const std::string_view> of) {
    return std::ranges::any_of(name.words,
                               [&](const std::string& word) { return is_any_of(word, of); });
  };
  return has_any(width_words) && !has_any(no_width_words);
}

std::optional<double> memory_unit_gb(const ColumnWords& name) {
  for (const Unit& unit : memory_units) {
    if (std::ranges::find(name.words, unit.word) != name.words.end()) return unit.seconds;
  }
  return std::nullopt;
}

std::optional<int> rank_of(ColumnRole role, const ColumnWords& name) {
  std::vector<std::string> words = name.words;
  const std::string whole = joined_words(words);
  if (is_time(role)) words = without(without(std::move(words), of_times_words), of_things_words);
  if (is_count(role)) words = without(std::move(words), of_counts_words);
  if (role == ColumnRole::job) std::erase(words, "raw");
  if (role == ColumnRole::memory) {
    std::erase_if(words, [](const std::string& word) {
      return std::ranges::find(memory_units, word, &Unit::word) != std::end(memory_units);
    });
  }
  const std::string text = joined_words(words);
  for (const RoleNames& each : all_names) {
    if (each.role != role) continue;
    if (is_any_of(text, each.words) || is_any_of(whole, each.words)) return each.rank;
  }
  return std::nullopt;
}

}  // namespace somnus

// The query DAGs of the Carbyne simulator, blank separated; '#' begins a comment between DAGs:
//     stages id [arrival [queue]]
//     name duration r1 r2 r3 r4 r5 r6 tasks       one line a stage; s, shares of a machine
//     edges
//     parent child kind                           one line an edge; the kind is not looked at
// A DAG is a job named by its id. Demands are of cpu, mem, io1, io2, io3 and io4. Where two stages
// of a DAG have one name (BigBench's query 7 in queries_bb), edges mean the last; the other stands
// alone.
#include <array>
#include <filesystem>
#include <unordered_map>

#include "formats/formats.hpp"
#include "text/mistake_collector.hpp"
#include "text/parse_number.hpp"
#include "text/text_window.hpp"
#include "text/words.hpp"
#include "workload/check.hpp"

namespace somnus::import_carbyne {
namespace {

struct CarbyneOptions {
  double interarrival_s = 0;

  static constexpr auto fields() {
    return in_order(field("interarrival_s", &CarbyneOptions::interarrival_s, "s",
                          "between the submits of two DAGs whose headers give none",
                          Range{.low = 0, .high = 1e5}));
  }
};

constexpr std::array<const char*, 6> kinds = {"cpu", "mem", "io1", "io2", "io3", "io4"};
// More stages of a DAG, or tasks of a stage, are a typing error, which should not fill the memory.
constexpr std::uint64_t most_stages = 1'000'000;
constexpr std::uint64_t most_tasks_of_stage = 10'000'000;

class CarbyneReader {
 public:
  CarbyneReader(const TextFile& file, const CarbyneOptions& options)
      : file_(file), options_(options), mistakes_(file.name()) {}

  Checked<WorkloadSpec> operator()() {
    for_each_line(file_, [&](std::string_view line, int number) {
      number_ = number;
      read(line);
    });
    ++number_;  // where what is missing should stand
    if (expects_ != Line::header && expects_ != Line::comment) cut_short("the file's end");
    if (dags_.empty() && !mistakes_.any()) {
      mistakes_.add(0, 0, "", "expected a workload, found an empty file");
    }
    return finish();
  }

 private:
  /// What comes next. A header that can't be read leaves only a comment to start again from.
  enum class Line { header, stage, edge_count, edge, comment };
  struct Dag {
    int line;
    JobSpec job;
    std::unordered_map<std::string, std::uint32_t> place_of;  // of a stage, by name; the last
  };

  void read(std::string_view line) {
    Words words(line);
    const std::string_view first = words.next();
    if (first.empty()) return;
    if (first.starts_with('#')) {
      if (expects_ != Line::header && expects_ != Line::comment) cut_short("a comment");
      expects_ = Line::header;
      return;
    }
    switch (expects_) {
      case Line::header:
        return read_header(words, first);
      case Line::stage:
        return read_stage(words, first);
      case Line::edge_count:
        return read_edge_count(words, first);
      case Line::edge:
        return read_edge(words, first);
      case Line::comment:
        return;
    }
  }

  void read_header(Words& words, std::string_view count_text) {
    const auto count = whole(words, "stages", count_text, {1, most_stages});
    Dag dag{.line = number_, .job = {.job = std::string(words.next())}, .place_of = {}};
    if (dag.job.job.empty()) refuse(words, "job", "a DAG's id", "");
    dag.job.submit = options_.interarrival_s * static_cast<double>(dags_.size());
    if (const auto arrival = words.next(); !arrival.empty()) {
      dag.job.submit = time(words, "submit", arrival);
      if (const auto queue = words.next(); !queue.empty()) dag.job.queue = queue;
    }
    nothing_more(words);
    stages_ = edges_ = count.value_or(0);
    expects_ = count ? Line::stage : Line::comment;
    dags_.push_back(std::move(dag));
  }

  void read_stage(Words& words, std::string_view name) {
    Dag& dag = dags_.back();
    const auto label = static_cast<std::uint32_t>(dag.job.stages.size());
    dag.place_of[std::string(name)] = label;
    StageSpec stage{.stage = label};
    const double duration = time(words, "duration", words.next());
    for (const char* const kind : kinds) {
      const std::string_view text = words.next();
      const auto demand = parse_number<double>(text);
      if (!demand || *demand < 0 || *demand > 1) {
        refuse(words, kind, "a share of a machine, 0 to 1", text);
      }
      stage.demand.push_back(demand.value_or(0));
    }
    const auto tasks = whole(words, "tasks", words.next(), {1, most_tasks_of_stage});
    stage.durations.assign(tasks.value_or(0), duration);
    nothing_more(words);
    dag.job.stages.push_back(std::move(stage));
    if (dag.job.stages.size() == stages_) expects_ = Line::edge_count;
  }

  void read_edge_count(Words& words, std::string_view text) {
    const auto count = whole(words, "edges", text, {0, stages_ * stages_});
    nothing_more(words);
    edges_ = count.value_or(0);
    expects_ = !count ? Line::comment : edges_ > 0 ? Line::edge : Line::header;
  }

  void read_edge(Words& words, std::string_view parent_name) {
    Dag& dag = dags_.back();
    const auto parent = stage_of(words, "parent", parent_name);
    const auto child = stage_of(words, "child", words.next());
    if (words.next().empty()) refuse(words, "kind", "the edge's kind, say ata", "");
    nothing_more(words);
    if (parent && child) dag.job.stages[*child].parents.push_back(*parent);
    if (--edges_ == 0) expects_ = Line::header;
  }

  std::optional<std::uint32_t> stage_of(const Words& words, const char* key,
                                        std::string_view name) {
    const auto& place_of = dags_.back().place_of;
    const auto found = place_of.find(std::string(name));
    if (found != place_of.end()) return found->second;
    refuse(words, key, "a stage of the DAG", name);
    return std::nullopt;
  }

  struct Whole {
    std::uint64_t low;
    std::uint64_t high;
  };
  std::optional<std::uint64_t> whole(const Words& words, const char* key, std::string_view text,
                                     Whole range) {
    const auto number = parse_number<std::uint64_t>(text);
    if (number && *number >= range.low && *number <= range.high) return number;
    refuse(words, key, fmt::format("a whole number from {} to {}", range.low, range.high), text);
    return std::nullopt;
  }

  /// 0 for a mistake.
  double time(const Words& words, const char* key, std::string_view text) {
    const auto found = parse_number<double>(text);
    if (!found) {
      refuse(words, key, "a number", text);
    } else if (!is_workload_time(*found)) {
      mistakes_.add(number_, words.column(), key, not_a_time(*found));
    }
    return found && is_workload_time(*found) ? *found : 0;
  }

  void nothing_more(Words& words) {
    const std::string_view more = words.next();
    if (!more.empty()) refuse(words, "", "the line's end", more);
  }

  void refuse(const Words& words, const char* key, std::string_view what, std::string_view found) {
    mistakes_.add(number_, words.column(), key,
                  found.empty() ? fmt::format("expected {}, found the line's end", what)
                                : fmt::format("expected {}, found '{}'", what, found));
  }

  void cut_short(const char* found) {
    const Dag& dag = dags_.back();
    const std::string missing =
        expects_ == Line::stage ? fmt::format("stage {} of {}", dag.job.stages.size() + 1, stages_)
        : expects_ == Line::edge_count ? std::string("the number of edges")
                                       : fmt::format("{} more edges", edges_);
    mistakes_.add(number_, 0, "", fmt::format("expected {}, found {}", missing, found),
                  fmt::format("the DAG begins in line {}", dag.line));
  }

  Checked<WorkloadSpec> finish() {
    if (mistakes_.any()) return tl::unexpected(std::move(mistakes_).take());
    std::ranges::stable_sort(dags_, {}, [](const Dag& dag) { return dag.job.submit; });
    WorkloadSpec workload{.name = std::filesystem::path(file_.name()).filename().string(),
                          .resources = {kinds.begin(), kinds.end()}};
    const Duration first = seconds(dags_.front().job.submit);
    JobCheck check(workload.resources);
    for (Dag& dag : dags_) {
      dag.job.submit = in_seconds(seconds(dag.job.submit) - first);
      check(dag.job, [&](const std::string& key, std::string what, std::string hint) {
        mistakes_.add(dag.line, 0, key, std::move(what), std::move(hint));
      });
      workload.jobs.push_back(std::move(dag.job));
    }
    if (mistakes_.any()) return tl::unexpected(std::move(mistakes_).take());
    return workload;
  }

  const TextFile& file_;
  CarbyneOptions options_;
  MistakeCollector mistakes_;
  int number_ = 0;  // of the line
  Line expects_ = Line::header;
  std::uint64_t stages_ = 0;  // that the DAG has
  std::uint64_t edges_ = 0;   // that are still to come
  std::vector<Dag> dags_;
};

/// A comment, and then a header: other files of numbers begin with comments, too.
bool looks_like(std::string_view text) {
  if (!text.starts_with('#')) return false;
  bool is_header = true;
  bool is_first = true;
  for_each_line(text, [&](std::string_view line, int) {
    Words words(line);
    const std::string_view stages = words.next();
    if (!is_first || stages.empty() || stages.front() == '#') return;
    is_first = false;
    is_header = parse_number<std::uint32_t>(stages) && !words.next().empty() &&
                line.find(',') == std::string_view::npos;
  });
  return is_header;
}

const Registered<Format> row = format<CarbyneReader, CarbyneOptions>(
    "carbyne-dags", "the Carbyne simulator's query DAGs: a header, stages and edges for each", "",
    looks_like, Look::shared);

}  // namespace
}  // namespace somnus::import_carbyne

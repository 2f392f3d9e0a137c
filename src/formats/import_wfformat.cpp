// WfCommons' WfFormat, JSON: the file is one workflow, which becomes one job with submit 0. Of a
// task it needs id, parents and runtimeInSeconds [s], and takes coreCount (else 1) and
// memoryInBytes (else 0); command.program, or else its name without the number at the end, says
// what kind it is. Files of schemaVersion 1.0 to 1.4 have all of a task in one place, where it may
// be named by its name alone, parents may be named by id or name, or by their lists of children,
// and up to 1.3 the words are others: jobs (to 1.2), runtime [s], cores, memory [KB]. A task
// without parents waits for the tasks that write what it reads; the workload's name says how often
// that is so, and how often a task's parents do not lead to those that write what it reads.
//
// Tasks of one kind with the same parents and the same children become one stage, since nobody
// could tell them apart: which task waits for which stays as it is. With `merge` = parents they
// need not have the same children, which then wait for all of the stage. A stage demands cpu
// [cores] and mem_gb [1e9 bytes], of each the most that one of its tasks had.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "formats/formats.hpp"
#include "formats/line_jobs.hpp"
#include "text/json_line.hpp"
#include "text/mistake_collector.hpp"
#include "workload/check.hpp"

namespace somnus {

enum class WfMerge { alike, parents, none };
template <>
struct EnumNames<WfMerge> {
  static constexpr std::pair<WfMerge, const char*> names[] = {
      {WfMerge::alike, "alike"}, {WfMerge::parents, "parents"}, {WfMerge::none, "none"}};
};

}  // namespace somnus

namespace somnus::import_wfformat {
namespace {

struct WfFormatOptions {
  WfMerge merge = WfMerge::alike;

  static constexpr auto fields() {
    return in_order(field("merge", &WfFormatOptions::merge, "",
                          "tasks of a kind that are one stage: those with the same parents and "
                          "children, with the same parents, or none"));
  }
};

constexpr double bytes_of_gb = 1e9;
constexpr double bytes_of_kb = 1e3;
constexpr std::size_t most_edges = 4'000'000;  // by files: each is cheap to write, but not to keep

// "mProject_ID0000001" is one of the mProjects.
std::string_view without_number(std::string_view name) {
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  std::string_view kind = name;
  while (!kind.empty() && is_digit(kind.back())) kind.remove_suffix(1);
  if (kind.size() == name.size()) return name;
  if (kind.ends_with("ID")) kind.remove_suffix(2);
  const auto is_of_a_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  while (!kind.empty() && !is_of_a_word(kind.back())) kind.remove_suffix(1);
  return kind.empty() ? name : kind;
}

class WfFormatReader {
 public:
  WfFormatReader(const TextFile& file, const WfFormatOptions& options)
      : file_(file),
        options_(options),
        mistakes_(file.name()),
        document_(file.text(), 1, mistakes_) {}

  Checked<WorkloadSpec> operator()() {
    if (file_.text().find_first_not_of(" \t\r\n") == std::string_view::npos) {
      mistakes_.add(0, 0, "", "expected a workload, found an empty file");
    } else if (const auto root = document_.parse_value(parser_)) {
      read(*root);
    }
    if (mistakes_.any()) return tl::unexpected(std::move(mistakes_).take());
    WorkloadSpec workload{.name = workload_name(file_.name(), notes_),
                          .resources = {"cpu", "mem_gb"}};
    workload.jobs.push_back(job());
    check(workload);
    if (mistakes_.any()) return tl::unexpected(std::move(mistakes_).take());
    return workload;
  }

 private:
  struct Task {
    std::string kind;
    std::string key;  // where it stands
    std::vector<std::size_t> parents;
    std::vector<std::size_t> children;
    bool has_run = false;
    double runtime_s = 0;
    double cores = 1;
    double memory_gb = 0;
  };

  void read(const JsonValue& root) {
    if (const auto name = root.at("name")) name_ = name->text().value_or("");
    const auto workflow = root.needed_at("workflow");
    if (!workflow || !workflow->object()) return;
    const auto all_in_one = first_of(*workflow, {"tasks", "jobs"});  // until schemaVersion 1.4
    const auto specification = all_in_one ? std::nullopt : workflow->needed_at("specification");
    const auto tasks = specification ? specification->needed_at("tasks") : all_in_one;
    if (!tasks) return;
    const std::vector<JsonValue> elements = tasks->elements();
    if (elements.empty() && !mistakes_.any()) {
      document_.wrong(tasks->key, "expected at least one task, found none");
    }
    for (const JsonValue& element : elements) read_task(element, all_in_one.has_value());
    if (tasks_.size() == elements.size()) {
      for (std::size_t task = 0; task < elements.size(); ++task) {
        read_parents(elements[task], task, all_in_one.has_value());
        read_files(elements[task], task);
      }
      join_by_files();
      for (Task& task : tasks_) tidy(task);
    }
    if (all_in_one) {
      for (std::size_t task = 0; task < tasks_.size(); ++task) read_run(elements[task], task);
    } else if (const auto execution = workflow->needed_at("execution")) {
      read_execution(*execution);
    }
  }

  /// What words the schema's versions have for one thing.
  static std::optional<JsonValue> first_of(const JsonValue& object,
                                           std::initializer_list<const char*> names) {
    for (const char* name : names) {
      if (auto found = object.at(name)) return found;
    }
    return std::nullopt;
  }

  void read_task(const JsonValue& at, bool is_all_in_one) {
    const auto by_name = is_all_in_one && !at.at("id") ? at.at("name") : std::nullopt;
    const auto id_at = by_name ? by_name : at.needed_at("id");
    const auto id = id_at ? id_at->text() : std::nullopt;
    if (!id) return;
    const auto [known, is_new] = index_of_.try_emplace(*id, tasks_.size());
    if (!is_new) {
      document_.wrong(id_at->key,
                      fmt::format("expected an id of its own, found '{}' again, as in {}", *id,
                                  tasks_[known->second].key));
      return;
    }
    const auto name_at = at.at("name");
    const std::string name = name_at ? name_at->text().value_or(*id) : *id;
    named_.try_emplace(name, tasks_.size());
    tasks_.push_back({.kind = std::string(without_number(name)), .key = at.key});
  }

  void read_parents(const JsonValue& at, std::size_t task, bool is_all_in_one) {
    const auto children = at.at("children");
    const auto parents = is_all_in_one ? at.at("parents") : at.needed_at("parents");
    if (parents) each_task(*parents, task, [&](std::size_t other) { join(other, task); });
    if (children) each_task(*children, task, [&](std::size_t other) { join(task, other); });
  }

  /// Calls take(task) for each that the list names.
  template <class Take>
  void each_task(const JsonValue& list, std::size_t of, const Take& take) {
    for (const JsonValue& each : list.elements()) {
      const auto id = each.text();
      if (!id) continue;
      const auto other = task_of(*id);
      if (!other) {
        document_.wrong(each.key, fmt::format("expected a task of the workflow, found '{}'", *id));
      } else if (*other == of) {
        document_.wrong(each.key, fmt::format("expected another task, found '{}' itself", *id));
      } else {
        take(*other);
      }
    }
  }

  void join(std::size_t parent, std::size_t child) {
    tasks_[child].parents.push_back(parent);
    tasks_[parent].children.push_back(child);
  }

  void read_files(const JsonValue& at, std::size_t task) {
    const auto put = [&](const std::optional<std::string>& file, bool is_read) {
      if (file && is_read) reads_.emplace_back(task, *file);
      if (file && !is_read) writers_[*file].push_back(task);
    };
    const auto elements = [&](const char* key) {
      const auto list = at.at(key);
      return list ? list->elements() : std::vector<JsonValue>();
    };
    for (const JsonValue& file : elements("inputFiles")) put(file.text(), true);
    for (const JsonValue& file : elements("outputFiles")) put(file.text(), false);
    for (const JsonValue& file : elements("files")) {  // until schemaVersion 1.4
      const auto name = file.at("name");
      const auto link = file.at("link");
      if (name && link) put(name->text(), link->text() == "input");
    }
  }

  void join_by_files() {
    Edges left_out;
    for (const auto& [task, file] : reads_) {
      for (const std::size_t writer : writers_[file]) {
        if (writer == task || leads_to(writer, task)) continue;
        const bool has_place = !tasks_[task].parents.empty() || leads_to(task, writer);
        (has_place ? left_out : joined_).emplace(writer, task);
        if (left_out.size() + joined_.size() <= most_edges) continue;
        return document_.wrong(tasks_[task].key,
                               fmt::format("expected at most {} edges by files", most_edges));
      }
    }
    for (const auto& [writer, task] : joined_) join(writer, task);
    const auto note = [&](const char* which, const Edges& edges) {
      if (edges.empty()) return;
      notes_.push_back(fmt::format("{}: {}, such as to {}", which, edges.size(),
                                   tasks_[edges.begin()->second].key));
    };
    note("edges by files, to tasks without parents", joined_);
    note("edges by files that the parents lack, left out", left_out);
  }

  /// By parents.
  [[nodiscard]] bool leads_to(std::size_t from, std::size_t to) const {
    std::unordered_set<std::size_t> seen{to};
    for (std::vector<std::size_t> next = {to}; !next.empty();) {
      const std::vector<std::size_t>& parents = tasks_[next.back()].parents;
      next.pop_back();
      if (std::ranges::find(parents, from) != parents.end()) return true;
      std::ranges::copy_if(parents, std::back_inserter(next),
                           [&](std::size_t one) { return seen.insert(one).second; });
    }
    return false;
  }

  /// What was named twice counts once.
  static void tidy(Task& task) {
    for (std::vector<std::size_t>* const list : {&task.parents, &task.children}) {
      std::ranges::sort(*list);
      const auto doubles = std::ranges::unique(*list);
      list->erase(doubles.begin(), doubles.end());
    }
  }

  // Files of before 1.5 name parents by id, or by name.
  [[nodiscard]] std::optional<std::size_t> task_of(const std::string& word) const {
    const auto by_id = index_of_.find(word);
    if (by_id != index_of_.end()) return by_id->second;
    const auto by_name = named_.find(word);
    return by_name != named_.end() ? std::optional(by_name->second) : std::nullopt;
  }

  void read_execution(const JsonValue& execution) {
    const auto runs = execution.needed_at("tasks");
    if (!runs) return;
    for (const JsonValue& run : runs->elements()) {
      const auto id_at = run.needed_at("id");
      const auto id = id_at ? id_at->text() : std::nullopt;
      if (!id) continue;
      const auto task = index_of_.find(*id);
      if (task != index_of_.end()) {
        read_run(run, task->second);
      } else {
        document_.wrong(id_at->key,
                        fmt::format("expected a task of the specification, found '{}'", *id));
      }
    }
    if (mistakes_.any()) return;
    for (const Task& task : tasks_) {
      if (task.has_run) continue;
      document_.wrong(task.key, "expected what it took in workflow.execution.tasks, found nothing");
    }
  }

  void read_run(const JsonValue& run, std::size_t index) {
    Task& task = tasks_[index];
    if (task.has_run) document_.wrong(run.key, "expected one run of each task, found another");
    task.has_run = true;
    const auto amount = [](const std::optional<JsonValue>& at, double otherwise) {
      const double found = at ? at->number().value_or(otherwise) : otherwise;
      if (found < 0)
        at->line.also_wrong(at->key, fmt::format("expected 0 or more, found {}", found));
      return found;
    };
    const auto old_runtime = run.at("runtime");
    if (const auto runtime = old_runtime ? old_runtime : run.needed_at("runtimeInSeconds")) {
      task.runtime_s = amount(runtime, 0);
      if (!is_workload_time(task.runtime_s)) {
        document_.also_wrong(runtime->key, not_a_time(task.runtime_s));
      }
    }
    task.cores = amount(first_of(run, {"coreCount", "cores"}), 1);
    const auto memory_kb = run.at("memory");
    task.memory_gb = memory_kb ? amount(memory_kb, 0) * bytes_of_kb / bytes_of_gb
                               : amount(run.at("memoryInBytes"), 0) / bytes_of_gb;
    const auto command = run.at("command");
    const auto program = command ? command->at("program") : std::nullopt;
    if (program) task.kind = program->text().value_or(task.kind);
  }

  // What tasks of one stage have in common: kind, parents, children, or the task itself.
  using Alike =
      std::tuple<std::string, std::vector<std::size_t>, std::vector<std::size_t>, std::size_t>;
  [[nodiscard]] Alike alike_of(const Task& task, std::size_t index) const {
    switch (options_.merge) {
      case WfMerge::alike:
        return {task.kind, task.parents, task.children, 0};
      case WfMerge::parents:
        return {task.kind, task.parents, {}, 0};
      case WfMerge::none:
        break;
    }
    return {"", {}, {}, index};
  }

  JobSpec job() {
    JobSpec job{.job = name_.empty() ? workload_name(file_.name()) : name_};
    std::map<Alike, std::uint32_t> stage_of_alike;
    std::vector<std::uint32_t> stage_of;  // by task
    for (Task& task : tasks_) {
      const auto next = static_cast<std::uint32_t>(job.stages.size());
      const auto [alike, is_new] =
          stage_of_alike.try_emplace(alike_of(task, stage_of.size()), next);
      if (is_new) {
        job.stages.push_back({.stage = next, .demand = {0, 0}});
        first_of_.push_back(stage_of.size());
      }
      StageSpec& stage = job.stages[alike->second];
      stage.durations.push_back(task.runtime_s);
      stage.demand[0] = std::max(stage.demand[0], task.cores);
      stage.demand[1] = std::max(stage.demand[1], task.memory_gb);
      stage_of.push_back(alike->second);
    }
    for (std::size_t stage = 0; stage < job.stages.size(); ++stage) {
      std::vector<std::uint32_t>& parents = job.stages[stage].parents;
      for (const std::size_t parent : tasks_[first_of_[stage]].parents) {
        parents.push_back(stage_of[parent]);
      }
      std::ranges::sort(parents);
      const auto doubles = std::ranges::unique(parents);
      parents.erase(doubles.begin(), doubles.end());
    }
    return job;
  }

  // What remains: tasks that wait for each other, demands beyond all bounds.
  void check(const WorkloadSpec& workload) {
    JobCheck check(workload.resources);
    check(workload.jobs.front(), [&](const std::string& key, std::string what, std::string hint) {
      const std::vector<PathStep> steps = steps_of(key);
      const bool of_a_stage = steps.size() > 1 && steps[0] == PathStep(std::string("stages"));
      if (!joined_.empty()) hint = "tasks without parents wait for those that write what they read";
      document_.wrong(of_a_stage ? tasks_[first_of_[std::get<std::size_t>(steps[1])]].key : key,
                      std::move(what), std::move(hint));
    });
  }

  const TextFile& file_;
  WfFormatOptions options_;
  MistakeCollector mistakes_;
  JsonLine document_;
  simdjson::dom::parser parser_;
  std::string name_;
  std::vector<Task> tasks_;
  std::unordered_map<std::string, std::size_t> index_of_;              // by id
  std::unordered_map<std::string, std::size_t> named_;                 // the first of a name
  std::vector<std::pair<std::size_t, std::string>> reads_;             // task and file
  std::unordered_map<std::string, std::vector<std::size_t>> writers_;  // of a file
  using Edges = std::set<std::pair<std::size_t, std::size_t>>;         // from and to a task
  Edges joined_;                                                       // by files
  std::vector<std::string> notes_;
  std::vector<std::size_t> first_of_;  // a stage's first task
};

bool looks_like(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') return false;
  const std::string_view head = text.substr(0, 100'000);
  return head.find("\"schemaVersion\"") != std::string_view::npos &&
         head.find("\"workflow\"") != std::string_view::npos;
}

const Registered<Format> row = format<WfFormatReader, WfFormatOptions>(
    "wfformat", "WfCommons' WfFormat: one workflow as JSON, which is one job", "", looks_like);

}  // namespace
}  // namespace somnus::import_wfformat

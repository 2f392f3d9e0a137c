// The files that `somnus new` writes.
#pragma once

#include <string_view>

namespace somnus::command_new {

struct NewFile {
  std::string_view name;
  std::string_view text;
};

// In names and texts, @name@ stands for the part's name, @Class@ for it as that of a type, @label@
// for what --policy calls a scheduler with it.

inline constexpr std::string_view cmake_of_plugin = R"cmake(cmake_minimum_required(VERSION 3.25)
project(@name@ CXX)

find_package(somnus REQUIRED)  # -D CMAKE_PREFIX_PATH=... says where it is installed
add_library(plugin MODULE @name@.cpp)
target_link_libraries(plugin PRIVATE somnus::policy)
set_target_properties(plugin PROPERTIES PREFIX "" OUTPUT_NAME @name@)

enable_testing()
add_test(NAME simulate COMMAND somnus::program simulate ${PROJECT_SOURCE_DIR}/compare.toml
  --plugin $<TARGET_FILE:plugin> --policy @label@ --log @name@.h5 --force)
add_test(NAME check COMMAND somnus::program check @name@.h5)
add_test(NAME replay COMMAND somnus::program replay @name@.h5)
set_tests_properties(simulate PROPERTIES FIXTURES_SETUP log)
set_tests_properties(check replay PROPERTIES FIXTURES_REQUIRED log)
)cmake";

inline constexpr NewFile cpp_order_files[] = {
    {"@name@.cpp",
     R"file(// @name@: say here in a sentence who goes first, and where the idea is from.
#include "plugins/plugin.hpp"

SOMNUS_PLUGIN("@name@", "0.1");

namespace {  // or another plug-in, or the program, may have a type of that name

struct @Class@ {
  somnus::Level level = somnus::Level::job;  // what it ranks

  // Each is a key of [scheduler.@name@], with its unit and a sentence.
  static constexpr auto fields() {
    return somnus::in_order(somnus::field("level", &@Class@::level, "", "what is ranked"));
  }

  // The least key goes first; ties go to the earlier job. `moves` says which events change it, and
  // has to be right, which `--set run.audit_keys=true` tests: not_at_all, when_tasks_end
  // (work_left_of_job(), completed()), or when_tasks_start_or_end (running(), runnable()), beside
  // which stands `bool resort_per_task = true;` (false: keys rest while a round lasts).
  using Key = double;
  static constexpr somnus::KeyMoves moves = somnus::KeyMoves::when_tasks_end;
  [[nodiscard]] Key key(const somnus::Unit& unit) const { return unit.work_left_of_job().in_ns(); }
};
static_assert(somnus::Ranking<@Class@>);

const somnus::Registered<somnus::Part> row =
    somnus::rows::order<@Class@>("@name@", "least estimated work left first", "my own idea");

}  // namespace
)file"},
    {"CMakeLists.txt", cmake_of_plugin},
    {"README.md", R"md(# @name@

An order for Somnus: who is next, by a key.

    cmake -B build -DCMAKE_BUILD_TYPE=Release   # -DCMAKE_PREFIX_PATH=... where Somnus is installed
    cmake --build build
    ctest --test-dir build                # it simulates, and its log is checked and replayed
    somnus simulate compare.toml --plugin build/@name@.so --policy fifo,fair,srpt,fair+order=@name@
    somnus simulate compare.toml --plugin build/@name@.so --policy fair+order=@name@ \
        --set run.audit_keys=true

The last one asks for all keys in each round, and ends where one has moved unnoticed. What a key may
be made of is in `scheduler/unit.hpp` of the installed headers, which events it may hear of in
`scheduler/ranking.hpp`.
)md"},
};

inline constexpr NewFile python_order_files[] = {
    {"@name@.py",
     R"py("""@name@: say here in a sentence who goes first, and where the idea is from."""

import somnus


class @Class@(somnus.Order):
    # What moves keys; () if nothing does. "ended" gives a unit work_left and completed, "started"
    # beside it running and runnable.
    events = ("ended",)

    # The least key goes first; ties go to the earlier job.
    def key(self, unit: somnus.Unit) -> somnus.Key:
        return unit.work_left


if __name__ == "__main__":
    somnus.serve(@Class@())
)py"},
    {"README.md", R"md(# @name@

An order for Somnus: who is next, by a key. In this folder:

    somnus protocol python3 @name@.py     # tries it with a dozen jobs, and shows all that is said
    somnus simulate compare.toml --policy fifo,fair,srpt,fair+order=external
    somnus simulate compare.toml --policy fair+order=external --set run.audit_keys=true

The last one asks for all keys in each round, and ends where one has moved without an event that the
order gets. `help(somnus.Order)` and `help(somnus.Unit)` say what a key may be made of, and which
events an order may hear of.
)md"},
};

inline constexpr NewFile cpp_policy_files[] = {
    {"@name@.cpp",
     R"file(// @name@: say here in a sentence what it decides, and where the idea is from.
#include "plugins/plugin.hpp"
#include "scheduler/gang_nodes.hpp"
#include "scheduler/presets.hpp"

SOMNUS_PLUGIN("@name@", "0.1");

namespace {  // or another plug-in, or the program, may have a type of that name

// Each field is a key of [scheduler.@name@], with its unit and a sentence.
struct Rules@Class@ {
  static constexpr auto fields() { return somnus::in_order(); }
  // What it can do. Of gangs and resources it has to say so, or is refused where jobs have them.
  [[nodiscard]] static somnus::PolicyTraits traits() {
    return {.order = {}, .placement = {.places_gangs = true, .heeds_demands = true}};
  }
};

class @Class@ final : public somnus::Policy {
 public:
  using Rules = Rules@Class@;
  @Class@(const Rules& /*rules*/, const somnus::Environment& /*environment*/) {}

  // What happens; the views that plan() gets have it, too.
  void job_arrived(somnus::Time, somnus::JobId, const somnus::SchedulerView&) override {}
  void stage_runnable(somnus::Time, somnus::StageId, const somnus::SchedulerView&) override {}
  void stage_withdrawn(somnus::StageId, const somnus::SchedulerView&) override {}
  void task_ended(const somnus::TaskEnded&, somnus::StageId, const somnus::SchedulerView&) override {}
  void job_ended(somnus::JobId, const somnus::SchedulerView&) override {}

  // Called once a round, after all its events. Each decision changes the views at once.
  void plan(somnus::Time /*now*/, somnus::SchedulerContext& context) override {
    const somnus::SchedulerView& view = context.scheduler_view();
    somnus::StageId next = view.jobs.first_runnable();
    while (next.valid()) {
      const somnus::StageId stage = next;
      next = view.jobs.next_runnable(stage);  // with its last task a stage leaves the list
      if (view.jobs[stage].gang || view.jobs[stage].exclusive) {
        const auto nodes = somnus::nodes_in_turn(stage, {view.jobs, view.nodes});
        if (nodes.empty()) continue;
        if (view.jobs[stage].gang) {
          context.place_gang(stage, nodes);
        } else {
          context.place(stage, nodes.front());  // a single task that has its node for itself
        }
        continue;
      }
      while (view.jobs.runnable(stage) > 0) {
        const somnus::NodeId node = view.nodes.first_with_room(view.jobs.demand(stage));
        if (!node.valid()) break;
        context.place(stage, node);
      }
    }
  }
};

const somnus::Registered<somnus::Part> part =
    somnus::rows::policy<@Class@>("@name@", "each stage starts what fits", "my own idea");
const somnus::Registered<somnus::Preset> preset =
    somnus::presets_of::whole_policy("@name@", "@name@", "each stage starts what fits", "my own idea");

}  // namespace
)file"},
    {"CMakeLists.txt", cmake_of_plugin},
    {"README.md", R"md(# @name@

A whole policy for Somnus: it decides all, by jobs, stages and nodes that it sees.

    cmake -B build -DCMAKE_BUILD_TYPE=Release   # -DCMAKE_PREFIX_PATH=... where Somnus is installed
    cmake --build build
    ctest --test-dir build                # it simulates, and its log is checked and replayed
    somnus simulate compare.toml --plugin build/@name@.so --policy fifo,fair,srpt,@name@

What it may decide is `SchedulerContext` in `scheduler/scheduler_context.hpp` of the installed headers, which
events it may hear of `Policy` there; what it sees is in `scheduler/jobs_view.hpp` and
`scheduler/node_view.hpp`.
)md"},
};

inline constexpr NewFile python_policy_files[] = {
    {"@name@.py",
     R"py("""@name@: say here in a sentence what it decides, and where the idea is from."""

import somnus


class @Class@(somnus.Policy):
    # Called once a round, when all that has happened is in self.jobs, self.stages and self.nodes.
    # Methods such as task_ended(now, end) hear of each event before.
    def plan(self, now: int) -> None:
        for stage in self.waiting():
            if not self.any_ready:
                return
            if stage.gang:
                if nodes := self.nodes_for_gang(stage):
                    self.place_gang(stage, nodes)
                continue
            while stage.runnable and (node := self.first_with_room(stage)):
                self.place(stage, node)


if __name__ == "__main__":
    somnus.serve(@Class@())
)py"},
    {"README.md", R"md(# @name@

A whole policy for Somnus: it decides all, by jobs, stages and nodes that it sees. In this folder:

    somnus protocol --level policy -- python3 @name@.py   # tries it, and shows all that is said
    somnus simulate compare.toml --policy fifo,fair,srpt,external

`help(somnus.Policy)` says what it may decide, and which events it may hear of.
)md"},
};

inline constexpr std::string_view new_config =
    R"toml(# @name@ beside others, on jobs as in a Google cluster; --policy says which.

[cluster]
nodes = 10
slots_per_node = 8

[scheduler]
policy = "@policy@"
@external@
[workload]
generator = "google"
jobs = 1000
load = 0.9
)toml";

inline constexpr std::string_view new_config_external = R"toml(
[scheduler.external]  # of "external"
command = ["python3", "./@name@.py"]  # of this folder
)toml";

}  // namespace somnus::command_new

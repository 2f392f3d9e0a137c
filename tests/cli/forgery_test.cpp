// No column of a log can be changed unnoticed: not in the file, where seals name its block, and not
// by somebody who seals what he forged, where what the column says is worked out again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <span>

#include "audit/check.hpp"
#include "config/config.hpp"
#include "log/damage.hpp"
#include "log/held_columns.hpp"
#include "log/reader.hpp"
#include "log/sample_log.hpp"
#include "session/replay.hpp"
#include "session/simulation.hpp"
#include "session/workload_source.hpp"

namespace somnus {
namespace {

using testing::Damage;
using testing::FreshFolder;
using testing::Harm;

constexpr const char* workload_text =
    R"({"somnus_workload": 1, "name": "few", "resources": ["cpu"], "users": {"ann": 2}}
{"job": "a", "user": "ann", "queue": "A", "submit": 0, "weight": 2, "progress": [0.5, 0.75, 0.9], "stages": [{"stage": 0, "durations": [3, 2, 1.5], "demand": {"cpu": 1}, "affinity": [1, 0]}, {"stage": 1, "parents": [0], "durations": [1, 1.25], "demand": {"cpu": 1}}]}
{"job": "b", "user": "bob", "queue": "B", "account": "lab", "qos": "high", "app": "a", "submit": 0.5, "durations": [2, 2, 2, 0.75], "first": [2.5, 2.25, 2.125, 1], "fresh": [4, 3, 2.5, 2]}
{"job": "c", "user": "bob", "queue": "A", "submit": 1.25, "warmup": 1.5, "stages": [{"stage": 4, "durations": [1.5, 1]}, {"stage": 5, "durations": [1]}, {"stage": 6, "parents": [4, 5], "tasks": 3, "duration": 0.5, "affinity": [2]}]}
{"job": "d", "user": "ann", "queue": "B", "account": "hall", "nice": 5, "after": "b", "think": 0.25, "submit": 2, "durations": [1, 1]}
)";

struct Scheduler {
  const char* name;
  const char* toml;
};

constexpr Scheduler schedulers[] = {
    {"fifo", "policy = \"fifo\""},
    {"fair", "policy = \"fair\""},
    {"srpt", "policy = \"srpt\""},
    {"cfq", "policy = \"cfq\"\n[jvm]\nmodel = \"reuse\"\nfactor = 2"},
    {"executor",
     "policy = \"fair\"\n[jvm]\nmodel = \"executor\"\nstart_s = 0.5\nfactor = 2\n"
     "decay_tasks = 2"},
    {"measured", "policy = \"srpt\"\n[jvm]\nmodel = \"measured\""},
    {"ujf", "policy = \"ujf\""},
    {"uwfq", "policy = \"uwfq\""},
    {"jobqueue", "policy = \"fair\"\norder = \"job-queue\""},
    {"drf", "policy = \"drf\""},
    {"carbyne", "policy = \"carbyne\""},
    {"paf", "policy = \"paf\""},
    {"waking", "policy = \"carbyne\"\ncarbyne.leftover = \"none\""},
    {"capacity", "policy = \"fair\"\norder = \"capacity\""},
    {"delays", "policy = \"fair\"\n[network]\ndelay_ms = 20"},
    {"yarn", "policy = \"yarn\""},
    {"yaq-c", "policy = \"yaq-c\""},
    {"mercury", "policy = \"mercury\""},
    {"sparrow", "policy = \"sparrow\""}};

/// Together they fill all tables that any of them fills.
constexpr Scheduler of_all_tables[] = {
    {"waking", "policy = \"carbyne\"\ncarbyne.leftover = \"none\""},
    {"yaq-c", "policy = \"yaq-c\""},
    {"sparrow", "policy = \"sparrow\""}};

/// Calls visit(path, rows) for each table.
void for_each_table(Log& log, auto&& visit) {
  visit("/jobs", log.tables.jobs);
  visit("/stages", log.tables.stages);
  visit("/stage_parents", log.tables.stage_parents);
  visit("/stage_affinity", log.tables.stage_affinity);
  visit("/curves", log.tables.curves);
  visit("/gangs", log.tables.gangs);
  visit("/accounting", log.tables.accounting);
  visit("/limits", log.tables.limits);
  visit("/cold_tasks", log.tables.cold_tasks);
  visit("/nodes", log.tables.nodes);
  visit("/users", log.tables.users);
  visit("/ranks", log.tables.ranks);
  LongRows::for_each(
      [&]<class Row>(std::type_identity<Row>) { visit(path_of<Row>(), rows_of<Row>(log)); });
}

void change(double& value) { value = std::isfinite(value) ? value + 0.001 + 0.01 * value : 1; }
void change(OfSeconds auto& value) { change(value.seconds); }
void change(std::integral auto& value) { ++value; }
template <class Code>
  requires std::is_enum_v<Code>
void change(Code& value) {
  value = static_cast<Code>(static_cast<std::underlying_type_t<Code>>(value) + 1);
}
template <class Tag>
void change(Id<Tag>& value) {
  value = Id<Tag>(value.value() + 1);
}

bool objected(const Log& log) {
  if (!passed(check_log(log))) return true;
  const auto replayed = replay_log(log);
  return !replayed || !replayed->difference.empty();
}

class WrittenLog : public ::testing::Test {
 protected:
  std::filesystem::path write_log(const Scheduler& scheduler) {
    const std::filesystem::path workload = folder_ / "few.jsonl";
    std::ofstream(workload) << workload_text;
    std::filesystem::path path = folder_ / "run.h5";
    const std::string toml = fmt::format(
        "[cluster]\nnodes = 3\nslots_per_node = 1\n[workload]\nfile = \"{}\"\n[log]\n"
        "file = \"{}\"\nsample_interval_s = 0.75\n[scheduler]\n{}\n",
        workload.string(), path.string(), scheduler.toml);
    const Settings settings = value_or_throw(parse_settings(toml, "forgery.toml", {}));
    const Workload made = value_or_throw(workload_of(settings));
    EXPECT_TRUE(simulate_one(settings, made, {}).complete);
    return path;
  }

  /// The tables that have rows in a log of any of these.
  std::set<std::string> filled(std::span<const Scheduler> by) {
    std::set<std::string> tables;
    for (const Scheduler& scheduler : by) {
      const std::filesystem::path path = write_log(scheduler);
      Log log = value_or_throw(read_log(path));
      std::filesystem::remove(path);
      for_each_table(log, [&](const std::string& table, const auto& rows) {
        if (!rows.empty()) tables.insert(table);
      });
    }
    return tables;
  }

  FreshFolder folder_;
};

class Forgery : public WrittenLog, public ::testing::WithParamInterface<Scheduler> {
 protected:
  std::filesystem::path write_log() { return WrittenLog::write_log(GetParam()); }
};

// Seals are the same whoever schedules: of each of a few, the tables that those before it leave
// empty.
class DamagedLog : public Forgery {
 protected:
  std::set<std::string> filled_before() {
    const std::span<const Scheduler> all(of_all_tables);
    const auto mine = std::ranges::find(all, std::string_view(GetParam().name), &Scheduler::name);
    return filled(all.first(static_cast<std::size_t>(mine - all.begin())));
  }
};

TEST_F(WrittenLog, OfAFewSchedulersHasAllTablesThatOthersFill) {
  EXPECT_EQ(filled(of_all_tables), filled(schedulers));
}

TEST_P(DamagedLog, IsFoundByTheSealsWhereverItIsInTheFile) {
  const std::set<std::string> done = filled_before();
  const std::filesystem::path log = write_log();
  const std::filesystem::path copy = folder_ / "damaged.h5";
  testing::repack(log);
  const Log whole = value_or_throw(read_log(log));
  const auto findings = check_log(whole);
  ASSERT_TRUE(passed(findings)) << to_text(findings);
  ASSERT_EQ(value_or_throw(replay_log(whole)).difference, "");
  for (const Damage& damage : testing::damages_of(log)) {
    if (damage.harm == Harm::attribute) continue;  // tests/record does: they are the same
    if (done.contains(damage.dataset)) continue;
    SCOPED_TRACE(damage.text());
    std::filesystem::copy_file(log, copy, std::filesystem::copy_options::overwrite_existing);
    testing::apply(damage, copy);
    const Checked<Log> read = read_log(copy);
    if (!read) continue;
    const Finding seals = check_log(*read).front();
    EXPECT_GT(seals.offences, 0U);
    for (const std::string& clue : damage.clues()) {
      EXPECT_THAT(seals.first, ::testing::HasSubstr(clue));
    }
  }
}

TEST_P(Forgery, IsFoundByWorkingOutAgainWhateverCanBe) {
  Log log = value_or_throw(read_log(write_log()));
  log.seals.reset();  // as if he had sealed what he forged
  EXPECT_EQ(log.events.get<Stamped<Woken>>().empty(), std::string("waking") != GetParam().name);
  // Every row of a few, and of the others every third, of each column other ones.
  const auto is_mine = [](const Scheduler& one) {
    return one.name == std::string(GetParam().name);
  };
  const std::size_t step = std::ranges::any_of(of_all_tables, is_mine) ? 1 : 3;
  std::size_t columns = 0;
  for_each_table(log, [&]<class Row>(const std::string& table, std::vector<Row>& rows) {
    for_each_field<Row>([&](const auto& field) {
      const HeldColumn* const audit = held_column(fmt::format("{}.{}", table, field.name));
      ASSERT_NE(audit, nullptr) << table << " " << field.name;
      if (audit->held == Held::sealed) return;
      for (std::size_t at = columns++ % step; at < rows.size(); at += step) {
        const Row before = rows[at];
        change(rows[at].*field.member);
        EXPECT_TRUE(objected(log)) << table << " row " << at << ": another " << field.name;
        rows[at] = before;
      }
    });
  });
  for (const auto forge :
       {+[](Log& one) { ++one.header.seed; }, +[](Log& one) { ++one.header.speed; },
        +[](Log& one) { ++one.header.ranks; }, +[](Log& one) { one.header.label += "+"; },
        +[](Log& one) { ++one.tables.scheduler.events; },
        +[](Log& one) { ++one.tables.scheduler.decisions; },
        +[](Log& one) { ++one.tables.scheduler.rounds; },
        +[](Log& one) { one.tables.scheduler.backups += 7; },
        +[](Log& one) { one.tables.scheduler.backups_won += 7; },
        +[](Log& one) { one.tables.scheduler.wasted += 7; },
        +[](Log& one) { one.tables.scheduler.lag_max += 7; },
        +[](Log& one) { one.header.mode = "run"; },
        +[](Log& one) {
          one.header.mode = "run";
          one.header.ranks = 2;
          one.tables.ranks.push_back({.rank = 1});
        }}) {
    Log forged = log;
    forge(forged);
    EXPECT_TRUE(objected(forged));
  }
}

std::string name_of_case(const ::testing::TestParamInfo<Scheduler>& one) {
  std::string name = one.param.name;
  std::erase(name, '-');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Of, Forgery, ::testing::ValuesIn(schedulers), name_of_case);
INSTANTIATE_TEST_SUITE_P(Of, DamagedLog, ::testing::ValuesIn(of_all_tables), name_of_case);

// A forged log that is sealed again has good seals; its numbers and decisions give it away.
TEST_P(Forgery, OfWholeRowsIsFoundInTheTableOfEachKind) {
  Log log = value_or_throw(read_log(write_log()));
  log.seals.reset();
  for_each_table(log, [&]<class Row>(const std::string& table, std::vector<Row>& rows) {
    constexpr bool numbered = EventRows::has<Row> || DecisionRows::has<Row>;
    if (!numbered || rows.empty()) return;
    const std::vector<Row> before = rows;
    const auto at = static_cast<std::ptrdiff_t>((rows.size() - 1) / 2);
    const auto expect_named = [&](const char* harm) {
      const auto findings = check_log(log);
      const auto broken = std::ranges::find_if(
          findings, [](const Finding& one) { return one.offences > 0 && one.asserted; });
      ASSERT_NE(broken, findings.end()) << table << " row " << at << " " << harm;
      EXPECT_THAT(findings, ::testing::Contains(::testing::Field(
                                &Finding::first,
                                ::testing::ContainsRegex("/(events|decisions)/[a-z_]+ row"))))
          << table << " row " << at << " " << harm << "\n"
          << to_text(findings);
      rows = before;
    };
    rows.erase(rows.begin() + at);
    expect_named("is gone");
    rows.insert(rows.begin() + at, before[static_cast<std::size_t>(at)]);
    expect_named("twice");
    if (rows.size() < 2) return;
    std::swap(rows[static_cast<std::size_t>(at)], rows[static_cast<std::size_t>(at) + 1]);
    expect_named("exchanged with the next");
  });
}

TEST_F(WrittenLog, OfAnotherWorkloadThanIsThereIsNoted) {
  Log log = value_or_throw(read_log(write_log({"fifo", "policy = \"fifo\""})));
  log.seals.reset();
  const auto noted = [&] {
    std::string sentences;
    for (const Finding& one : check_log(log)) {
      if (one.offences > 0) sentences += one.invariant + ": " + one.first;
    }
    return sentences;
  };
  EXPECT_EQ(noted(), "");
  log.header.workload_digest = "0123456789abcdef";
  EXPECT_THAT(noted(), ::testing::StartsWith("the workload that the config names"));
  EXPECT_THAT(noted(), ::testing::HasSubstr("workload_digest is 0123456789abcdef"));
  EXPECT_TRUE(passed(check_log(log)));
}

TEST_F(WrittenLog, OfFailuresIsHeldToTheSeed) {
  Log log = value_or_throw(read_log(
      write_log({"faults", "policy = \"fifo\"\n[faults]\ntask_failure_probability = 0.3"})));
  log.seals.reset();
  ASSERT_TRUE(passed(check_log(log)));
  const auto failed = std::ranges::find(log.tasks, 1, &TaskRow::outcome);
  ASSERT_NE(failed, log.tasks.end());
  const TaskRow before = *failed;
  failed->finish += 1e-6;
  EXPECT_FALSE(passed(check_log(log)));
  *failed = before;
  log.header.seed += 1;
  log.header.config.replace(log.header.config.find("seed = 1"), 8, "seed = 2");
  EXPECT_FALSE(passed(check_log(log)));
}

TEST_F(WrittenLog, CountsBackupsAsTheAttemptsDo) {
  Log log = value_or_throw(read_log(
      write_log({"backups",
                 "policy = \"fifo\"\n[faults]\nstraggler_probability = 0.4\nstraggler_factor = 9\n"
                 "[speculation]\nslowdown = 1\nquantile = 0.1\nleast_s = 0"})));
  log.seals.reset();
  ASSERT_TRUE(passed(check_log(log))) << to_text(check_log(log));
  EXPECT_GT(log.tables.scheduler.backups_won, 0U);
  EXPECT_GT(log.tables.scheduler.wasted, 0);
  for (const auto forge :
       {+[](SchedulerRow& row) { row.backups += 7; }, +[](SchedulerRow& row) { --row.backups_won; },
        +[](SchedulerRow& row) { row.wasted += 1e-5; }}) {
    const SchedulerRow before = log.tables.scheduler;
    forge(log.tables.scheduler);
    EXPECT_FALSE(passed(check_log(log)));
    log.tables.scheduler = before;
  }
}

TEST(Columns, AreAllHeldBySomething) {
  const FreshFolder folder;
  const std::filesystem::path path = folder / "run.h5";
  LogWriter(path, testing::sample_header(), testing::sample_tables())
      .close(testing::sample_tables(), true);
  for (const std::string& column : testing::columns_of(path)) {
    EXPECT_NE(held_column(column), nullptr)
        << "nobody says how " << column << " is held to be true";
  }
  for (const Damage& damage : testing::damages_of(path)) {
    if (damage.dataset != "/" || damage.name == "seal") continue;
    EXPECT_NE(held_column(damage.name), nullptr) << "root attribute " << damage.name;
  }
}

}  // namespace
}  // namespace somnus

#include "log/sample_log.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iterator>
#include <type_traits>

namespace somnus::testing {

LogHeader sample_header() {
  std::string config = "[run]\nseed = 18446744073709551615\n";
  while (config.size() < 100'000) config += "# a comment that makes the config long ü\n";
  return {.mode = "simulate",
          .somnus_version = "0.1.0",
          .commit = "0123abc",
          .config = config,
          .workload_name = "three jobs",
          .workload_digest = "feedc0de",
          .seed = 18446744073709551615u,
          .speed = 2.5,
          .ranks = 3,
          .resources = {"cpu", "mem_gb"}};
}

LogTables sample_tables() {
  using namespace std::string_literals;
  LogTables tables;
  for (std::uint32_t j = 0; j < 3; ++j) {
    tables.jobs.push_back({.job = j,
                           .user = j % 2,
                           .queue = 0,
                           .app = j,
                           .tasks = j == 0 ? 20u : 10u,
                           .stages = j == 0 ? 2U : 1U,
                           .weight = 1.5,
                           .submit = 0.25 * j,
                           .slot_time = 100.0 / 3});
  }
  const std::uint32_t job_of_stage[] = {0, 0, 1, 2};
  for (std::uint32_t s = 0; s < 4; ++s) {
    tables.stages.push_back({.job = job_of_stage[s], .stage = s % 2, .tasks = 10});
    tables.stage_demands.push_back({1.0 + s, 0.1});
  }
  tables.stage_parents = {{.job = 0, .stage = 1, .parent = 0}};
  tables.curves = {{.job = 0, .slots = 1, .gain = 0.75}, {.job = 0, .slots = 2, .gain = 0.25}};
  tables.gangs = {{.stage = 1}, {.stage = 2, .exclusive = 1}};
  tables.accounting = {{.job = 0, .account = 1, .nice = -5}, {.job = 1, .qos = 0}};
  tables.limits = {{.job = 0, .limit = 60}, {.job = 2, .limit = 0.5}};
  tables.stage_affinity = {{.stage = 0, .node = 1}, {.stage = 0, .node = 0}, {.stage = 3}};
  for (std::size_t task = 0; task < 40; ++task) {
    tables.cold_tasks.push_back({.fresh = 3.0 + static_cast<double>(task), .first = 1.5});
  }
  tables.nodes = {{.node = 0, .slots = 8, .resources = {8, 64}},
                  {.node = 1, .rank = 2, .slots = 4, .slowdown = 2, .resources = {4, 32}}};
  tables.users = {{.user = 0}, {.user = 1, .weight = 3}};
  tables.names = {.jobs = {"", "nul\0inside"s, "ends in nul\0\0"s},
                  .users = {"Ünïcödé 用户", "ann"},
                  .queues = {"\xff\xfe not UTF-8"},
                  .accounts = {"lab", "theory"},
                  .qos = {"high"},
                  .apps = {"a", "b/c", std::string(3000, 'x')},
                  .groups = {}};
  tables.ranks = {{.rank = 0, .cpu = 0.5}, {.rank = 1, .messages_in = 1ull << 60}, {.rank = 2}};
  tables.lateness = {{.rank = 0, .up_to = 0.5, .looks = 1ull << 40},
                     {.rank = 2, .up_to = 0.25, .looks = 3}};
  tables.scheduler = {.events = 7, .lag_p99 = 0.125};
  return tables;
}

TaskRow task_row(std::size_t n) {
  const auto number = static_cast<std::uint32_t>(n);
  const auto time = static_cast<double>(n);
  return {.job = number,
          .stage = number + 1,
          .index = number + 2,
          .node = number + 3,
          .slot = static_cast<std::uint32_t>(n % 70'000),
          .attempt = static_cast<std::uint16_t>(n % 65'521),
          .warm = static_cast<std::uint8_t>(n % 2),
          .outcome = static_cast<std::uint8_t>(n % 4),
          .ready = time,
          .placed = time + 0.1,
          .queued = time + 0.2,
          .start = time + 0.3,
          .finish = n % 4 == 3 ? nan_time : time / 3,
          .intended = -time,
          .nominal = time * 1e-9};
}

SampleRow sample_row(std::size_t n) {
  const auto number = static_cast<std::uint32_t>(n);
  const auto time = static_cast<double>(n);
  return {.time = time,
          .busy_slots = number,
          .pending_tasks = number + 1,
          .queued_tasks = number + 2,
          .active_jobs = number + 3,
          .active_users = number + 4,
          .lag = time * 1e-6,
          .allocated = {time / 7, time / 11}};
}

template <class Row>
Row long_row(std::size_t n) {
  if constexpr (std::is_same_v<Row, TaskRow>) {
    return task_row(n);
  } else if constexpr (std::is_same_v<Row, SampleRow>) {
    return sample_row(n);
  } else {
    Row row{};
    std::size_t more = 0;
    for_each_field<Row>([&](const auto& field) {
      auto& member = row.*field.member;
      using Member = std::remove_cvref_t<decltype(member)>;
      if constexpr (NamedEnum<Member>) {
        member = EnumNames<Member>::names[n % std::size(EnumNames<Member>::names)].first;
      } else if constexpr (OfSeconds<Member>) {
        member.seconds = n % 3 == 0 ? nan_time : static_cast<double>(n) / 3;
      } else {
        member = static_cast<Member>(n % 65'521 + more++);
      }
    });
    return row;
  }
}

void add_rows(LogWriter& writer, std::size_t first, std::size_t last) {
  for (std::size_t n = first; n < last; ++n) {
    LongRows::for_each([&]<class Row>(std::type_identity<Row>) { writer.add(long_row<Row>(n)); });
  }
}

namespace {

/// In every column, NaN equal to NaN.
template <class Row>
bool same_row(const Row& a, const Row& b) {
  bool same = true;
  for_each_field<Row>([&](const auto& field) {
    const auto in_a = plain(a.*field.member);
    const auto in_b = plain(b.*field.member);
    same = same && (in_a == in_b || (in_a != in_a && in_b != in_b));
  });
  if constexpr (requires { a.allocated; }) same = same && a.allocated == b.allocated;
  if constexpr (requires { a.resources; }) same = same && a.resources == b.resources;
  return same;
}

}  // namespace

template <class Row>
std::size_t right_rows(const std::vector<Row>& rows, Row (*row_of)(std::size_t)) {
  for (std::size_t n = 0; n < rows.size(); ++n) {
    if (!same_row(rows[n], row_of(n))) return n;
  }
  return rows.size();
}

bool all_right(const Log& log, std::size_t rows) {
  bool right = true;
  LongRows::for_each([&]<class Row>(std::type_identity<Row>) {
    right = right && rows_of<Row>(log).size() == rows &&
            right_rows(rows_of<Row>(log), long_row<Row>) == rows;
  });
  return right;
}

// Those that tests ask for one by one.
template Stamped<JobArrived> long_row(std::size_t);
template Stamped<Launch> long_row(std::size_t);
template TaskRow long_row(std::size_t);
template SampleRow long_row(std::size_t);
template std::size_t right_rows(const std::vector<Stamped<JobArrived>>&,
                                Stamped<JobArrived> (*)(std::size_t));
template std::size_t right_rows(const std::vector<Stamped<Launch>>&,
                                Stamped<Launch> (*)(std::size_t));
template std::size_t right_rows(const std::vector<TaskRow>&, TaskRow (*)(std::size_t));
template std::size_t right_rows(const std::vector<SampleRow>&, SampleRow (*)(std::size_t));

void expect_equal(const LogTables& actual, const LogTables& expected) {
  EXPECT_EQ(texts(actual.jobs), texts(expected.jobs));
  EXPECT_EQ(texts(actual.stages), texts(expected.stages));
  EXPECT_EQ(texts(actual.stage_parents), texts(expected.stage_parents));
  EXPECT_EQ(texts(actual.stage_affinity), texts(expected.stage_affinity));
  EXPECT_EQ(texts(actual.curves), texts(expected.curves));
  EXPECT_EQ(texts(actual.gangs), texts(expected.gangs));
  EXPECT_EQ(texts(actual.accounting), texts(expected.accounting));
  EXPECT_EQ(texts(actual.limits), texts(expected.limits));
  EXPECT_EQ(texts(actual.cold_tasks), texts(expected.cold_tasks));
  EXPECT_EQ(texts(actual.nodes), texts(expected.nodes));
  EXPECT_EQ(texts(actual.users), texts(expected.users));
  EXPECT_EQ(actual.stage_demands, expected.stage_demands);
  EXPECT_EQ(actual.names, expected.names);
  EXPECT_EQ(texts(actual.ranks), texts(expected.ranks));
  EXPECT_EQ(texts(actual.lateness), texts(expected.lateness));
  EXPECT_EQ(text(actual.scheduler), text(expected.scheduler));
}

}  // namespace somnus::testing

// Laws of the native format, over random workloads and random bytes.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>
#include <tuple>

#include "text/key_path.hpp"
#include "workload/check.hpp"
#include "workload/native.hpp"
#include "workload/support.hpp"

namespace somnus {

static auto tied(const StageSpec& stage) {
  return std::tie(stage.stage, stage.parents, stage.durations, stage.demand, stage.work, stage.skew,
                  stage.affinity, stage.fresh, stage.first);
}
static bool operator==(const StageSpec& a, const StageSpec& b) { return tied(a) == tied(b); }
static auto tied(const JobSpec& job) {
  return std::tie(job.job, job.user, job.queue, job.app, job.submit, job.after, job.think,
                  job.weight, job.estimate, job.warmup, job.curve, job.progress, job.stages);
}
static bool operator==(const JobSpec& a, const JobSpec& b) { return tied(a) == tied(b); }
static bool operator==(const UserSpec& a, const UserSpec& b) {
  return a.user == b.user && a.weight == b.weight;
}

namespace test {
namespace {

double real(double low, double high) {
  constexpr std::uint64_t steps = std::uint64_t{1} << 53;
  const auto step = *rc::gen::inRange<std::uint64_t>(0, steps);
  return low + (high - low) * (static_cast<double>(step) / static_cast<double>(steps));
}
double maybe_whole(double low, double high) {
  return *rc::gen::arbitrary<bool>() ? std::floor(real(low, high)) : real(low, high);
}
std::vector<double> reals(std::size_t least, std::size_t most, double high) {
  std::vector<double> values(*rc::gen::inRange(least, most + 1));
  for (double& value : values) value = maybe_whole(0, high);
  return values;
}
std::string any_name() {
  // Beside letters: what JSON or a path must escape, and text of more than one byte.
  const auto pieces =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
          "a", "Q", "7", " ", ".", "[", "]", "\"", "\\", "\n", "\x01", "/", "\xc3\xa4",
          "\xe2\x80\xa8", "\xf0\x9f\x98\xb4", std::string(1, '\0'))));
  std::string name;
  for (const auto& piece : pieces) name += piece;
  return name;
}

StageSpec any_stage(std::uint32_t label, const std::vector<StageSpec>& earlier,
                    std::size_t resources) {
  StageSpec stage{.stage = label};
  for (const StageSpec& each : earlier) {
    if (*rc::gen::arbitrary<bool>()) stage.parents.push_back(each.stage);
  }
  if (*rc::gen::arbitrary<bool>()) {
    stage.durations = reals(1, 5, 1000);
    const std::size_t tasks = stage.durations.size();
    if (*rc::gen::arbitrary<bool>()) stage.fresh = reals(tasks, tasks, 1000);
    if (*rc::gen::arbitrary<bool>()) stage.first = reals(tasks, tasks, 1000);
  } else {
    stage.work = real(0.5, 1000);
    stage.skew = reals(0, 4, 10);
    if (!stage.skew.empty()) stage.skew[0] += 1;
  }
  if (resources > 0 && *rc::gen::arbitrary<bool>()) {
    stage.demand = reals(resources, resources, 64);
    stage.demand[0] += 1;
  }
  const auto nodes = *rc::gen::container<std::set<std::uint32_t>>(rc::gen::oneOf(
      rc::gen::inRange<std::uint32_t>(0, 10), rc::gen::inRange<std::uint32_t>(0, most_node)));
  if (*rc::gen::arbitrary<bool>()) stage.affinity.assign(nodes.rbegin(), nodes.rend());
  return stage;
}

WorkloadSpec any_workload() {
  WorkloadSpec workload{.name = any_name()};
  const auto kinds = *rc::gen::inRange<std::size_t>(0, most_resource_kinds + 1);
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    workload.resources.push_back(any_name() + std::to_string(kind));
  }
  const auto jobs = *rc::gen::inRange(1, 6);
  double submit = 0;
  for (int index = 0; index < jobs; ++index) {
    submit += maybe_whole(0, 1000);
    JobSpec job{.job = any_name() + std::to_string(index), .submit = submit};
    if (*rc::gen::arbitrary<bool>()) job.user = any_name();
    if (*rc::gen::arbitrary<bool>()) job.queue = any_name();
    if (*rc::gen::arbitrary<bool>()) job.app = any_name();
    if (index > 0 && *rc::gen::arbitrary<bool>()) {
      job.after = workload.jobs[*rc::gen::inRange<std::size_t>(0, workload.jobs.size())].job;
      job.think = maybe_whole(0, 100);
    }
    if (*rc::gen::arbitrary<bool>()) job.weight = real(0.001, 20);
    if (*rc::gen::arbitrary<bool>()) job.estimate = real(0.001, 1e6);
    if (*rc::gen::arbitrary<bool>()) job.warmup = real(1, 8);
    if (*rc::gen::arbitrary<bool>()) {
      job.curve = reals(4, 4, 1);
      job.curve[0] += 0.1;
    } else if (*rc::gen::arbitrary<bool>()) {
      job.progress = reals(1, 5, 1);
      for (double& progress : job.progress) progress += 0.1;
    }
    const auto stages = *rc::gen::inRange<std::uint32_t>(1, 5);
    const auto first_label = *rc::gen::inRange<std::uint32_t>(0, 3);
    for (std::uint32_t stage = 0; stage < stages; ++stage) {
      job.stages.push_back(any_stage(first_label + 2 * stage, job.stages, kinds));
    }
    workload.jobs.push_back(std::move(job));
  }
  std::set<std::string> users;
  for (const JobSpec& job : workload.jobs) users.insert(job.user);
  for (const std::string& user : users) {
    if (*rc::gen::arbitrary<bool>()) workload.users.push_back({user, real(0.001, 20)});
  }
  return workload;
}

std::string mutated(std::string bytes) {
  const auto changes = *rc::gen::inRange(1, 5);
  for (int change = 0; change < changes && !bytes.empty(); ++change) {
    const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size());
    const char byte = *rc::gen::oneOf(rc::gen::arbitrary<char>(),
                                      rc::gen::element('{', '}', '[', ']', '"', ',', ':', '-', '0',
                                                       '9', 'e', '.', '\n', '\0', '\xff'));
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        bytes[at] = byte;
        break;
      case 1:
        bytes.insert(at, 1, byte);
        break;
      case 2:
        bytes.erase(at, *rc::gen::inRange<std::size_t>(1, 20));
        break;
      default:
        bytes.resize(at);
        break;
    }
  }
  return bytes;
}

// A reader's whole contract for arbitrary bytes: a sound workload, or mistakes that can be printed.
void expect_value_or_mistakes(const std::string& bytes) {
  const auto file = TextFile::decode("w", bytes);
  if (!file) {
    RC_ASSERT(file.error().any());
    return;
  }
  const auto workload = parse_native(*file);
  if (!workload) {
    RC_ASSERT(workload.error().any());
    RC_ASSERT(workload.error().text().starts_with("w:"));
    return;
  }
  RC_ASSERT(mistakes_in(check_workload(*workload)) == "none");
}

TEST(NativeFormat, ReadsBackExactlyWhatWasWritten) {
  EXPECT_TRUE(rc::check([] {
    const auto workload = any_workload();
    const auto again = value_or_throw(parse_native(text_file("w", native_text(workload))));
    RC_ASSERT(again.name == workload.name);
    RC_ASSERT(again.resources == workload.resources);
    RC_ASSERT(again.users == workload.users);
    RC_ASSERT(again.jobs == workload.jobs);
  }));
}

TEST(KeyPath, IsTakenApartIntoWhatItWasMadeOf) {
  EXPECT_TRUE(rc::check([] {
    const std::string outer = any_name();
    const auto index = *rc::gen::arbitrary<std::uint32_t>();
    const std::string inner = any_name();
    const std::string whole = path(path(path("", outer), index), inner);
    RC_ASSERT(steps_of(whole) == (std::vector<PathStep>{outer, std::size_t{index}, inner}));
  }));
}

TEST(NativeFormat, GivesAValueOrMistakesForAnyBytes) {
  EXPECT_TRUE(rc::check([] { expect_value_or_mistakes(mutated(native_text(any_workload()))); }));
}

}  // namespace
}  // namespace test
}  // namespace somnus

// Many users of three kinds, to see what each gets:
//
// * a Poisson user submits jobs_per_minute on average, at independent times: the exponential waits
//   do not care what the cluster does (open loop)
// * a burst user submits burst_jobs at once every burst_interval_s, from a time of its own, even
//   over one interval, on
// * a closed user keeps closed_jobs_at_once jobs going: each is the start of a chain of closed_jobs
//   jobs, the next of which comes think_s after the end of the one before (closed loop: a slow
//   cluster gets fewer jobs). Chains start evenly over think_s, so that users do not march in step.
//
// Poisson and burst users submit up to span_s; chains end when they end.
//
// A job is short with probability share_short, medium with share_medium, else long; its work is
// that of its kind times U[1 - spread, 1 + spread]. The defaults are the tiny, short and large jobs
// of the UWFQ paper in slot-seconds; the shape, load -> compute -> collect, is the paper's too.
// Every user's weight is an even draw between weight_low and weight_high.
//
// Each user draws from streams of its own, by its kind and number: more users of one kind leave all
// others as they were.
#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "generators/generators.hpp"
#include "workload/check.hpp"
#include "workload/rounding.hpp"
#include "workload/spark_chain.hpp"

namespace somnus::generate_multi_user {
namespace {

constexpr double most_jobs = 2e6;

struct Mix {
  std::uint32_t poisson_users = 2;
  std::uint32_t burst_users = 2;
  std::uint32_t closed_users = 0;
  double span_s = 120;
  double jobs_per_minute = 8;
  std::uint32_t burst_jobs = 20;
  double burst_interval_s = 30;
  std::uint32_t closed_jobs_at_once = 1;
  std::uint32_t closed_jobs = 10;
  double think_s = 1;
  double share_short = 0.6;
  double share_medium = 0.3;
  double work_short_s = 12;
  double work_medium_s = 25;
  double work_long_s = 131;
  double spread = 0.2;
  double load_s = 0.1;
  double latency_s = 0;
  double collect_s = 0.02;
  double weight_low = 1;
  double weight_high = 1;

  static constexpr auto fields() {
    using P = Mix;
    constexpr Range users{.low = 0, .high = 1e6};
    constexpr Range jobs{.low = 1, .high = 1e6};
    constexpr Range time{.low = 0, .high = 1e6};
    constexpr Range work{.low = 0.001, .high = 1e6};
    constexpr Range weight{.low = least_weight, .high = most_weight};
    return in_order(
        field("poisson_users", &P::poisson_users, "1", "users who submit at independent times",
              users),
        field("burst_users", &P::burst_users, "1",
              "users who submit many jobs at once, again and again", users),
        field("closed_users", &P::closed_users, "1",
              "users who wait for their jobs before the next", users),
        field("span_s", &P::span_s, "s", "Poisson and burst users submit up to then", time),
        field("jobs_per_minute", &P::jobs_per_minute, "1/min", "of a Poisson user, on average",
              Range{.low = 1e-6, .high = 1e6}),
        field("burst_jobs", &P::burst_jobs, "1", "of one burst", jobs),
        field("burst_interval_s", &P::burst_interval_s, "s", "between two bursts of a user", work),
        field("closed_jobs_at_once", &P::closed_jobs_at_once, "1",
              "chains of jobs that a closed user keeps going", jobs),
        field("closed_jobs", &P::closed_jobs, "1", "length of a chain", jobs),
        field("think_s", &P::think_s, "s", "between the end of a chain's job and its next", time),
        field("share_short", &P::share_short, "1", "of the jobs", probability),
        field("share_medium", &P::share_medium, "1", "of the jobs; the rest is long", probability),
        field("work_short_s", &P::work_short_s, "slot-s", "divisible work of a short job", work),
        field("work_medium_s", &P::work_medium_s, "slot-s", "of a medium one", work),
        field("work_long_s", &P::work_long_s, "slot-s", "of a long one", work),
        field("spread", &P::spread, "1", "a job's work is times U[1 - spread, 1 + spread]",
              probability),
        field("load_s", &P::load_s, "s", "the one task before the work", time),
        field("latency_s", &P::latency_s, "s", "fixed latency of a job, spent in its load stage",
              time),
        field("collect_s", &P::collect_s, "s", "the one task after the work", time),
        field("weight_low", &P::weight_low, "1", "the least that a user may weigh", weight),
        field("weight_high", &P::weight_high, "1", "the most; users draw evenly between", weight));
  }
};

class MultiUser {
 public:
  MultiUser(const Mix& mix, std::uint64_t seed)
      : mix_(mix),
        load_s_(to_millionths(mix.load_s + mix.latency_s)),
        collect_s_(to_millionths(mix.collect_s)),
        seed_(seed) {}

  WorkloadSpec operator()() && {
    for (std::size_t index = 0; index < mix_.poisson_users; ++index)
      add_poisson({*this, "poisson", index});
    for (std::size_t index = 0; index < mix_.burst_users; ++index)
      add_burst({*this, "burst", index});
    for (std::size_t index = 0; index < mix_.closed_users; ++index)
      add_closed({*this, "closed", index});
    std::ranges::stable_sort(workload_.jobs, {}, &JobSpec::submit);
    return std::move(workload_);
  }

 private:
  // One user's name and streams.
  struct Submitter {
    Submitter(const MultiUser& all, const std::string& kind, std::size_t index)
        : name(fmt::format("{}{}", kind, index + 1)),
          times(all.seed_, "multi-user times " + kind, index),
          kinds(all.seed_, "multi-user job kinds " + kind, index),
          works(all.seed_, "multi-user works " + kind, index),
          weights(all.seed_, "multi-user weights " + kind, index) {}

    std::string name;
    RandomStream times;
    RandomStream kinds;
    RandomStream works;
    RandomStream weights;
  };

  void add_poisson(Submitter user) {
    std::size_t number = 0;
    double time = user.times.exponential(60 / mix_.jobs_per_minute);
    while (time < mix_.span_s) {
      add_job(user, fmt::format("{}-{}", user.name, number++), to_milliseconds(time));
      time += user.times.exponential(60 / mix_.jobs_per_minute);
    }
    if (number > 0) weigh(user);
  }

  void add_burst(Submitter user) {
    std::size_t number = 0;
    const double first = user.times.uniform(0, mix_.burst_interval_s);
    for (std::size_t burst = 0;; ++burst) {
      const double time = first + static_cast<double>(burst) * mix_.burst_interval_s;
      if (time >= mix_.span_s) break;
      for (std::size_t job = 0; job < mix_.burst_jobs; ++job) {
        add_job(user, fmt::format("{}-{}", user.name, number++), to_milliseconds(time));
      }
    }
    if (number > 0) weigh(user);
  }

  void add_closed(Submitter user) {
    for (std::size_t chain = 0; chain < mix_.closed_jobs_at_once; ++chain) {
      const double start = to_milliseconds(user.times.uniform(0, mix_.think_s));
      std::string before;
      for (std::size_t number = 0; number < mix_.closed_jobs; ++number) {
        JobSpec& job = add_job(user, fmt::format("{}-{}-{}", user.name, chain, number), start);
        job.after = std::move(before);
        if (number > 0) job.think = mix_.think_s;
        before = job.job;
      }
    }
    weigh(user);
  }

  JobSpec& add_job(Submitter& user, std::string name, double submit) {
    const double kind = user.kinds.uniform();
    const double work_s = kind < mix_.share_short                       ? mix_.work_short_s
                          : kind < mix_.share_short + mix_.share_medium ? mix_.work_medium_s
                                                                        : mix_.work_long_s;
    const double factor = user.works.uniform(1 - mix_.spread, 1 + mix_.spread);
    workload_.jobs.push_back({.job = std::move(name), .user = user.name, .submit = submit});
    add_chain(workload_.jobs.back(), {.load_s = load_s_,
                                      .work_s = to_milliseconds_of_work(work_s * factor),
                                      .collect_s = collect_s_});
    return workload_.jobs.back();
  }

  void weigh(Submitter& user) {
    const double weight = to_millionths(user.weights.uniform(mix_.weight_low, mix_.weight_high));
    if (weight != 1) workload_.users.push_back({user.name, weight});
  }

  const Mix& mix_;
  double load_s_;
  double collect_s_;
  std::uint64_t seed_;
  WorkloadSpec workload_{.name = "multi-user"};
};

// About how many jobs there will be: before any is made.
double expected_jobs(const Mix& mix) {
  return mix.poisson_users * mix.jobs_per_minute * mix.span_s / 60 +
         double{1} * mix.burst_users * mix.burst_jobs *
             std::ceil(mix.span_s / mix.burst_interval_s) +
         double{1} * mix.closed_users * mix.closed_jobs_at_once * mix.closed_jobs;
}

Checked<WorkloadSpec> make(const Mix& with, std::uint64_t seed) {
  if (with.poisson_users + with.burst_users + with.closed_users == 0) {
    return refuse("poisson_users",
                  "expected at least one of poisson_users, burst_users and closed_users, found 0 "
                  "of each");
  }
  const double share = with.share_short + with.share_medium;
  if (share > 1) {
    return refuse("share_medium",
                  fmt::format("expected share_short + share_medium of at most 1, found {}", share));
  }
  if (with.weight_high < with.weight_low) {
    return refuse("weight_high", fmt::format("expected at least weight_low = {}, found {}",
                                             with.weight_low, with.weight_high));
  }
  if (const double jobs = expected_jobs(with); jobs > most_jobs) {
    return refuse("span_s", fmt::format("expected parameters for at most {:.0f} jobs, found some "
                                        "for about {:.0f}",
                                        most_jobs, jobs));
  }
  WorkloadSpec workload = MultiUser(with, seed)();
  if (workload.jobs.empty()) {
    return refuse(
        "span_s",
        fmt::format("expected time for at least one job, found none within {} s", with.span_s));
  }
  return workload;
}

const Registered<Generator> row = generator<Mix>(
    "multi-user", "Poisson, burst and closed-loop users with a mix of divisible jobs",
    "the kinds of users and jobs: UWFQ, 5.2", make);

}  // namespace
}  // namespace somnus::generate_multi_user

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
#include "workload/check.hpp"
#include "workload/generators.hpp"
#include "workload/rounding.hpp"
#include "workload/spark_chain.hpp"

namespace somnus {
namespace {

constexpr double most_jobs = 2e6;

class MultiUser {
 public:
  MultiUser(const NumberValues& values, std::uint64_t seed)
      : span_s_(values.at("span_s")),
        wait_s_(60 / values.at("jobs_per_minute")),
        burst_jobs_(count(values, "burst_jobs")),
        burst_interval_s_(values.at("burst_interval_s")),
        chains_(count(values, "closed_jobs_at_once")),
        chain_jobs_(count(values, "closed_jobs")),
        think_s_(values.at("think_s")),
        share_short_(values.at("share_short")),
        share_medium_(values.at("share_medium")),
        work_short_s_(values.at("work_short_s")),
        work_medium_s_(values.at("work_medium_s")),
        work_long_s_(values.at("work_long_s")),
        spread_(values.at("spread")),
        load_s_(to_millionths(values.at("load_s") + values.at("latency_s"))),
        collect_s_(to_millionths(values.at("collect_s"))),
        weight_low_(values.at("weight_low")),
        weight_high_(values.at("weight_high")),
        seed_(seed) {}

  WorkloadSpec operator()(std::size_t poisson, std::size_t burst, std::size_t closed) && {
    for (std::size_t index = 0; index < poisson; ++index) add_poisson({*this, "poisson", index});
    for (std::size_t index = 0; index < burst; ++index) add_burst({*this, "burst", index});
    for (std::size_t index = 0; index < closed; ++index) add_closed({*this, "closed", index});
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

  static std::size_t count(const NumberValues& values, const char* name) {
    return static_cast<std::size_t>(values.at(name));
  }

  void add_poisson(Submitter user) {
    std::size_t number = 0;
    double time = user.times.exponential(wait_s_);
    while (time < span_s_) {
      add_job(user, fmt::format("{}-{}", user.name, number++), to_milliseconds(time));
      time += user.times.exponential(wait_s_);
    }
    if (number > 0) weigh(user);
  }

  void add_burst(Submitter user) {
    std::size_t number = 0;
    const double first = user.times.uniform(0, burst_interval_s_);
    for (std::size_t burst = 0;; ++burst) {
      const double time = first + static_cast<double>(burst) * burst_interval_s_;
      if (time >= span_s_) break;
      for (std::size_t job = 0; job < burst_jobs_; ++job) {
        add_job(user, fmt::format("{}-{}", user.name, number++), to_milliseconds(time));
      }
    }
    if (number > 0) weigh(user);
  }

  void add_closed(Submitter user) {
    for (std::size_t chain = 0; chain < chains_; ++chain) {
      const double start = to_milliseconds(user.times.uniform(0, think_s_));
      std::string before;
      for (std::size_t number = 0; number < chain_jobs_; ++number) {
        JobSpec& job = add_job(user, fmt::format("{}-{}-{}", user.name, chain, number), start);
        job.after = std::move(before);
        if (number > 0) job.think = think_s_;
        before = job.job;
      }
    }
    weigh(user);
  }

  JobSpec& add_job(Submitter& user, std::string name, double submit) {
    const double kind = user.kinds.uniform();
    const double work_s = kind < share_short_                   ? work_short_s_
                          : kind < share_short_ + share_medium_ ? work_medium_s_
                                                                : work_long_s_;
    const double factor = user.works.uniform(1 - spread_, 1 + spread_);
    workload_.jobs.push_back({.job = std::move(name), .user = user.name, .submit = submit});
    add_chain(workload_.jobs.back(), {.load_s = load_s_,
                                      .work_s = to_milliseconds_of_work(work_s * factor),
                                      .collect_s = collect_s_});
    return workload_.jobs.back();
  }

  void weigh(Submitter& user) {
    const double weight = to_millionths(user.weights.uniform(weight_low_, weight_high_));
    if (weight != 1) workload_.users.push_back({user.name, weight});
  }

  double span_s_;
  double wait_s_;
  std::size_t burst_jobs_;
  double burst_interval_s_;
  std::size_t chains_;
  std::size_t chain_jobs_;
  double think_s_;
  double share_short_;
  double share_medium_;
  double work_short_s_;
  double work_medium_s_;
  double work_long_s_;
  double spread_;
  double load_s_;
  double collect_s_;
  double weight_low_;
  double weight_high_;
  std::uint64_t seed_;
  WorkloadSpec workload_{.name = "multi-user"};
};

// About how many jobs there will be: before any is made.
double expected_jobs(const NumberValues& values) {
  const double span_s = values.at("span_s");
  return values.at("poisson_users") * values.at("jobs_per_minute") * span_s / 60 +
         values.at("burst_users") * values.at("burst_jobs") *
             std::ceil(span_s / values.at("burst_interval_s")) +
         values.at("closed_users") * values.at("closed_jobs_at_once") * values.at("closed_jobs");
}

Checked<WorkloadSpec> make(const NumberValues& values, std::uint64_t seed) {
  const auto users = [&](const char* name) { return static_cast<std::size_t>(values.at(name)); };
  const std::size_t poisson = users("poisson_users");
  const std::size_t burst = users("burst_users");
  const std::size_t closed = users("closed_users");
  if (poisson + burst + closed == 0) {
    return refuse("poisson_users",
                  "expected at least one of poisson_users, burst_users and closed_users, found 0 "
                  "of each");
  }
  const double share = values.at("share_short") + values.at("share_medium");
  if (share > 1) {
    return refuse("share_medium",
                  fmt::format("expected share_short + share_medium of at most 1, found {}", share));
  }
  if (values.at("weight_high") < values.at("weight_low")) {
    return refuse("weight_high", fmt::format("expected at least weight_low = {}, found {}",
                                             values.at("weight_low"), values.at("weight_high")));
  }
  if (const double jobs = expected_jobs(values); jobs > most_jobs) {
    return refuse("span_s", fmt::format("expected parameters for at most {:.0f} jobs, found some "
                                        "for about {:.0f}",
                                        most_jobs, jobs));
  }
  WorkloadSpec workload = MultiUser(values, seed)(poisson, burst, closed);
  if (workload.jobs.empty()) {
    return refuse("span_s",
                  fmt::format("expected time for at least one job, found none within {} s",
                              values.at("span_s")));
  }
  return workload;
}

}  // namespace

Generator multi_user_generator() {
  const Range users = {.low = 0, .high = 1e6};
  const Range jobs = {.low = 1, .high = 1e6};
  const Range time = {.low = 0, .high = 1e6};
  const Range work = {.low = 0.001, .high = 1e6};
  const Range weight = {.low = least_weight, .high = most_weight};
  return {
      .name = "multi-user",
      .summary = "Poisson, burst and closed-loop users with a mix of divisible jobs",
      .source = "the kinds of users and jobs: UWFQ, 5.2",
      .parameters =
          {whole_parameter("poisson_users", "users who submit at independent times", "2", users),
           whole_parameter("burst_users", "users who submit many jobs at once, again and again",
                           "2", users),
           whole_parameter("closed_users", "users who wait for their jobs before the next", "0",
                           users),
           number_parameter("span_s", "s", "Poisson and burst users submit up to then", "120",
                            time),
           number_parameter("jobs_per_minute", "1/min", "of a Poisson user, on average", "8",
                            {.low = 1e-6, .high = 1e6}),
           whole_parameter("burst_jobs", "of one burst", "20", jobs),
           number_parameter("burst_interval_s", "s", "between two bursts of a user", "30", work),
           whole_parameter("closed_jobs_at_once", "chains of jobs that a closed user keeps going",
                           "1", jobs),
           whole_parameter("closed_jobs", "length of a chain", "10", jobs),
           number_parameter("think_s", "s", "between the end of a chain's job and its next", "1",
                            time),
           number_parameter("share_short", "1", "of the jobs", "0.6", probability),
           number_parameter("share_medium", "1", "of the jobs; the rest is long", "0.3",
                            probability),
           number_parameter("work_short_s", "slot-s", "divisible work of a short job", "12", work),
           number_parameter("work_medium_s", "slot-s", "of a medium one", "25", work),
           number_parameter("work_long_s", "slot-s", "of a long one", "131", work),
           number_parameter("spread", "1", "a job's work is times U[1 - spread, 1 + spread]", "0.2",
                            probability),
           number_parameter("load_s", "s", "the one task before the work", "0.1", time),
           number_parameter("latency_s", "s", "fixed latency of a job, spent in its load stage",
                            "0", time),
           number_parameter("collect_s", "s", "the one task after the work", "0.02", time),
           number_parameter("weight_low", "1", "the least that a user may weigh", "1", weight),
           number_parameter("weight_high", "1", "the most; users draw evenly between", "1",
                            weight)},
      .make = make};
}

}  // namespace somnus

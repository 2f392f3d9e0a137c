#include "workload/uwfq_job.hpp"

#include "workload/rounding.hpp"
#include "workload/spark_chain.hpp"

namespace somnus {

std::vector<NumberParameter> uwfq_job_parameters(std::string work_s, std::string latency_s,
                                                 const std::string& estimate_note) {
  const Range time = {.low = 0, .high = 1e5};
  return {{.name = "work_s",
           .unit = "slot-s",
           .meaning = "divisible work of a job's compute stage",
           .default_text = std::move(work_s),
           .range = {.low = 1e-6, .high = 1e6}},
          {.name = "latency_s",
           .unit = "s",
           .meaning = "fixed latency of a job, spent in its load stage",
           .default_text = std::move(latency_s),
           .range = time},
          {.name = "load_s",
           .unit = "s",
           .meaning = "the one task of the load stage, beside latency_s",
           .default_text = "0.1",
           .range = time},
          {.name = "collect_s",
           .unit = "s",
           .meaning = "the one task of the collect stage",
           .default_text = "0.02",
           .range = time},
          {.name = "skew",
           .unit = "1",
           .meaning = "one of 32 equal shares of the input costs that many times as much as each "
                      "other; Fig. 3: 5",
           .default_text = "1",
           .range = {.low = 1, .high = 1e6}},
          {.name = "estimate_factor",
           .unit = "1",
           .meaning = "a job's estimate is that many times its slot-time; 1: none is given" +
                      estimate_note,
           .default_text = "1",
           .range = {.low = 1e-6, .high = 1e3}}};
}

JobSpec uwfq_job(const NumberValues& values, const std::string& user, std::size_t number,
                 double submit) {
  SparkChain chain{.load_s = to_millionths(values.at("load_s") + values.at("latency_s")),
                   .work_s = values.at("work_s"),
                   .collect_s = values.at("collect_s")};
  if (values.at("skew") != 1) {
    chain.skew.assign(uwfq_slots, 1);
    chain.skew.front() = values.at("skew");
  }
  JobSpec job{.job = fmt::format("{}-{}", user, number), .user = user, .submit = submit};
  const double factor = values.at("estimate_factor");
  if (factor != 1) job.estimate = to_millionths(factor * chain.slot_time());
  add_chain(job, chain);
  return job;
}

}  // namespace somnus

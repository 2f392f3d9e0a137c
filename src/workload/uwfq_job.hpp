// The jobs of the UWFQ paper's two scenarios. In each scenario all jobs are alike.
#pragma once

#include <string>
#include <vector>

#include "model/workload.hpp"
#include "workload/number_parameters.hpp"

namespace somnus {

/// The paper's cluster; also into how many equal shares `skew` divides the input.
inline constexpr std::size_t uwfq_slots = 32;

/// What their jobs have of parameters: work_s, latency_s, load_s, collect_s, skew, estimate_factor.
/// The first two default to those texts; `estimate_note` ends the last one's meaning.
[[nodiscard]] std::vector<NumberParameter> uwfq_job_parameters(std::string work_s,
                                                               std::string latency_s,
                                                               const std::string& estimate_note);

/// The job "USER-NUMBER".
[[nodiscard]] JobSpec uwfq_job(const NumberValues& values, const std::string& user,
                               std::size_t number, double submit);

}  // namespace somnus

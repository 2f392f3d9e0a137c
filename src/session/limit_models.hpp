// Time limits that a workload does not give.
#pragma once

#include "config/limit_settings.hpp"
#include "model/workload.hpp"

namespace somnus {

/// Users ask for few, round times, as Tsafrir, Etsion and Feitelson found (Modeling user runtime
/// estimates, JSSPP 2005). Which times these are is ours; beyond one day they are whole days.
inline constexpr double popular_limits_s[] = {300,   900,   1800,  3600,  7200,
                                              14400, 28800, 43200, 64800, 86400};

/// Sets all jobs' limits as the model says; at least a second, at most as long as a span can be.
void set_limits(Workload& workload, const LimitSettings& settings);

}  // namespace somnus

#include "generators/arrivals.hpp"

#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <cmath>

#include "workload/rounding.hpp"

namespace somnus {

std::vector<double> submit_times(const DagArrivals& with, RandomStream stream) {
  const double mean_s = with.interarrival_s;
  boost::random::normal_distribution<double> normal(mean_s, mean_s / 4);
  const auto wait = [&] {
    switch (with.arrivals) {
      case ArrivalKind::poisson:
        return stream.exponential(mean_s);
      case ArrivalKind::ceil_normal:
        return std::max(2.0, std::ceil(normal(stream.engine())));
      case ArrivalKind::at_once:
        break;
    }
    return 0.0;
  };
  std::vector<double> times(with.jobs);
  double now_s = 0;
  for (double& time : times) {
    now_s += wait();
    time = to_milliseconds(now_s);
  }
  return times;
}

}  // namespace somnus

#include "metrics/sample.hpp"

#include <algorithm>
#include <cmath>

namespace somnus {

void Sample::add(double value) {
  if (!std::isnan(value)) values_.push_back(value);
  sorted_ = false;
}

void Sample::sort() {
  std::ranges::sort(values_);
  sorted_ = true;
}

double Sample::standard_deviation() const {
  const double middle = mean();
  double squares = 0;
  for (const double value : values_) squares += (value - middle) * (value - middle);
  return values_.empty() ? NAN : std::sqrt(squares / count());
}

double Sample::quantile(double q) {
  if (values_.empty()) return NAN;
  const double rank = std::ceil(q * count() - 1e-9);  // 0.95 * 20 is 19, not 19.000...1
  const auto place = values_.begin() + static_cast<std::ptrdiff_t>(std::max(rank, 1.0)) - 1;
  if (!sorted_) std::ranges::nth_element(values_, place);
  return *place;
}

double Sample::largest() const { return values_.empty() ? NAN : std::ranges::max(values_); }

double Sample::worst_tenth() const {
  const std::size_t all = values_.size();
  return mean_of_places(all - all / 10, all);
}

double Sample::mean_between(std::size_t from_percent, std::size_t to_percent) const {
  const std::size_t all = values_.size();
  return mean_of_places(all * from_percent / 100, all * to_percent / 100);
}

double Sample::mean_of_places(std::size_t begin, std::size_t end) const {
  double sum = 0;
  for (std::size_t at = begin; at < end; ++at) sum += values_[at];
  return begin == end ? NAN : sum / static_cast<double>(end - begin);
}

}  // namespace somnus

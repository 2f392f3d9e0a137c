// Figures of a sample of numbers. NaN is left out on the way in, and comes out where there is none.
#pragma once

#include <cstddef>
#include <vector>

namespace somnus {

class Sample {
 public:
  void add(double value);
  /// Then each figure is quick, and means are the same whatever order values came in.
  void sort();

  [[nodiscard]] double count() const { return static_cast<double>(values_.size()); }
  [[nodiscard]] double mean() const { return mean_of_places(0, values_.size()); }

  /// Of the population.
  [[nodiscard]] double standard_deviation() const;

  /// By nearest rank: the value at place ceil(q n), counted from 1. Values may change places.
  [[nodiscard]] double quantile(double q);
  [[nodiscard]] double largest() const;

  // After sort():

  /// Mean of the int(n / 10) largest.
  [[nodiscard]] double worst_tenth() const;
  /// Mean of the values at the places int(from n / 100) + 1 to int(to n / 100), counted from 1. So
  /// 0-80, 80-95 and 95-100 share out all values, each to one group.
  [[nodiscard]] double mean_between(std::size_t from_percent, std::size_t to_percent) const;

 private:
  [[nodiscard]] double mean_of_places(std::size_t begin, std::size_t end) const;

  std::vector<double> values_;
  bool sorted_ = false;
};

}  // namespace somnus

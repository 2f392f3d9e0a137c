#include "emulator/summary/deviation.hpp"

#include <algorithm>

namespace somnus {
namespace {

constexpr double tolerance = 1e-9;

double mean(double sum, double count) { return count > 0 ? sum / count : NAN; }

}  // namespace

void DeviationSum::add(double deviation, double times) {
  if (std::abs(deviation) <= tolerance) deviation = 0;
  if (deviation > 0) {
    late_ += times;
    late_sum_ += times * deviation;
  } else {
    early_ += times;
    early_sum_ -= times * deviation;
  }
  worst_ = std::fmax(worst_, deviation);
}

Deviation DeviationSum::result() const {
  return {.compared = late_ + early_,
          .dvr = mean(late_sum_, late_),
          .violations = late_,
          .dsr = mean(early_sum_, early_),
          .slack = early_,
          .worst = worst_};
}

double multiplicity(Counting counting, std::string_view user, std::span<const std::string> users) {
  switch (counting) {
    case Counting::jobs:
      break;
    case Counting::uwfq_micro:
      return 2;
    case Counting::uwfq_macro:
      return static_cast<double>(std::ranges::count_if(users, [&](const std::string& part) {
        return user.find(part) != std::string_view::npos;
      }));
  }
  return 1;
}

}  // namespace somnus

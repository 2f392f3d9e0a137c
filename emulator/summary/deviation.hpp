// How far jobs end from where a reference run ends them (UWFQ, section 5.1.1, equations 1-3):
//
//     D_i = (f_i - f_i') / RT_i'    f: end, since the first submit of its run; RT: response time;
//                                   ': in the reference
//     DVR: mean D_i of the violations, D_i > 0        DSR: mean |D_i| of the rest, the slack
//
// The reference stands for the deadlines that a fair system would keep; the paper's is a run of
// practical UJF with the same partitioning.
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <string_view>

#include "base/describe.hpp"

namespace somnus {

/// NaN: nothing to take the mean of, or nothing was compared.
struct Deviation {
  double compared = NAN;
  double dvr = NAN;
  double violations = NAN;
  double dsr = NAN;
  double slack = NAN;
  double worst = NAN;  // the largest D_i

  static constexpr auto fields() {
    using D = Deviation;
    return in_order(field("compared", &D::compared, "1", "compared"),
                    field("dvr", &D::dvr, "x", "violations, mean (DVR)"),
                    field("violations", &D::violations, "1", "violations, number"),
                    field("dsr", &D::dsr, "x", "slack, mean (DSR)"),
                    field("slack", &D::slack, "1", "slack, number"),
                    field("worst", &D::worst, "x", "largest deviation"));
  }
};

class DeviationSum {
 public:
  /// D_i, as if `times` jobs had it. Within 1e-9 of 0 it is 0, thus slack.
  void add(double deviation, double times = 1);
  [[nodiscard]] Deviation result() const;

 private:
  double late_ = 0;
  double late_sum_ = 0;
  double early_ = 0;
  double early_sum_ = 0;
  double worst_ = NAN;
};

/// How often a job counts. The paper's tables count some jobs more than once: its micro benchmarks
/// each job by its kind and again by its user; its macro benchmark once for each user whose name
/// occurs in the name of the job's user, so that jobs of user_12 are also counted for user_1 and
/// user_2.
enum class Counting { jobs, uwfq_micro, uwfq_macro };

template <>
struct EnumNames<Counting> {
  static constexpr std::pair<Counting, const char*> names[] = {
      {Counting::jobs, "jobs"},
      {Counting::uwfq_micro, "uwfq-micro"},
      {Counting::uwfq_macro, "uwfq-macro"}};
};

/// How often a job of `user` counts, `users` being all of the log.
[[nodiscard]] double multiplicity(Counting counting, std::string_view user,
                                  std::span<const std::string> users);

}  // namespace somnus

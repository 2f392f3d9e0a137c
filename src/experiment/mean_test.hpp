// Is the mean of runs 0? Two tests: Student's, for a number of runs that is fixed beforehand, and a
// sequential one, which may be looked at after each run.
//
// The sequential test is the scale-invariant mixture test of Robbins and Lai ("On confidence
// sequences", Annals of Statistics 4, 1976; with a Gaussian prior in Wang and Ramdas,
// "Anytime-valid t-tests and confidence sequences for Gaussian means with unknown variance",
// Sequential Analysis, 2025). Runs x_1, x_2, ... are independent and normal, with mean delta sigma
// and standard deviation sigma. Bet on delta by a prior N(0, 1 / c), and on sigma by its right Haar
// measure d sigma / sigma, in both hypotheses. Given sigma, the runs have covariance
// sigma^2 (I + 1 1' / c) under the bet, whose determinant is sigma^(2n) (1 + n / c) and whose
// inverse is (I - 1 1' / (c + n)) / sigma^2, and sigma^2 I under delta = 0. Integrating sigma out
// leaves
//
//   E_n = sqrt(c / (c + n)) (Q_0 / Q_1)^(n / 2),
//   Q_0 = sum x^2                      = (n - 1) s^2 (1 + t^2 / (n - 1)),
//   Q_1 = sum x^2 - (sum x)^2 / (c + n) = (n - 1) s^2 (1 + c / (c + n) t^2 / (n - 1)),
//
// with Student's t^2 = n mean^2 / s^2. It depends on the runs by x_i / |x_1| only, whose law under
// delta = 0 is one law for all sigma; so E_n, a ratio of two densities of these, is a martingale
// that begins with E_1 = 1, and by Ville's inequality it ever reaches 1 / level with a probability
// of at most `level`. That bounds all looks at once, whatever decides when the last one is. So
// 1 / E_n of the last look is a p value (a conservative one: the least of all looks would do, too),
// and the means that it does not reject are a confidence sequence.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace somnus {

enum class MeanTest {
  student,     // the number of runs does not depend on what they gave
  sequential,  // runs are added until something is decided
};

/// Of a sample of runs.
struct SampleMean {
  std::size_t runs = 0;
  double mean = NAN;
  double deviation = NAN;  // standard deviation of a run; NaN of a single one
};

/// NaN values are not counted.
[[nodiscard]] SampleMean sample_mean(std::span<const double> values);

/// Student's t of mean 0: infinite if all runs are alike and not 0, NaN of fewer than two.
[[nodiscard]] double t_statistic(const SampleMean& sample);

/// E_n, as above, with c = 1: a bet on differences about as large as their standard deviation.
[[nodiscard]] double e_value(std::size_t runs, double t);

/// Two-sided; 1 of fewer than two runs.
[[nodiscard]] double p_value(MeanTest test, const SampleMean& sample);

/// The |t| from which on the p value is at most `level`; infinite if these runs are too few for it.
[[nodiscard]] double critical_t(MeanTest test, std::size_t runs, double level);

/// More runs than these are not predicted.
inline constexpr std::size_t most_predicted_runs = 10'000;

/// So many runs decide at that level with a probability of 0.8, if the mean and deviation are those
/// of the sample. More than most_predicted_runs: not even these would; 0: too few runs to say.
[[nodiscard]] std::size_t runs_to_decide(MeanTest test, const SampleMean& sample, double level);

}  // namespace somnus

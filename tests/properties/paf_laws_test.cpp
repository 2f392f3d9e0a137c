// Laws of PAF (policies.md 5, invariants), against the best that any exchange could reach.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "harness/property.hpp"
#include "policies/exchange.hpp"
#include "policies/max_min.hpp"

namespace somnus::harness {
namespace {

using Progress = ProgressCurve::Progress;
using Slots = std::vector<std::uint32_t>;

/// Some jobs with curves, some of whose stretches are flat or alike, and their fair shares.
struct Market {
  std::vector<ProgressCurve> curves;
  Slots fair;
  double alpha = 1;

  [[nodiscard]] std::vector<Trader> traders() const {
    std::vector<Trader> all;
    for (std::size_t job = 0; job < curves.size(); ++job) {
      all.push_back({&curves[job], fair[job]});
    }
    return all;
  }
  [[nodiscard]] Slots least() const {
    Slots all;
    for (std::size_t job = 0; job < curves.size(); ++job) {
      all.push_back(least_share(curves[job], fair[job], alpha));
    }
    return all;
  }
  [[nodiscard]] Progress progress(const Slots& slots) const {
    Progress sum = 0;
    for (std::size_t job = 0; job < curves.size(); ++job) sum += curves[job].at(slots[job]);
    return sum;
  }
};

std::ostream& operator<<(std::ostream& out, const Market& market) {
  out << "alpha " << market.alpha;
  for (std::size_t job = 0; job < market.curves.size(); ++job) {
    out << "\nfair " << market.fair[job] << ", progress";
    for (std::uint32_t slots = 1; slots <= market.curves[job].degree(); ++slots) {
      out << ' ' << static_cast<double>(market.curves[job].at(slots)) / ProgressCurve::whole;
    }
  }
  return out << '\n';
}

Market any_market(int most_jobs, int widest) {
  Market market;
  const int jobs = *rc::gen::inRange(1, most_jobs + 1);
  std::vector<Claim> claims;
  for (int job = 0; job < jobs; ++job) {
    const int degree = *rc::gen::inRange(1, widest + 1);
    std::vector<double> progress;
    double sum = 0;
    for (int slot = 0; slot < degree; ++slot) {
      sum += *rc::gen::inRange(0, 4) / 10.0;
      progress.push_back(std::max(sum, 0.05));
    }
    market.curves.push_back(ProgressCurve::above(progress));
    claims.push_back({.weight = static_cast<double>(*rc::gen::inRange(1, 5)),
                      .most = static_cast<std::uint32_t>(degree)});
  }
  market.fair =
      max_min_shares(static_cast<std::uint64_t>(*rc::gen::inRange(0, jobs * widest)), claims);
  market.alpha = *rc::gen::element(1.0, 0.99, 0.9, 0.7, 0.5, 0.1);
  return market;
}

/// The most progress of all ways to hand out as many slots that keep everybody's least.
Progress best(const Market& market, const Slots& least, std::size_t job, std::uint32_t slots) {
  if (job == market.curves.size()) return slots == 0 ? 0 : -1;
  Progress most = -1;
  for (std::uint32_t here = least[job]; here <= slots; ++here) {
    const Progress rest = best(market, least, job + 1, slots - here);
    if (rest >= 0) most = std::max(most, rest + market.curves[job].at(here));
  }
  return most;
}

TEST(PafLaws, NoOtherExchangeReachesMoreProgress) {
  check_law({.cases = 2000}, [] {
    const Market market = any_market(4, 5);
    RC_LOG() << market;
    const Slots slots = exchange_slots(market.traders(), market.alpha);
    const std::uint32_t all = std::accumulate(market.fair.begin(), market.fair.end(), 0U);
    RC_ASSERT(market.progress(slots) == best(market, market.least(), 0, all));
  });
}

TEST(PafLaws, AJobOnlyGivesOrOnlyTakesAndKeepsItsLeast) {
  check_law({.cases = 2000}, [] {
    const Market market = any_market(12, 12);
    RC_LOG() << market;
    const Slots slots = exchange_slots(market.traders(), market.alpha);
    RC_ASSERT(std::accumulate(slots.begin(), slots.end(), 0U) ==
              std::accumulate(market.fair.begin(), market.fair.end(), 0U));
    for (std::size_t job = 0; job < slots.size(); ++job) {
      RC_ASSERT(slots[job] >= std::min(market.least()[job], market.fair[job]));
      const auto kept = static_cast<double>(market.curves[job].at(slots[job]));
      const auto had = static_cast<double>(market.curves[job].at(market.fair[job]));
      RC_ASSERT(kept >= market.alpha * had - 1);
    }
  });
}

TEST(PafLaws, NobodyGainsMoreByOneSlotThanItCostsAnother) {
  check_law({.cases = 2000}, [] {
    const Market market = any_market(12, 12);
    RC_LOG() << market;
    const Slots slots = exchange_slots(market.traders(), market.alpha);
    for (std::size_t giver = 0; giver < slots.size(); ++giver) {
      if (slots[giver] <= market.least()[giver]) continue;
      for (std::size_t taker = 0; taker < slots.size(); ++taker) {
        RC_ASSERT(market.curves[giver].gain_after(slots[giver] - 1) >=
                  market.curves[taker].gain_after(slots[taker]));
      }
    }
  });
}

std::vector<Claim> any_claims() {
  std::vector<Claim> claims;
  const int jobs = *rc::gen::inRange(1, 20);
  for (int job = 0; job < jobs; ++job) {
    claims.push_back({.weight = *rc::gen::inRange(1, 40) / 10.0,
                      .most = static_cast<std::uint32_t>(*rc::gen::inRange(0, 30))});
  }
  return claims;
}

/// Shares that need not be whole, by filling up: all grow with their weights, until full.
std::vector<double> filled(double slots, const std::vector<Claim>& claims) {
  std::vector<double> shares(claims.size());
  for (double left = slots; left > 1e-9;) {
    double weights = 0;
    for (std::size_t at = 0; at < claims.size(); ++at) {
      if (shares[at] < claims[at].most) weights += claims[at].weight;
    }
    if (weights == 0) break;
    double step = left / weights;
    for (std::size_t at = 0; at < claims.size(); ++at) {
      if (shares[at] >= claims[at].most) continue;
      step = std::min(step, (claims[at].most - shares[at]) / claims[at].weight);
    }
    for (std::size_t at = 0; at < claims.size(); ++at) {
      if (shares[at] >= claims[at].most) continue;
      const double more = step * claims[at].weight;
      shares[at] = claims[at].most - shares[at] - more < 1e-9 ? claims[at].most : shares[at] + more;
      left -= more;
    }
  }
  return shares;
}

TEST(MaxMinLaws, AShareIsWhatFillingUpGivesButForLessThanASlot) {
  check_law({.cases = 3000}, [] {
    const std::vector<Claim> claims = any_claims();
    const auto slots = static_cast<std::uint64_t>(*rc::gen::inRange(0, 300));
    const Slots shares = max_min_shares(slots, claims);
    const std::vector<double> expected = filled(static_cast<double>(slots), claims);
    std::uint64_t sum = 0;
    std::uint64_t usable = 0;
    for (std::size_t at = 0; at < claims.size(); ++at) {
      RC_ASSERT(std::abs(shares[at] - expected[at]) < 1 - 1e-9);
      RC_ASSERT(shares[at] <= claims[at].most);
      sum += shares[at];
      usable += claims[at].most;
    }
    RC_ASSERT(sum == std::min(slots, usable));
  });
}

}  // namespace
}  // namespace somnus::harness

// Resource vectors. Amounts are fixed-point (millionths), so that taking and giving back a million
// times ends where it began.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/grid.hpp"

namespace somnus {

inline constexpr std::size_t most_resource_kinds = 16;

/// Amounts of each kind, in the user's unit, as events and logs carry them.
using Amounts = std::array<double, most_resource_kinds>;

class Resources {
 public:
  static constexpr double most = 1e12;  // of one kind, in the user's unit

  constexpr Resources() = default;
  explicit Resources(const Amounts& amounts) {
    for (std::size_t kind = 0; kind < amounts.size(); ++kind) {
      if (amounts[kind] != 0) set(kind, amounts[kind]);
    }
  }

  /// In the user's unit (cores, GB, ...), kept to a millionth; from 9e9 on, where a double does not
  /// distinguish millionths, to a whole. So what amount() says can be set again.
  void set(std::size_t kind, double amount) {
    constexpr double distinct_below = 9e9;
    amounts_[kind] =
        amount < distinct_below ? std::llround(amount * scale) : std::llround(amount) * whole;
    if (kind >= kinds_) kinds_ = kind + 1;
  }
  [[nodiscard]] double amount(std::size_t kind) const {
    return static_cast<double>(amounts_[kind]) / scale;
  }
  [[nodiscard]] Amounts amounts() const {
    Amounts all{};
    for (std::size_t kind = 0; kind < kinds_; ++kind) all[kind] = amount(kind);
    return all;
  }

  /// Of the kinds up to the last that was set; the others are 0.
  [[nodiscard]] constexpr std::span<const std::int64_t> millionths() const {
    return {amounts_.data(), kinds_};
  }
  [[nodiscard]] constexpr std::int64_t millionths(std::size_t kind) const { return amounts_[kind]; }

  [[nodiscard]] constexpr bool fits_in(const Resources& room) const {
    for (std::size_t kind = 0; kind < kinds_; ++kind) {
      if (amounts_[kind] > room.amounts_[kind]) return false;
    }
    return true;
  }
  /// Of each kind the lesser amount.
  [[nodiscard]] constexpr Resources common(const Resources& other) const {
    Resources lesser = *this;
    for (std::size_t kind = 0; kind < kinds_; ++kind) {
      if (other.amounts_[kind] < amounts_[kind]) lesser.amounts_[kind] = other.amounts_[kind];
    }
    return lesser;
  }
  /// How often that fits into these amounts at once, at most `at_most` times.
  [[nodiscard]] constexpr std::uint64_t holds(const Resources& demand,
                                              std::uint64_t at_most) const {
    for (std::size_t kind = 0; kind < demand.kinds_; ++kind) {
      const std::int64_t each = demand.amounts_[kind];
      if (each == 0) continue;
      const std::int64_t times = amounts_[kind] < each ? 0 : amounts_[kind] / each;
      if (static_cast<std::uint64_t>(times) < at_most) at_most = static_cast<std::uint64_t>(times);
    }
    return at_most;
  }
  [[nodiscard]] constexpr bool zero() const { return *this == Resources(); }

  constexpr Resources& operator+=(const Resources& other) {
    for (std::size_t kind = 0; kind < other.kinds_; ++kind) amounts_[kind] += other.amounts_[kind];
    if (other.kinds_ > kinds_) kinds_ = other.kinds_;
    return *this;
  }
  constexpr Resources& operator-=(const Resources& other) {
    for (std::size_t kind = 0; kind < other.kinds_; ++kind) amounts_[kind] -= other.amounts_[kind];
    if (other.kinds_ > kinds_) kinds_ = other.kinds_;
    return *this;
  }
  friend constexpr bool operator==(const Resources& a, const Resources& b) {
    return a.amounts_ == b.amounts_;
  }

 private:
  static constexpr double scale = 1e6;
  static constexpr std::int64_t whole = 1'000'000;
  std::array<std::int64_t, most_resource_kinds> amounts_{};
  std::size_t kinds_ = 0;  // that were set, so that few kinds cost little
};

/// Sums over a cluster or a job, which need more digits than one node has.
class ResourceTotals {
 public:
  constexpr ResourceTotals& operator+=(const Resources& one) { return add(one, 1); }
  constexpr ResourceTotals& operator-=(const Resources& one) { return add(one, -1); }
  constexpr ResourceTotals& add(const Resources& one, std::int64_t times) {
    const auto amounts = one.millionths();
    for (std::size_t kind = 0; kind < amounts.size(); ++kind) {
      amounts_[kind] += Wide{amounts[kind]} * times;
    }
    return *this;
  }
  [[nodiscard]] constexpr bool holds(const Resources& one) const {
    const auto amounts = one.millionths();
    for (std::size_t kind = 0; kind < amounts.size(); ++kind) {
      if (amounts[kind] > amounts_[kind]) return false;
    }
    return true;
  }
  [[nodiscard]] constexpr Wide millionths(std::size_t kind) const { return amounts_[kind]; }
  [[nodiscard]] double amount(std::size_t kind) const {
    return static_cast<double>(amounts_[kind]) / 1e6;
  }
  friend constexpr bool operator==(const ResourceTotals&, const ResourceTotals&) = default;

 private:
  std::array<Wide, most_resource_kinds> amounts_{};
};

}  // namespace somnus

// The fluids as worked examples have them: in seconds and slot-seconds.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "fluid/gps.hpp"
#include "fluid/two_level.hpp"

namespace somnus::harness {

class GpsInSeconds {
 public:
  explicit GpsInSeconds(double slots) : gps_(slots) {}

  double arrive(std::uint32_t job, double now, double slot_time, double weight = 1) {
    return in_seconds(gps_.arrive(job, at_seconds(now), seconds(slot_time), weight));
  }
  template <class Departed>
  void advance(double now, Departed&& departed) {
    gps_.advance(at_seconds(now), std::forward<Departed>(departed));
  }
  void advance(double now) { gps_.advance(at_seconds(now)); }
  template <class Departed>
  void drain(Departed&& departed) {
    gps_.drain(std::forward<Departed>(departed));
  }
  [[nodiscard]] double virtual_time() const { return in_seconds(gps_.virtual_time()); }
  [[nodiscard]] std::size_t active() const { return gps_.active(); }

 private:
  Gps gps_;
};

class TwoLevelInSeconds {
 public:
  explicit TwoLevelInSeconds(double slots) : fluid_(slots) {}

  void arrive(std::uint32_t user, UserShare share, std::uint32_t job, double now, double slot_time,
              double weight = 1) {
    fluid_.arrive(user, share, job, at_seconds(now), seconds(slot_time), weight);
  }
  template <class Ended>
  void advance(double now, Ended&& ended) {
    fluid_.advance(at_seconds(now), std::forward<Ended>(ended));
  }
  void advance(double now) { fluid_.advance(at_seconds(now)); }
  template <class Ended>
  void drain(Ended&& ended) {
    fluid_.drain(std::forward<Ended>(ended));
  }

  [[nodiscard]] double virtual_time() const { return in_seconds(fluid_.virtual_time()); }
  [[nodiscard]] std::size_t active_users() const { return fluid_.active_users(); }
  [[nodiscard]] bool active(std::uint32_t user) const { return fluid_.active(user); }
  [[nodiscard]] double virtual_time(std::uint32_t user) const {
    return in_seconds(fluid_.virtual_time(user));
  }
  [[nodiscard]] double start(std::uint32_t user) const { return in_seconds(fluid_.start(user)); }
  [[nodiscard]] double end(std::uint32_t user) const { return in_seconds(fluid_.end(user)); }
  [[nodiscard]] UserShare share(std::uint32_t user) const { return fluid_.share(user); }

  // In order.
  struct Member {
    std::uint32_t job;
    double deadline;
    double slot_time;
  };
  [[nodiscard]] std::vector<Member> members(std::uint32_t user) const {
    std::vector<Member> found;
    for (const auto& [place, work] : fluid_.members(user)) {
      found.push_back({place.job, in_seconds(work.deadline), in_seconds(work.slot_time)});
    }
    return found;
  }
  struct Unserved {
    std::uint32_t job;
    double left;
  };
  [[nodiscard]] std::vector<Unserved> unserved(std::uint32_t user) {
    std::vector<Unserved> found;
    for (const auto& [place, left] : fluid_.unserved(user)) {
      found.push_back({place.job, in_seconds(left)});
    }
    return found;
  }

 private:
  TwoLevel fluid_;
};

}  // namespace somnus::harness

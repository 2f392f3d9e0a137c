// A view as metrics that Prometheus fetches: http://127.0.0.1:PORT/metrics.
#pragma once

#include <cstdint>
#include <memory>

#include "follow/view.hpp"

namespace somnus {

class Exporter {
 public:
  /// Serves on loopback alone. Throws WorldError where the port is not to be had.
  explicit Exporter(std::uint16_t port);
  ~Exporter();
  Exporter(const Exporter&) = delete;
  Exporter& operator=(const Exporter&) = delete;

  /// What is served from now on.
  void show(const View& view);

 private:
  class Gauges;
  std::unique_ptr<Gauges> gauges_;
};

}  // namespace somnus

// One page over HTTP on loopback, for any number of readers: one that asks slowly, or not to the
// end, holds up neither another nor the end of the program.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace somnus {

class PageServer {
 public:
  /// Serves http://127.0.0.1:PORT`path` from now on, from a thread of its own. Throws
  /// std::system_error where the port is not to be had.
  PageServer(std::uint16_t port, std::string path, std::string content_type);
  /// Ends at once, whoever is being served.
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  /// What is served from now on.
  void show(std::string page);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace somnus

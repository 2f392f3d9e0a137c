// Checks a worker's commands before it carries them out: a command for a node of another rank, or
// about a job that there is not, is reported and not carried out.
#pragma once

#include <cstdint>
#include <string>

#include "base/ids.hpp"
#include "model/message.hpp"
#include "transport/packets.hpp"

namespace somnus {

class CommandCheck {
 public:
  /// Of a worker with nodes [first, first + count); `start` has the number of jobs.
  CommandCheck(NodeId first, std::uint32_t count, const Start& start)
      : first_(first), count_(count), start_(start) {}

  /// What is wrong with it, as "task 7 of 5"; empty: nothing.
  template <CommandMessage Command>
  [[nodiscard]] std::string objection(const Command& command) const {
    const std::string general = objection_to_any(command.node, command.sent);
    return general.empty() ? objection_to(command) : general;
  }
  [[nodiscard]] std::string objection(const JobUpdate& update) const;

 private:
  [[nodiscard]] std::string objection_to_any(NodeId node, Time sent) const;
  [[nodiscard]] static std::string objection_to(const ResetMessage& /*any life*/) { return {}; }
  [[nodiscard]] std::string objection_to(const LaunchMessage& launch) const;
  [[nodiscard]] std::string objection_to(const KillMessage& kill) const;
  [[nodiscard]] std::string objection_to(const AskMessage& ask) const;
  [[nodiscard]] static std::string objection_to(const RevokeMessage& revoke);

  NodeId first_;
  std::uint32_t count_;
  Start start_;
};

}  // namespace somnus

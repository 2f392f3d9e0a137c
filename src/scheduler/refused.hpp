// What the engine says of a decision that can't be: a task on a full node, of a stage that has none
// left. A policy of this program that decides so is our mistake, as any Bug; one of somebody else's
// process is that process's.
#pragma once

#include <string>
#include <utility>

#include "base/error.hpp"

namespace somnus {

class Refused : public Bug {
 public:
  /// What the policy did, such as "placed a task ... on node 3 at 4 s, but the node is lost".
  explicit Refused(std::string deed) : Bug("the policy " + deed), deed_(std::move(deed)) {}

  /// The same, for a sentence that begins with who did it.
  [[nodiscard]] const std::string& deed() const { return deed_; }

 private:
  std::string deed_;
};

}  // namespace somnus

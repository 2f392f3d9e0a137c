// Where a new log is begun, and what is kept free beside it.
#pragma once

#include <filesystem>

#include "base/error.hpp"
#include "output/descriptor.hpp"
#include "output/locked_file.hpp"

namespace somnus {

/// A log is begun beside its place, and moves there when readers can open it, or when it has all
/// that the one had whose place it takes: so there is never a log that can't be read. Nobody else
/// writes there until this goes. Throws as LockedFile does.
class LogDestination : public LockedFile {
 public:
  LogDestination(const std::filesystem::path& log, OutputRules rules);
};

/// Why a new log can't be written there. Throws WorldError as LockedFile does.
[[nodiscard]] Mistakes objections_to_writing(const std::filesystem::path& log,
                                             const OutputRules& rules);

/// A few pages on the disk of a log, until this goes or its process dies: what is done to recover a
/// log takes so much more, and the disk may be full then. They belong to a file without a name.
class RoomToRecover {
 public:
  explicit RoomToRecover(const std::filesystem::path& log);

 private:
  Descriptor file_;
};

}  // namespace somnus

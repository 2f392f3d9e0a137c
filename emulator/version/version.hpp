// Which Somnus this is. The commit is of the moment of the build, not of the last configure.
#pragma once

namespace somnus {

extern const char* const somnus_version;
/// As `git describe --always --dirty` says; "unknown" outside a checkout.
extern const char* const somnus_commit;

}  // namespace somnus

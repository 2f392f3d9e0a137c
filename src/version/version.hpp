// Which Somnus this is. The commit is of the moment of the build, not of the last configure.
#pragma once

namespace somnus {

extern const char* const somnus_version;
/// As `git describe --always --dirty` says, or of a tarball by `git archive` its commit; else
/// "unknown".
extern const char* const somnus_commit;

}  // namespace somnus

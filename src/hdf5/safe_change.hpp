// Changes a log in place so that a process killed at any moment leaves it as it was, or so that the
// change can be completed.
//
// All changed pages are collected first (overlay.hpp) and written to a journal, which ends in its
// hash; then they are written to the log, and the journal is removed. Without a whole journal the
// log is untouched; with one, finish_change() writes the same pages again.
#pragma once

#include <filesystem>
#include <functional>

#include "hdf5/handles.hpp"

namespace somnus::hdf5 {

/// Whether what is written has to outlive the machine too, not only the process.
enum class Sync : bool { no, yes };

/// The journal stands beside the log, as LOG.journal, or in the system's temporary folder where
/// there is no room. Throws Failure; the log is as it was then, or finish_change() completes it.
void change_safely(const std::filesystem::path& log, Sync sync,
                   const std::function<void(hid_t file)>& change);

/// Completes a change that was cut off; false if there was none. Throws Failure, also of a journal
/// that cannot be of this log, and leaves both alone then.
bool finish_change(const std::filesystem::path& log);

/// A journal of a log that stood here before is of no use any more.
void forget_change(const std::filesystem::path& log);

}  // namespace somnus::hdf5

// HDF5 handles that close themselves, and its errors as exceptions. Only src/hdf5 and src/log
// include this.
#pragma once

#include <hdf5.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace somnus::hdf5 {

/// An HDF5 call failed. Never leaves src/log: the writer turns it into a WorldError, the reader
/// into a Mistake.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
/// HDF5 could not lock the file; says what to set.
class LockFailure : public Failure {
  using Failure::Failure;
};

/// To be called by each thread before its first HDF5 call. HDF5 then prints nothing by itself, and
/// does nothing at the process's exit, where it could hang on a file that it failed to write.
void prepare_thread();

/// Throws Failure: `doing`, then the system's reason if HDF5 knows one, else HDF5's innermost one.
[[noreturn]] void fail(const std::string& doing);

/// `result` of an HDF5 call, which is negative if it failed.
template <class Result>
Result checked(Result result, const char* doing) {
  if (result < 0) [[unlikely]]
    fail(doing);
  return result;
}

template <herr_t (*Close)(hid_t)>
class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, const char* doing) : id_(checked(id, doing)) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, none)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) Close(id_);
  }

  [[nodiscard]] hid_t get() const { return id_; }
  /// Closes, and throws if that fails.
  void close(const char* doing) {
    if (id_ >= 0) checked(Close(std::exchange(id_, none)), doing);
  }
  /// Forgets the handle without closing it.
  void abandon() { id_ = none; }

 private:
  static constexpr hid_t none = -1;
  hid_t id_ = none;
};

using File = Handle<H5Fclose>;
using Group = Handle<H5Gclose>;
using Dataset = Handle<H5Dclose>;
using Dataspace = Handle<H5Sclose>;
using Datatype = Handle<H5Tclose>;
using Attribute = Handle<H5Aclose>;
using Properties = Handle<H5Pclose>;

/// For opening a file without HDF5's own locks: the program has its own (output/file_lock.hpp),
/// some file systems take both for one, and some have none. The environment variable
/// HDF5_USE_FILE_LOCKING overrides this.
[[nodiscard]] Properties access_without_locks();

}  // namespace somnus::hdf5

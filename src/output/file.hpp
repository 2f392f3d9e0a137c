// Files that appear whole or not at all, where they may be written.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "output/descriptor.hpp"
#include "output/destination.hpp"
#include "output/unfinished.hpp"

namespace somnus {

/// A file that is written piece by piece, under another name until commit(); where links lead
/// there, it appears at their end, with the permissions of a file that it replaces. A pipe,
/// terminal or other character device gets the pieces as they come. Without commit() nothing is
/// left.
class OutputFile {
 public:
  /// Throws UserError if there are objections_to_output(), WorldError if it can't be written.
  explicit OutputFile(std::filesystem::path path, OutputRules rules = {});

  /// Throws WorldError.
  void write(std::string_view text);
  /// Looks once more at what is there now. Throws like the constructor.
  void commit();

 private:
  void open_stream();
  void flush();

  std::filesystem::path path_;   // as the user has named it
  std::filesystem::path place_;  // its end of all links
  OutputRules rules_;
  std::filesystem::path fresh_;  // where it is written; empty: a stream
  Unfinished unfinished_;
  Descriptor file_;
  std::string waiting_;  // to be written together
};

/// Gives a file the owner, as far as that is allowed, and the permissions of one that it is to
/// replace; nothing if there is none.
void copy_permissions(const std::filesystem::path& from, int to);

}  // namespace somnus

// A config's text as values, each with the location where it was written.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/value.hpp"
#include "base/value_reader.hpp"
#include "config/config.hpp"

namespace somnus {

class Document {
 public:
  struct Locations {
    SourceLocation key;
    SourceLocation value;
  };

  Document(std::string origin, Table values, std::map<std::string, Locations> locations)
      : origin_(std::move(origin)), values_(std::move(values)), locations_(std::move(locations)) {}

  /// Keys as the user wrote them, those of overrides last.
  /// The file, or what the text is called.
  [[nodiscard]] const std::string& origin() const { return origin_; }
  [[nodiscard]] const Table& values() const { return values_; }
  /// Of the value at that path, or else of the table where it is missing; the file alone where
  /// nothing at all is there.
  [[nodiscard]] SourceLocation location(const std::string& path) const;
  /// Each at its location: the file's in the order of the file, then those of overrides.
  [[nodiscard]] Mistakes mistakes(const ValueReader& reader) const;

 private:
  std::string origin_;
  Table values_;
  std::map<std::string, Locations> locations_;  // by path
};

/// What is in the file, whatever it is.
[[nodiscard]] Checked<std::string> read_toml(const std::filesystem::path& file);
/// The TOML text, with the overrides put in.
[[nodiscard]] Checked<Document> parse_document(std::string_view toml, const std::string& origin,
                                               std::span<const Override> overrides);

}  // namespace somnus

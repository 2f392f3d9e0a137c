#include "formats/formats.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/given_parameters.hpp"
#include "base/suggest.hpp"
#include "formats/failure_trace.hpp"
#include "formats/other_texts.hpp"
#include "text/file_kind.hpp"

namespace somnus {
namespace {

/// The file begins as those of the format do, and not as those of one that has a look of its own.
bool is_like(const Format& format, std::string_view text) {
  if (!format.looks_like(text)) return false;
  return format.look != Look::shared || std::ranges::none_of(formats(), [&](const Format& other) {
           return other.look == Look::own && other.looks_like(text);
         });
}

constexpr std::array by_look = {Look::own, Look::shared, Look::common};

/// The first for which that holds, by look and then by name.
template <class Holds>
const Format* find_format(const Holds& holds, const std::array<Look, 3>& looks = by_look) {
  for (const Look look : looks) {
    for (const Format& format : formats()) {
      if (format.look == look && holds(format)) return &format;
    }
  }
  return nullptr;
}

const Format* detected_in(const TextFile& file) {
  std::string_view name = file.name();
  if (name.ends_with(".gz")) name.remove_suffix(3);
  const auto has_suffix = [&](const Format& format) {
    return !format.suffix.empty() && name.ends_with(format.suffix);
  };
  const Format* detected = find_format([&](const Format& format) {
    return has_suffix(format) && is_like(format, file.beginning());
  });
  // So that the reader says what is wrong: of several, that of most files.
  if (detected == nullptr)
    detected = find_format(has_suffix, {Look::common, Look::shared, Look::own});
  if (detected != nullptr) return detected;
  return find_format([&](const Format& format) { return format.looks_like(file.beginning()); });
}

/// nullptr: it is none, or that of a format which has but files.
const Format* of_folder(const std::filesystem::path& path, std::string_view name) {
  for (const Format& format : formats()) {
    const bool is_meant = name.empty() || name == format.name;
    if (is_meant && format.is_folder_of != nullptr && format.is_folder_of(path)) return &format;
  }
  return nullptr;
}

Mistakes refusal_of(const TextFile& file, const FileKind& kind) {
  return mistake({.location = {.file = file.name()},
                  .key = "format",
                  .what = fmt::format("expected a workload, found {}", kind.name),
                  .hint = kind.hint})
      .value();
}

/// What no format reads, in one sentence: no text at all, or a table of something else.
std::optional<Mistakes> refuse_others(const TextFile& file) {
  auto kind = kind_of_binary(file.beginning());
  if (is_failure_table(file.beginning())) {
    kind = {"a table of the Failure Trace Archive", "somnus import writes it as [faults]"};
  }
  if (!kind) return std::nullopt;
  return refusal_of(file, *kind);
}

/// A file of another format would fill the screen with mistakes that say nothing.
Checked<WorkloadSpec> parse_as(const Format& format, const TextFile& file,
                               const Parameters& checked) {
  if (auto refusal = refuse_others(file)) return tl::unexpected(std::move(*refusal));
  auto parsed = format.parse(file, checked);
  if (parsed || is_like(format, file.beginning())) return parsed;
  const Format* const other =
      find_format([&](const Format& candidate) { return candidate.looks_like(file.beginning()); });
  // Most texts look like a table; Parquet is nothing else.
  const bool says_nothing =
      other == nullptr || (other->look == Look::common && other->is_parquet == format.is_parquet);
  if (says_nothing) return parsed;
  return mistake({.location = {.file = file.name()},
                  .key = "format",
                  .what = fmt::format("expected {}, found a file that looks like {}", format.name,
                                      other->name),
                  .hint = ""});
}

tl::unexpected<Mistakes> refuse_format(const std::filesystem::path& path, std::string_view word,
                                       std::string what) {
  std::vector<std::string> names;
  for (const Format& format : formats()) names.emplace_back(format.name);
  Mistake one{.location = {.file = path.string()}, .key = "format"};
  one.what = std::move(what);
  one.hint = suggest(word, names);
  if (one.hint.empty()) one.hint = fmt::format("known are {}", fmt::join(names, ", "));
  return mistake(std::move(one));
}

}  // namespace

std::span<const Format> formats() { return Registered<Format>::rows(); }

Checked<const Format*> format_of(const TextFile& file, const std::filesystem::path& path) {
  if (auto refusal = refuse_others(file)) return tl::unexpected(std::move(*refusal));
  const bool is_like_any = std::ranges::any_of(
      formats(), [&](const Format& format) { return format.looks_like(file.beginning()); });
  const auto json = is_like_any ? std::nullopt : kind_of_other_json(file.beginning());
  if (json) return tl::unexpected(refusal_of(file, *json));
  if (const Format* const detected = detected_in(file)) return detected;
  if (const auto kind = kind_of_other_text(file.beginning())) {
    return tl::unexpected(refusal_of(file, *kind));
  }
  return refuse_format(path, "",
                       "expected a workload, found neither a known name nor known content");
}

Checked<const Format*> format_at(const std::filesystem::path& path) {
  if (const Format* const folder = of_folder(path, "")) return folder;
  return TextFile::load(path).and_then([&](const TextFile& file) { return format_of(file, path); });
}

Checked<const Format*> format_called(std::string_view name, const std::filesystem::path& path) {
  const auto named = std::ranges::find(formats(), name, &Format::name);
  if (named != formats().end()) return &*named;
  return refuse_format(path, name, fmt::format("expected a workload format, found '{}'", name));
}

Checked<WorkloadSpec> read_workload(const std::filesystem::path& path, const std::string& format,
                                    const Parameters& parameters, const SourceLocation& where,
                                    OnRead on_read) {
  const auto checked_for = [&](const Format& of) {
    return check_parameters(of.parameters, parameters, fmt::format("format {}", of.name), where);
  };
  if (const Format* const folder = of_folder(path, format)) {
    return checked_for(*folder).and_then(
        [&](const Parameters& checked) { return folder->read_folder(path, checked); });
  }
  if (!format.empty()) {  // what is wrong with parameters shows without the file
    const auto named = format_called(format, path);
    if (!named) return tl::unexpected(named.error());
    const auto checked = checked_for(**named);
    if (!checked) return tl::unexpected(checked.error());
    return read_text(
        path, [&](const TextFile& file) { return parse_as(**named, file, *checked); },
        std::move(on_read));
  }
  const auto parse_as_detected = [&](const TextFile& file) -> Checked<WorkloadSpec> {
    const auto detected = format_of(file, path);
    if (!detected) return tl::unexpected(detected.error());
    return checked_for(**detected).and_then([&](const Parameters& checked) {
      return parse_as(**detected, file, checked);
    });
  };
  return read_text(path, parse_as_detected, std::move(on_read));
}

}  // namespace somnus

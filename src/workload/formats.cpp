#include "workload/formats.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/suggest.hpp"
#include "workload/importers.hpp"
#include "workload/native.hpp"
#include "workload/parse_number.hpp"

namespace somnus {
namespace {

bool looks_native(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

bool looks_tr(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  text.remove_prefix(first);
  return parse_number<double>(text.substr(0, text.find_first_of(" \t\r\n"))).has_value();
}

constexpr std::array<Format, 3> table = {{
    {.name = "native",
     .summary = "Somnus' own: JSON Lines, a header, then one job a line",
     .suffix = ".jsonl",
     .looks_like = looks_native,
     .parse = parse_native},
    {.name = "tr",
     .summary = "Sparrow, Hawk, Eagle: one job a line, submit n mean d_1 ... d_n in seconds",
     .suffix = ".tr",
     .looks_like = looks_tr,
     .parse = parse_tr},
    {.name = "google-uwfq",
     .summary = "the UWFQ paper's Google windows: CSV, one task a row, scaled by 20, without jobs"
                " of 5 times the median work",
     .suffix = "",
     .looks_like = [](std::string_view text) { return text.starts_with("workflow_id,"); },
     .parse = [](const TextFile& file) { return parse_google_uwfq(file); }},
}};

const Format* told_from(const TextFile& file) {
  std::string_view name = file.name();
  if (name.ends_with(".gz")) name.remove_suffix(3);
  for (const Format& format : table) {
    if (!format.suffix.empty() && name.ends_with(format.suffix)) return &format;
  }
  const auto* const found = std::ranges::find_if(
      table, [&](const Format& format) { return format.looks_like(file.text()); });
  return found == table.end() ? nullptr : found;
}

tl::unexpected<Mistakes> refuse(const std::filesystem::path& path, std::string_view word,
                                std::string what) {
  std::vector<std::string> names;
  names.reserve(table.size());
  for (const Format& format : table) names.emplace_back(format.name);
  Mistake one{.place = {.file = path.string()}, .key = "format"};
  one.what = std::move(what);
  one.hint = suggest(word, names);
  return mistake(std::move(one));
}

}  // namespace

std::span<const Format> formats() { return table; }

Checked<WorkloadSpec> read_workload(const std::filesystem::path& path, const std::string& format) {
  const auto* const named = std::ranges::find(table, format, &Format::name);
  if (!format.empty() && named == table.end()) {
    return refuse(path, format, fmt::format("expected a workload format, found '{}'", format));
  }
  const auto file = TextFile::load(path);
  if (!file) return tl::unexpected(file.error());
  if (named != table.end()) return named->parse(*file);
  const Format* told = told_from(*file);
  if (told == nullptr) {
    return refuse(path, "", "expected a workload, found neither a known name nor known content");
  }
  return told->parse(*file);
}

}  // namespace somnus

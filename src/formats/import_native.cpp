// Our own format: JSON Lines, a header, then one job a line (src/workload/README.md).
#include "formats/formats.hpp"
#include "workload/native.hpp"

namespace somnus::import_native {
namespace {

bool looks_like(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') return false;
  text.remove_prefix(first);
  return text.substr(0, text.find('\n')).find("\"somnus_workload\"") != std::string_view::npos;
}

const Registered<Format> row =
    Format{.name = "native",
           .summary = "Somnus' own: JSON Lines, a header, then one job a line",
           .suffix = ".jsonl",
           .looks_like = looks_like,
           .look = Look::shared,
           .parameters = {},
           .parse = [](const TextFile& file, const Parameters&) { return parse_native(file); }};

}  // namespace
}  // namespace somnus::import_native

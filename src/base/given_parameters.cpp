#include "base/given_parameters.hpp"

#include <algorithm>
#include <utility>

#include "base/suggest.hpp"

namespace somnus {

Parameters read_given(ValueReader& reader, const ParameterSchema& schema, const Parameters& given,
                      std::string_view owner) {
  const std::vector<std::string> known = schema.names();
  for (const auto& [name, value] : given) {
    if (std::ranges::find(known, name) != known.end()) continue;
    reader.add_error({.path = key_text(name),
                      .what = known.empty() ? fmt::format("{} has no parameters", owner)
                                            : fmt::format("unknown parameter of {}", owner),
                      .hint = suggest(name, known),
                      .at = ValueError::At::key});
  }
  return schema.read(reader, given, "");
}

Checked<Parameters> check_parameters(const ParameterSchema& schema, const Parameters& given,
                                     std::string_view owner, const SourceLocation& where) {
  ValueReader reader;
  Parameters parameters = read_given(reader, schema, given, owner);
  Mistakes mistakes;
  for (const ValueError& error : reader.errors()) {
    mistakes.add({.location = where, .key = error.path, .what = error.what, .hint = error.hint});
  }
  if (mistakes.any()) return tl::unexpected(std::move(mistakes));
  return parameters;
}

}  // namespace somnus

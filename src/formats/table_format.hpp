// The row of a format that is any table.
#pragma once

#include "formats/formats.hpp"
#include "formats/table_options.hpp"

namespace somnus {

/// Numbers among its parameters are texts, but stay in the config as they were given.
template <class Reader, Described Options>
[[nodiscard]] Format table_format(std::string_view name, std::string_view summary,
                                  bool (*looks_like)(std::string_view text)) {
  Format table = format<Reader, Options>(name, summary, "", looks_like, Look::common);
  const ParameterSchema plain = table.parameters;
  table.parameters = {{plain.begin(), plain.end()},
                      [plain](ValueReader& reader, const Table& given, const std::string& path) {
                        Table read = plain.read(reader, numbers_as_texts(given), path);
                        for (const auto& [key, value] : given) {
                          if (read.contains(key)) read[key] = value;
                        }
                        return read;
                      }};
  table.parse = [parse = std::move(table.parse)](const TextFile& file, const Parameters& given) {
    return parse(file, numbers_as_texts(given));
  };
  return table;
}

}  // namespace somnus

#include "formats/table_options.hpp"

namespace somnus {
namespace {

Value number_as_text(const Value& value) {
  const auto number = value.number();
  if (number) return number_text(*number);
  if (value.table() == nullptr) return value;
  return numbers_as_texts(*value.table());
}

}  // namespace

Table numbers_as_texts(const Table& given) {
  Table texts;
  for (const auto& [name, value] : given) texts[name] = number_as_text(value);
  return texts;
}

}  // namespace somnus

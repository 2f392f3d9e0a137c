#include "base/parameters.hpp"

namespace somnus {

std::vector<std::string> ParameterSchema::names() const {
  std::vector<std::string> names;
  for (const ParameterInfo& info : infos_) names.push_back(info.name);
  return names;
}

Parameters ParameterSchema::read(ValueReader& reader, const Table& given,
                                 const std::string& path) const {
  return read_ ? read_(reader, given, path) : Parameters();
}

Parameters ParameterSchema::defaults() const {
  ValueReader reader;
  return read(reader, {}, "");
}

}  // namespace somnus

#include <algorithm>

#include "config/tables.hpp"
#include "warmup/warmup.hpp"

namespace somnus {
namespace {

std::vector<std::string> names_of_models() {
  std::vector<std::string> names;
  for (const WarmupRow& row : warmup_models()) names.push_back(row.name);
  return names;
}

/// Once each: what two models call the same is the same.
std::vector<ParameterInfo> infos_of_models() {
  std::vector<ParameterInfo> infos;
  for (const WarmupRow& row : warmup_models()) {
    for (const ParameterInfo& info : row.parameters) {
      const bool known = std::ranges::find(infos, info.name, &ParameterInfo::name) != infos.end();
      if (!known) infos.push_back(info);
    }
  }
  return infos;
}

}  // namespace

void read_plain(ValueReader& reader, const Value& value, const std::string& name,
                JvmSettings& into) {
  const Table* const table = reader.table(value, name);
  if (table == nullptr) return;
  std::vector<std::string> known = names_of<JvmSettings>();
  for (const ParameterInfo& info : infos_of_models()) known.push_back(info.name);
  reader.refuse_unknown(*table, name, known);
  if (const auto model = table->find("model"); model != table->end()) {
    const auto chosen = reader.choice(model->second, joined(name, "model"), names_of_models());
    if (!chosen) return;  // so that which keys there are is not known
    into.model = warmup_models()[*chosen].name;
  }
  into.parameters = find_warmup(into.model)->parameters.read(reader, *table, name);
}

Table table_of(const JvmSettings& jvm) {
  Table table = to_value(jvm);
  for (const auto& [name, value] : jvm.parameters) table[name] = value;
  return table;
}

std::vector<ParameterInfo> infos_of_plain(const JvmSettings& jvm) {
  std::vector<ParameterInfo> infos = infos_of(jvm);
  infos.front().choices = names_of_models();
  for (ParameterInfo& info : infos_of_models()) infos.push_back(std::move(info));
  return infos;
}

}  // namespace somnus

#include "workload/native_header.hpp"

#include <fmt/format.h>

#include <limits>

#include "workload/check.hpp"

namespace somnus {
namespace {

namespace dom = simdjson::dom;

constexpr std::uint64_t version = 1;

void read_users(WorkloadSpec& header, const JsonValue& at) {
  const auto weights = at.object();
  if (!weights) return;
  for (const auto& [name, value] : *weights) {
    const auto weight = JsonValue{value, at.line, path(at.key, name)}.number();
    header.users.push_back({.user = std::string(name), .weight = weight.value_or(1)});
  }
}

constexpr JsonKey<WorkloadSpec> header_keys[] = {
    {"somnus_workload",
     [](WorkloadSpec&, const JsonValue& at) {
       const auto found = at.whole(std::numeric_limits<std::uint32_t>::max());
       if (found && *found != version) {
         at.line.wrong(at.key,
                       fmt::format("expected format version {}, found {}", version, *found));
       }
     }},
    {"name",
     [](WorkloadSpec& header, const JsonValue& at) { header.name = at.text().value_or(""); }},
    {"resources",
     [](WorkloadSpec& header, const JsonValue& at) {
       const auto names = at.array();
       if (!names) return;
       std::size_t index = 0;
       for (const dom::element name : *names) {
         const auto text = JsonValue{name, at.line, path(at.key, index++)}.text();
         header.resources.push_back(text.value_or(fmt::format("?{}", index)));
       }
     }},
    {"rigid",
     [](WorkloadSpec& header, const JsonValue& at) { header.rigid = at.flag().value_or(false); }},
    {"users", read_users},
};

}  // namespace

WorkloadSpec read_native_header(dom::object object, JsonLine& line) {
  WorkloadSpec header;
  read_keys(object, header_keys, header, line, "");
  const auto wrong = [&](std::string key, std::string what, std::string hint) {
    line.also_wrong(std::move(key), std::move(what), std::move(hint));
  };
  check_resources(header.resources, wrong);
  check_users(header.users, wrong);
  return header;
}

}  // namespace somnus

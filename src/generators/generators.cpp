#include "generators/generators.hpp"

#include <algorithm>

#include "base/given_parameters.hpp"
#include "base/suggest.hpp"
#include "workload/check.hpp"

namespace somnus {
namespace {

Mistakes at(const SourceLocation& where, const Mistakes& mistakes) {
  Mistakes placed;
  for (Mistake each : mistakes.list()) {
    if (each.location == SourceLocation{}) each.location = where;
    placed.add(std::move(each));
  }
  return placed;
}

}  // namespace

tl::unexpected<Mistakes> refuse(std::string parameter, std::string what) {
  Mistake one;
  one.key = std::move(parameter);
  one.what = std::move(what);
  return mistake(std::move(one));
}

std::span<const Generator> generators() { return Registered<Generator>::rows(); }

const Generator* find_generator(std::string_view name) {
  const auto found = std::ranges::find(generators(), name, &Generator::name);
  return found == generators().end() ? nullptr : &*found;
}

std::vector<std::filesystem::path> files_read_by(std::string_view name,
                                                 const Parameters& parameters,
                                                 const std::filesystem::path& folder) {
  const Generator* const generator = find_generator(name);
  if (generator == nullptr || !generator->reads_files) return {};
  std::vector<std::filesystem::path> files;
  for (const auto& [parameter, value] : parameters) {
    const std::string* const text = value.text();
    if (text == nullptr || text->empty()) continue;
    std::error_code unknown;
    if (std::filesystem::exists(folder / *text, unknown)) files.push_back(folder / *text);
  }
  return files;
}

Checked<WorkloadSpec> generate(const std::string& name, const Parameters& parameters,
                               std::uint64_t seed, const SourceLocation& where,
                               const std::filesystem::path& folder) {
  const Generator* const generator = find_generator(name);
  if (generator == nullptr) {
    std::vector<std::string> names;
    for (const Generator& each : generators()) names.push_back(each.name);
    return mistake({.location = where,
                    .key = "generator",
                    .what = fmt::format("expected a workload generator, found '{}'", name),
                    .hint = suggest(name, names)});
  }
  const auto checked =
      check_parameters(generator->parameters, parameters, "generator " + name, where);
  if (!checked) return tl::unexpected(checked.error());
  auto workload = generator->make(*checked, seed, folder);
  if (!workload) return tl::unexpected(at(where, workload.error()));
  return check_workload(*std::move(workload), where);
}

}  // namespace somnus

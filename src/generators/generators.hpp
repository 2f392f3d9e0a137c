// The workload generators. Each is one file, generate_NAME.cpp, which ends with its row. Same name,
// parameters and seed: same workload, on every machine; of one that reads files, as long as these
// are the same.
#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/parameters.hpp"
#include "base/registered.hpp"
#include "model/workload.hpp"

namespace somnus {

struct Generator {
  std::string name;
  std::string summary;  // one sentence without a full stop
  std::string source;   // the paper's section
  ParameterSchema parameters;
  bool reads_files = false;  // which may change, and with them what it makes
  /// `folder`: where relative paths among the parameters begin.
  std::function<Checked<WorkloadSpec>(const Parameters&, std::uint64_t seed,
                                      const std::filesystem::path& folder)>
      make;

  [[nodiscard]] const std::string& key() const { return name; }
};

/// By name.
[[nodiscard]] std::span<const Generator> generators();
/// nullptr: there is none of that name.
[[nodiscard]] const Generator* find_generator(std::string_view name);

/// What it may read: each of its parameters that names a file. None if it reads no files, or is
/// unknown.
[[nodiscard]] std::vector<std::filesystem::path> files_read_by(
    std::string_view name, const Parameters& parameters, const std::filesystem::path& folder = {});

/// Parameters that are not given have their defaults. The user's mistakes, at `where`: an unknown
/// generator or parameter, one of the wrong type or out of range, a workload beyond
/// check_workload(). Those in a file that a parameter names are placed there. An empty `folder` is
/// the working directory.
[[nodiscard]] Checked<WorkloadSpec> generate(const std::string& name, const Parameters& parameters,
                                             std::uint64_t seed, const SourceLocation& where = {},
                                             const std::filesystem::path& folder = {});

/// What a generator gives for parameters that do not go together.
[[nodiscard]] tl::unexpected<Mistakes> refuse(std::string parameter, std::string what);

/// A row: make(parameters, seed), or make(parameters, seed, folder) if it reads files,
/// of a described struct, whose defaults are those of a fresh one.
template <Described P, std::same_as<const std::filesystem::path&>... Folder>
[[nodiscard]] Generator generator(std::string name, std::string summary, std::string source,
                                  Checked<WorkloadSpec> (*make)(const P&, std::uint64_t seed,
                                                                Folder...)) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .source = std::move(source),
          .parameters = parameters_of(P()),
          .reads_files = sizeof...(Folder) > 0,
          .make = [make](const Parameters& given, std::uint64_t seed,
                         [[maybe_unused]] const std::filesystem::path& folder) {
            P parameters;
            apply_parameters(parameters, given);
            if constexpr (sizeof...(Folder) == 0) {
              return make(parameters, seed);
            } else {
              return make(parameters, seed, folder);
            }
          }};
}

}  // namespace somnus

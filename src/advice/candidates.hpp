// Schedulers that fit a config: what `somnus advise` has a choice of. Each is a label, as --policy
// takes it, and two labels of one composition are one candidate, by the first of them.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "config/config.hpp"
#include "config/settings.hpp"
#include "scheduler/registry.hpp"

namespace somnus {

class Candidates {
 public:
  /// Of a config with overrides. kept: kinds of parts of which each candidate has the config's own.
  /// Throws UserError: the config has mistakes.
  Candidates(std::filesystem::path config, std::vector<Override> overrides,
             std::set<PartKind> kept);

  /// The config's own.
  [[nodiscard]] const std::string& own() const { return own_; }
  /// Its own first, then all presets, then its own with each other order.
  [[nodiscard]] std::vector<std::string> first();
  /// The presets among them.
  [[nodiscard]] const std::vector<std::string>& presets_that_fit() const { return presets_; }
  /// All that have one part of another kind than this one, in order of kinds and names; none of a
  /// whole policy but those with other parts beside it.
  [[nodiscard]] std::vector<std::string> beside(const std::string& label);
  /// This one with the other's part of that kind; none: it has that already, or they do not fit.
  [[nodiscard]] std::optional<std::string> with_part_of(const std::string& label,
                                                        const std::string& other, PartKind kind);
  /// What the candidate is made of; empty: a whole policy has no such part.
  [[nodiscard]] std::string part(const std::string& label, PartKind kind) const;
  /// Of any seed.
  [[nodiscard]] const Settings& settings(const std::string& label) const;

  /// Its label as a candidate; none: it does not fit, and the reason is kept.
  std::optional<std::string> add(const std::string& label);
  /// Labels that do not fit the config, with the first reason.
  [[nodiscard]] const std::map<std::string, std::string>& unfit() const { return unfit_; }

  /// Kinds of parts that candidates differ in.
  [[nodiscard]] static const std::vector<PartKind>& kinds();

 private:
  [[nodiscard]] std::string with_kept(std::string label) const;
  [[nodiscard]] std::vector<std::string> added(const std::vector<std::string>& labels);

  std::filesystem::path config_;
  std::vector<Override> overrides_;
  std::set<PartKind> kept_;
  std::string own_;
  std::vector<std::string> presets_;
  std::map<std::string, Settings> settings_;           // by label
  std::map<std::string, std::string> by_composition_;  // its label
  std::map<std::string, std::string> unfit_;
};

}  // namespace somnus

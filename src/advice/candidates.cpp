#include "advice/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/describe.hpp"

namespace somnus {
namespace {

/// Parts of that name ask a process that the user wrote. A config without it cannot run them.
constexpr std::string_view external = "external";

std::string part_of(const SchedulerSettings& scheduler, PartKind kind) {
  const bool is_whole = !scheduler.whole.empty();
  switch (kind) {
    case PartKind::policy:
      return scheduler.whole;
    case PartKind::order:
      return is_whole ? "" : scheduler.order;
    case PartKind::within:
      return scheduler.within;
    case PartKind::backfill:
      return is_whole ? "" : scheduler.backfill;
    case PartKind::preemption:
      return is_whole ? "" : scheduler.preemption;
    case PartKind::placement:
      return is_whole ? "" : scheduler.placement;
    case PartKind::feedback:
      return scheduler.feedback;
    case PartKind::queue:
      return scheduler.queue;
    case PartKind::partitioner:
      return scheduler.partitioner;
    case PartKind::reorder:
      break;
  }
  return "";
}

/// Equal for two labels of one composition.
std::string composition_text(Settings settings) {
  settings.scheduler.label.clear();
  if (settings.scheduler.whole.empty()) settings.scheduler.policy.clear();
  return to_toml(settings);
}

std::string exchanged(const std::string& label, PartKind kind, const std::string& part) {
  return fmt::format("{}+{}={}", label, name_of(kind), part);
}

}  // namespace

const std::vector<PartKind>& Candidates::kinds() {
  static const std::vector<PartKind> all = {
      PartKind::order,     PartKind::within,   PartKind::backfill, PartKind::preemption,
      PartKind::placement, PartKind::feedback, PartKind::queue,    PartKind::partitioner};
  return all;
}

Candidates::Candidates(std::filesystem::path config, std::vector<Override> overrides,
                       std::set<PartKind> kept)
    : config_(std::move(config)), overrides_(std::move(overrides)), kept_(std::move(kept)) {
  Settings settings = value_or_throw(load_settings(config_, overrides_));
  settings.scheduler.label.clear();  // it is of no help beside those of others
  overrides_.push_back(text_override("scheduler.label", ""));
  own_ = label_of(settings);
  by_composition_[composition_text(settings)] = own_;
  settings_[own_] = std::move(settings);
}

std::optional<std::string> Candidates::add(const std::string& label) {
  if (settings_.contains(label)) return label;
  if (unfit_.contains(label)) return std::nullopt;
  Mistakes mistakes;
  std::vector<Override> overrides = overrides_;
  const Checked<std::vector<Override>> of_label = overrides_of_label(label);
  if (of_label) {
    overrides.insert(overrides.end(), of_label->begin(), of_label->end());
    std::vector<std::string> unread;  // the config may be of other parts
    Checked<Settings> settings = load_settings(config_, overrides, &unread);
    const auto ignored = std::ranges::find_if(*of_label, [&](const Override& one) {
      return std::ranges::find(unread, one.key) != unread.end();
    });
    if (settings && ignored != of_label->end()) {
      unfit_[label] = fmt::format("does not read {}", ignored->key);
      return std::nullopt;
    }
    if (settings) {
      std::string canonical = label_of(*settings);
      const auto [found, is_new] =
          by_composition_.try_emplace(composition_text(*settings), canonical);
      if (is_new) settings_[canonical] = std::move(*settings);
      return found->second;
    }
    mistakes = settings.error();
  } else {
    mistakes = of_label.error();
  }
  unfit_[label] = mistakes.list().front().what;
  return std::nullopt;
}

std::vector<std::string> Candidates::added(const std::vector<std::string>& labels) {
  std::vector<std::string> all;
  for (const std::string& label : labels) {
    const std::optional<std::string> candidate = add(label);
    if (candidate && std::ranges::find(all, *candidate) == all.end()) all.push_back(*candidate);
  }
  return all;
}

std::string Candidates::with_kept(std::string label) const {
  for (const PartKind kind : kinds()) {
    const std::string own = part(own_, kind);
    if (kept_.contains(kind) && !own.empty()) label = exchanged(label, kind, own);
  }
  return label;
}

std::vector<std::string> Candidates::first() {
  std::vector<std::string> labels;
  for (const Preset& preset : presets()) {
    if (preset.name != external) labels.push_back(with_kept(preset.name));
  }
  presets_ = added(labels);
  labels = {own_};
  labels.insert(labels.end(), presets_.begin(), presets_.end());
  if (!kept_.contains(PartKind::order)) {
    const bool is_whole = part(own_, PartKind::order).empty();
    for (const Part& part : parts()) {
      if (part.kind != PartKind::order || part.name == external) continue;
      labels.push_back(is_whole ? with_kept(part.name)
                                : exchanged(own_, PartKind::order, part.name));
    }
  }
  return added(labels);
}

std::vector<std::string> Candidates::beside(const std::string& label) {
  std::vector<std::string> labels;
  for (const PartKind kind : kinds()) {
    const std::string has = part(label, kind);
    if (kept_.contains(kind) || has.empty()) continue;
    for (const Part& part : parts()) {
      if (part.kind == kind && part.name != has && part.name != external) {
        labels.push_back(exchanged(label, kind, part.name));
      }
    }
  }
  return added(labels);
}

std::optional<std::string> Candidates::with_part_of(const std::string& label,
                                                    const std::string& other, PartKind kind) {
  const std::string theirs = part(other, kind);
  if (theirs.empty() || theirs == part(label, kind)) return std::nullopt;
  return add(exchanged(label, kind, theirs));
}

std::string Candidates::part(const std::string& label, PartKind kind) const {
  return part_of(settings(label).scheduler, kind);
}

const Settings& Candidates::settings(const std::string& label) const {
  const auto found = settings_.find(label);
  SOMNUS_CHECK(found != settings_.end(), "{} is no candidate", label);
  return found->second;
}

}  // namespace somnus

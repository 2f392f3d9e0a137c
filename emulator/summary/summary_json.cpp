#include <nlohmann/json.hpp>

#include "emulator/print/figures_json.hpp"
#include "emulator/print/printable.hpp"
#include "emulator/summary/summary.hpp"

namespace somnus {
namespace {

nlohmann::json figures_of(const Deviation& deviation) {
  auto figures = nlohmann::json::object();
  add_figures(deviation, figures);
  return figures;
}

nlohmann::json figures_of(const UserSummary& user) {
  nlohmann::json figures = {{"user", as_utf8(user.user)}};
  add_figures(user, figures);
  figures["against"] = figures_of(user.against);
  return figures;
}

nlohmann::json figures_of(const QueueSummary& queue) {
  nlohmann::json figures = {{"queue", as_utf8(queue.queue)}};
  add_figures(queue, figures);
  return figures;
}

nlohmann::json figures_of(const ResourceSummary& resource) {
  nlohmann::json figures = {{"resource", as_utf8(resource.resource)}};
  add_figures(resource, figures);
  return figures;
}

nlohmann::json figures_of(const Against& against) {
  return {{"reference", as_utf8(against.reference)},
          {"counting", name_of(against.counting)},
          {"left_out", static_cast<std::uint64_t>(against.left_out)},
          {"cut_otherwise", static_cast<std::uint64_t>(against.cut_otherwise)},
          {"jobs", figures_of(against.jobs)},
          {"users", figures_of(against.users)}};
}

template <class Part>
nlohmann::json list_of(const std::vector<Part>& parts) {
  auto list = nlohmann::json::array();
  for (const Part& part : parts) list.push_back(figures_of(part));
  return list;
}

}  // namespace

nlohmann::json to_json(std::span<const Summary> summaries) {
  auto list = nlohmann::json::array();
  for (const Summary& one : summaries) {
    nlohmann::json figures = {
        {"label", as_utf8(one.label)}, {"mode", one.mode}, {"scheduler", as_utf8(one.scheduler)},
        {"complete", one.complete},    {"seed", one.seed}, {"conserved", one.conserved()},
        {"outran", one.outran()}};
    add_figures(one, figures);
    figures["users"] = list_of(one.users);
    figures["queues"] = list_of(one.queues);
    figures["resources"] = list_of(one.resources);
    figures["against"] = one.against ? figures_of(*one.against) : nlohmann::json();
    list.push_back(std::move(figures));
  }
  return list;
}

}  // namespace somnus

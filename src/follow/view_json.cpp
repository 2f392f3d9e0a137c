#include <nlohmann/json.hpp>

#include "follow/view_print.hpp"
#include "print/figures_json.hpp"
#include "print/printable.hpp"

namespace somnus {
namespace {

nlohmann::json objects(const std::vector<GroupView>& groups, const char* what) {
  auto list = nlohmann::json::array();
  for (const GroupView& group : groups) {
    nlohmann::json object = {{what, as_utf8(group.name)}};
    add_figures(group, object);
    list.push_back(std::move(object));
  }
  return list;
}

}  // namespace

nlohmann::json to_json(const View& view) {
  nlohmann::json object = {{"label", as_utf8(view.label)}, {"workload", as_utf8(view.workload)},
                           {"mode", as_utf8(view.mode)},   {"speed", view.speed},
                           {"complete", view.complete},    {"ended", view.ended},
                           {"silence", view.silence},      {"knows_running", view.knows_running}};
  add_figures(view.cluster, object);
  object["users"] = objects(view.users, "user");
  object["queues"] = objects(view.queues, "queue");
  object["slowest"] = nlohmann::json::array();
  for (const JobView& job : view.slowest) {
    nlohmann::json one = {{"job", as_utf8(job.name)}, {"user", as_utf8(job.user)}};
    add_figures(job, one);
    object["slowest"].push_back(std::move(one));
  }
  return object;
}

}  // namespace somnus

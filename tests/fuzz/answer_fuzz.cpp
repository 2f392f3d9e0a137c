// Any line as what a process of an order or of a whole policy answers.
#include <functional>

#include "base/error.hpp"
#include "external/order_protocol.hpp"
#include "external/policy_protocol.hpp"
#include "fuzz/target.hpp"

namespace somnus::fuzz {
namespace {

/// Whether it was understood; what else it is has to be said.
bool is_understood(const std::function<void()>& reader) {
  try {
    reader();
    return true;
  } catch (const WorldError& error) {
    const std::string_view words = error.what();
    SOMNUS_CHECK(words.starts_with("said "), "it is not said what was said: {}", words);
    return false;
  }
}

}  // namespace

void read(std::string_view bytes) {
  (void)is_understood([&] { (void)order_protocol::read_about(bytes); });
  (void)is_understood([&] { (void)policy_protocol::read_about(bytes); });
  (void)is_understood([&] { (void)order_protocol::read_answer(bytes); });
  policy_protocol::Answer answer;
  if (!is_understood([&] { answer = policy_protocol::read_answer(bytes); })) return;
  for (const policy_protocol::MeantShare& share : answer.targets) {
    SOMNUS_CHECK(probability.holds(share.entitled) && probability.holds(share.target),
                 "a share of {} and {}", share.entitled, share.target);
  }
  SOMNUS_CHECK(answer.wakes_at >= start_of_time, "a waking before the start");
}

std::vector<Seed> seeds() {
  return {
      {"order", R"({"protocol":1,"name":"las","level":"stage","events":["ended"],"wakes":true})"},
      {"keys", R"({"keys":[[3,1],[5,[0,2.5,-1e300]],[0,null]],"wakes_at":9000000000})"},
      {"policy", R"({"protocol":1,"level":"policy","name":"f","events":["job_arrived"]})"},
      {"places", R"({"place":[[0,3],[1,4,8],[2,[5,5,6]]],"place_reserved":[[1,2]]})"},
      {"others", R"({"preempt":[[0,1]],"ask":[[1,2,"probe"],[1,2,"reserve"],[1,2,"decline"]],)"
                 R"("revoke":[[0,4]],"promise":[[0,7]],"target":[[0,0.5,1]],"wakes_at":null})"}};
}

}  // namespace somnus::fuzz

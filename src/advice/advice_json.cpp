#include <cmath>
#include <nlohmann/json.hpp>

#include "advice/advice.hpp"
#include "base/describe.hpp"
#include "print/printable.hpp"

namespace somnus {
namespace {

nlohmann::json json_of(const MeanInterval& interval) {
  const auto number = [](double value) {
    return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
  };
  return {{"runs", interval.runs},
          {"mean", number(interval.mean)},
          {"half_width", number(interval.half_width)}};
}

const char* in_words(Keeps keeps) {
  switch (keeps) {
    case Keeps::yes:
      return "yes";
    case Keeps::no:
      return "no";
    case Keeps::undecided:
      break;
  }
  return "not decided";
}

const char* decision(int side) { return side < 0 ? "less" : side > 0 ? "more" : "not decided"; }

nlohmann::json json_of(const std::vector<LimitVerdict>& verdicts,
                       const std::vector<Limit>& limits) {
  auto all = nlohmann::json::array();
  for (std::size_t at = 0; at < verdicts.size(); ++at) {
    const LimitVerdict& verdict = verdicts[at];
    all.push_back({{"keeps", in_words(verdict.keeps)}, {"beyond", json_of(verdict.beyond)}});
    if (limits[at].each_user) all.back()["user"] = verdict.user;
  }
  return all;
}

nlohmann::json json_of(const std::vector<Finalist>& finalists, const std::vector<Limit>& limits) {
  auto all = nlohmann::json::array();
  for (const Finalist& each : finalists) {
    all.push_back({{"policy", as_utf8(each.label)},
                   {"aim", json_of(each.aim)},
                   {"beside", json_of(each.beside)},
                   {"difference", json_of(each.difference)},
                   {"than_own", decision(each.decided)},
                   {"preset", each.is_preset},
                   {"front", each.on_front},
                   {"keeps_limits", in_words(each.keeps)},
                   {"limits", json_of(each.limits, limits)}});
  }
  return all;
}

nlohmann::json json_of(const std::map<std::string, std::string>& by_label, const char* name) {
  auto all = nlohmann::json::array();
  for (const auto& [label, text] : by_label) {
    all.push_back({{"policy", as_utf8(label)}, {name, as_utf8(text)}});
  }
  return all;
}

}  // namespace

nlohmann::json advice_to_json(const Advice& advice) {
  auto limits = nlohmann::json::array();
  for (const Limit& limit : advice.options.limits) limits.push_back(as_utf8(limit.text));
  auto parts = nlohmann::json::array();
  for (const Contribution& each : advice.parts) {
    parts.push_back({{"kind", name_of(each.kind)},
                     {"part", each.part},
                     {"own", each.own},
                     {"difference", json_of(each.difference)}});
    if (!each.why_not.empty()) parts.back()["why_not"] = as_utf8(each.why_not);
  }
  return {{"aim", advice.options.aim.figure},
          {"beside", advice.options.beside.figure},
          {"limits", limits},
          {"seeds", advice.options.seeds},
          {"own", as_utf8(advice.own)},
          {"best", as_utf8(advice.best().label)},
          {"as_good", advice.as_good},
          {"finalists", json_of(advice.finalists, advice.options.limits)},
          {"presets", json_of(advice.presets, advice.options.limits)},
          {"parts", parts},
          {"tried", advice.tried},
          {"runs", advice.runs},
          {"left_out", json_of(advice.left_out, "why")},
          {"alike", json_of(advice.alike, "as")}};
}

}  // namespace somnus

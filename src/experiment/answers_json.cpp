#include <cmath>
#include <nlohmann/json.hpp>

#include "experiment/answers.hpp"
#include "print/printable.hpp"

namespace somnus {
namespace {

nlohmann::json point_in_json(const ExperimentPlan& plan, std::size_t point) {
  auto values = nlohmann::json::object();
  for (std::size_t key = 0; key < plan.keys.size(); ++key) {
    values[plan.keys[key]] = as_utf8(plan.points[point].values[key]);
  }
  return values;
}

/// null: it is not decided.
nlohmann::json sign_in_words(int sign) {
  if (sign == 0) return nullptr;
  return sign < 0 ? "less" : "more";
}

nlohmann::json comparison_in_json(const Comparison& one, const ExperimentPlan& plan) {
  const std::string replicates = plan.file.keys.batches > 0 ? "batches" : "seeds";
  nlohmann::json json = {{"point", point_in_json(plan, one.point)},
                         {"reference", point_in_json(plan, one.reference)},
                         {"pairs", one.pairs},
                         {"difference", one.difference.mean},
                         {"difference_half_width_95", one.difference.half_width},
                         {"exact", one.is_exact},
                         {"same", one.is_same},
                         {"tie", one.is_tie()}};
  auto& asked = json["than"] = nlohmann::json::array();
  for (const Hypothesis& each : one.hypotheses) {
    if (!asked.empty() && asked.back()["share"] == each.share) continue;
    asked.push_back(
        {{"share", each.share}, {"decided", sign_in_words(each.decided)}, {"p", each.p}});
    if (each.runs_needed > most_predicted_runs) {
      asked.back()["more_" + replicates + "_than"] = most_predicted_runs;
    } else if (each.runs_needed > 0) {
      asked.back()[replicates + "_needed"] = each.runs_needed;
    }
  }
  return json;
}

nlohmann::json crossing_in_json(const Crossing& one) {
  return {{"at", one.at},
          {"low", one.low},
          {"high", one.high},
          {"decided", one.is_decided},
          {"from_first", one.from_first},
          {"to_last", one.to_last}};
}

const char* kind_in_words(Best::Kind kind) {
  switch (kind) {
    case Best::Kind::one:
      return "one";
    case Best::Kind::tie:
      return "tie";
    case Best::Kind::same:
      return "same";
    case Best::Kind::undecided:
      break;
  }
  return "undecided";
}

const char* better_in_words(Better better) {
  return better == Better::less ? "less" : better == Better::more ? "more" : "neither";
}

class FigureJson {
 public:
  FigureJson(const Answers& answers, const FigureAnswer& answer, const ExperimentPlan& plan)
      : answers_(answers), comparing_(answers.comparing), answer_(answer), plan_(plan) {}

  [[nodiscard]] nlohmann::json operator()() const {
    nlohmann::json json = {
        {"metric", figure_infos()[answer_.figure].name},
        {"better", better_in_words(answer_.better)},
        {"margin", answer_.margin},
        {"test", answers_.test == MeanTest::sequential ? "sequential" : "student"}};
    json["axis"] = comparing_.axis.empty() ? nlohmann::json() : nlohmann::json(comparing_.axis);
    json["words"] = answer_in_words(answers_, answer_);
    auto& comparisons = json["comparisons"] = nlohmann::json::array();
    for (const Comparison& one : answer_.comparisons.all()) {
      comparisons.push_back(comparison_in_json(one, plan_));
    }
    auto& crossings = json["crossings"] = nlohmann::json::array();
    for (const DifferenceClaim& claim : answer_.claims) {
      for (const Crossing& one : claim.crossings) crossings.push_back(of_claim(claim, one));
    }
    auto& best = json["best"] = nlohmann::json::array();
    for (const Best& one : answer_.best) best.push_back(of_best(one));
    return json;
  }

 private:
  [[nodiscard]] nlohmann::json of_claim(const DifferenceClaim& claim, const Crossing& one) const {
    nlohmann::json json = crossing_in_json(one);
    json["of"] = as_utf8(comparing_.names[claim.name]);
    json["reference"] = as_utf8(comparing_.names[*comparing_.baseline]);
    json["share"] = claim.share;
    for (const Comparison* const each : claim.comparisons) {
      if (each == nullptr) continue;
      json["point"] = point_in_json(plan_, each->point);  // the first along the axis
      break;
    }
    add_panel(json, claim.panel);
    return json;
  }

  [[nodiscard]] nlohmann::json of_best(const Best& best) const {
    nlohmann::json json = {{"kind", kind_in_words(best.kind)}};
    json["place"] = as_utf8(comparing_.panels[best.panel].places[best.place].name);
    for (const std::size_t name : best.names) {
      json["names"].push_back(as_utf8(comparing_.names[name]));
    }
    add_panel(json, best.panel);
    return json;
  }

  void add_panel(nlohmann::json& json, std::size_t panel) const {
    const std::string& name = comparing_.panels[panel].name;
    if (!name.empty()) json["panel"] = as_utf8(name);
  }

  const Answers& answers_;
  const Comparing& comparing_;
  const FigureAnswer& answer_;
  const ExperimentPlan& plan_;
};

}  // namespace

nlohmann::json answers_to_json(const Answers& answers, const ExperimentPlan& plan) {
  auto all = nlohmann::json::array();
  for (const FigureAnswer& answer : answers.figures) {
    all.push_back(FigureJson(answers, answer, plan)());
  }
  return all;
}

}  // namespace somnus

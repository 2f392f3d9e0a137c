// What a run lost each time that it was cut off and resumed (runtime/resumption.hpp).
#include <algorithm>
#include <cmath>

#include "audit/audit.hpp"
#include "log/held_columns.hpp"

namespace somnus::audit {
namespace {

template <class Kind>
bool happens_in(const Log& log, const ResumeRow& resume) {
  return std::ranges::any_of(log.events.get<Stamped<Kind>>(), [&](const auto& row) {
    return row.round == resume.round && row.time == resume.time;
  });
}

std::uint32_t last_round(const Log& log) {
  std::uint32_t last = 0;
  log.events.for_each([&](const auto& rows) {
    if (!rows.empty()) last = std::max(last, rows.back().round);
  });
  return last;
}

/// Nodes are lost in that round, at that time, or return; of a log that was cut off then perhaps
/// not yet.
bool is_logged(const Facts& facts, const ResumeRow& resume) {
  return happens_in<NodeLost>(facts.log, resume) || happens_in<NodeReturned>(facts.log, resume) ||
         (!facts.complete && resume.round >= last_round(facts.log));
}

}  // namespace

Finding nothing_outlives_a_resumption(const Facts& facts) {
  FindingBuilder finding(
      "no attempt outlives that the run was cut off, and resumed with nodes that are empty");
  finding.note(facts.tolerance());
  const auto& resumes = facts.log.tables.resumes;
  for (std::size_t at = 0; at < resumes.size(); ++at) {
    const bool in_order = at == 0 || resumes[at - 1].time < resumes[at].time;
    const bool on_its_ranks = at + 1 < resumes.size()
                                  ? resumes[at].ranks == resumes[at + 1].ranks_before
                                  : resumes[at].ranks == facts.log.header.ranks;
    finding.expect(in_order && is_logged(facts, resumes[at]) && on_its_ranks, [&] {
      return fmt::format("/resumes row {}: at {} s in round {} on {} ranks", at, resumes[at].time,
                         resumes[at].round, resumes[at].ranks);
    });
  }
  for (std::uint32_t at = 0; at < facts.log.tasks.size(); ++at) {
    const TaskRow& row = facts.log.tasks[at];
    const Time resumed = facts.resumed_after(row.placed);
    if (resumed == never) continue;
    const double last = std::fmax(row.start, row.finish);  // passes over NaN
    finding.expect(!is(last) || at_seconds(last) <= resumed + facts.uncertainty, [&] {
      return fmt::format(
          "{}: placed {} s, start {} s, finish {} s, but the run was resumed at {} s",
          text(at, row), row.placed, row.start, row.finish, in_seconds(resumed));
    });
  }
  return std::move(finding).finding();
}

namespace {

const HeldColumns held_by_resumes[] = {
    {"/resumes", "time", Held::recomputed, "check: no attempt outlives it, nodes return then"},
    {"/resumes", "round", Held::recomputed, "check: nodes are lost and return in it"},
    {"/resumes", "ranks", Held::recomputed, "check: those of the last are the header's"},
    {"/resumes", "*", Held::sealed, "measured"},
};

}  // namespace

}  // namespace somnus::audit

#include "formats/failure_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/value.hpp"
#include "text/cells.hpp"
#include "text/mistake_collector.hpp"
#include "text/parse_number.hpp"
#include "text/text_window.hpp"
#include "text/words.hpp"

namespace somnus {
namespace {

/// Between runs of blanks and tabs.
std::vector<Cell> failure_cells(std::string_view line) {
  std::vector<Cell> cells;
  Words words(line);
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    cells.push_back({word, words.column()});
  }
  return cells;
}

std::vector<Cell> names_in(std::string_view line) {
  const auto start = std::min(line.find_first_not_of("# \t"), line.size());
  std::vector<Cell> cells = failure_cells(line.substr(start));
  for (Cell& cell : cells) cell.column += static_cast<int>(start);
  return cells;
}

bool has_name(const std::vector<Cell>& cells, std::string_view name) {
  return std::ranges::find(cells, name, &Cell::text) != cells.end();
}

/// Of a platform and a node, as the archive numbers them: nodes are numbered in that order here.
using NodeId = std::pair<std::uint64_t, std::uint64_t>;

bool is_null(std::string_view text) { return text == "NULL" || text == "\\N"; }

class FailureReader {
 public:
  FailureReader(const TextFile& events, const TextFile* nodes, const FailureOptions& options)
      : events_(events), nodes_(nodes), options_(options), report_(events.name()) {}

  Checked<FailureTrace> operator()() {
    each_row(events_, event_names, event_optional, report_,
             [&](const Cells& cells, int line) { read_event(cells, line); });
    if (nodes_ != nullptr) {
      MistakeCollector report(nodes_->name());
      each_row(*nodes_, node_names, node_optional, report, [&](const Cells& cells, int line) {
        if (const auto id = node_in(cells, line, report)) note_node(*id, cells);
      });
      if (report.any()) return tl::unexpected(std::move(report).take());
    }
    if (names_.empty() && !report_.any()) {
      report_.add(0, 0, "", "expected at least one event, found none");
    }
    if (report_.any()) return tl::unexpected(std::move(report_).take());
    FailureTrace found = trace();
    if (report_.any()) return tl::unexpected(std::move(report_).take());
    return found;
  }

 private:
  struct Loss {
    NodeId node;
    double start_s = 0;
    std::optional<double> stop_s;
    int line = 0;
  };

  // Those that both tables have come first.
  enum Name : std::size_t { node, platform, type, start, stop, node_name, names };
  using Names = std::array<std::string_view, names>;
  static constexpr Names event_names = {"node_id",          "platform_id",     "event_type",
                                        "event_start_time", "event_stop_time", "node_name"};
  static constexpr Names node_names = event_names;
  static constexpr std::array event_optional = {platform, node_name};
  static constexpr std::array node_optional = {platform, type, start, stop, node_name};

  struct Cells {
    const std::vector<Cell>& all;
    const std::array<std::size_t, names>& place;
    [[nodiscard]] bool has(Name name) const { return place[name] != absent_column; }
    [[nodiscard]] std::string_view text(Name name) const {
      return has(name) ? all[place[name]].text : std::string_view();
    }
    [[nodiscard]] int column(Name name) const { return has(name) ? all[place[name]].column : 0; }
  };

  template <class Optional, class Take>
  static void each_row(const TextFile& file, const Names& columns, const Optional& optional,
                       MistakeCollector& report, const Take& take) {
    std::array<std::size_t, names> place{};
    std::size_t width = 0;  // names
    bool is_fine = false;
    for_each_line(file, [&](std::string_view line, int number) {
      if (line.find_first_not_of(" \t") == std::string_view::npos) return;
      if (width == 0) {
        const std::vector<Cell> names_here = names_in(line);
        width = names_here.size();
        const auto may_lack = [&](std::size_t column) {
          return std::ranges::find(optional, static_cast<Name>(column)) != optional.end();
        };
        is_fine = find_columns(names_here, number, columns, may_lack, place, report);
        return;
      }
      if (!is_fine || line.front() == '#') return;
      const std::vector<Cell> cells = failure_cells(line);
      if (cells.size() == width) return take(Cells{cells, place}, number);
      report.add(number, 0, "",
                 fmt::format("expected {} cells with blanks or tabs between, found {}", width,
                             cells.size()),
                 "an empty cell is NULL");
    });
  }

  std::optional<NodeId> node_in(const Cells& cells, int line, MistakeCollector& report) {
    const auto id = parse_number<std::uint64_t>(cells.text(node));
    const auto of = cells.has(platform) ? parse_number<std::uint64_t>(cells.text(platform))
                                        : std::optional<std::uint64_t>(0);
    if (!id || !of) {
      const Name wrong = id ? platform : node;
      report.add(line, cells.column(wrong), std::string(event_names[wrong]),
                 fmt::format("expected a whole number, found '{}'", cells.text(wrong)));
      return std::nullopt;
    }
    return NodeId{*of, *id};
  }

  void note_node(const NodeId& id, const Cells& cells) {
    std::string& name = names_.try_emplace(id, "").first->second;
    if (name.empty() && !is_null(cells.text(node_name))) name = cells.text(node_name);
  }

  void read_event(const Cells& cells, int line) {
    const auto wrong = [&](Name name, std::string_view expected) {
      report_.add(line, cells.column(name), std::string(event_names[name]),
                  fmt::format("expected {}, found '{}'", expected, cells.text(name)));
    };
    const auto id = node_in(cells, line, report_);
    const auto kind = parse_number<std::uint32_t>(cells.text(type));
    const auto start_s = parse_number<double>(cells.text(start));
    const auto stop_s = parse_number<double>(cells.text(stop));
    if (!kind) wrong(type, "0 (not available), 1 (available) or a state");
    if (!start_s || *start_s < 0) wrong(start, "seconds since 1970");
    if (!stop_s && !is_null(cells.text(stop))) wrong(stop, "seconds since 1970, or NULL");
    const bool is_before = start_s && stop_s && *stop_s < *start_s;
    if (is_before) wrong(stop, fmt::format("{} or later", cells.text(start)));
    if (!id || !kind || !start_s || *start_s < 0 || is_before) return;
    note_node(*id, cells);
    first_s_ = events_read_++ == 0 ? *start_s : std::min(first_s_, *start_s);
    if (*kind > 1) ++states_;
    if (*kind == 0) losses_.push_back({*id, *start_s, stop_s, line});
  }

  FailureTrace trace() {
    FailureTrace trace{.begin_s = first_s_ + options_.from_s};
    std::map<NodeId, std::uint32_t> number_of;
    const bool has_platforms =
        !names_.empty() && names_.begin()->first.first != names_.rbegin()->first.first;
    for (const auto& [id, name] : names_) {
      if (options_.nodes > 0 && trace.nodes.size() == options_.nodes) break;
      number_of[id] = static_cast<std::uint32_t>(trace.nodes.size());
      trace.nodes.push_back(fmt::format("{}{}{}", has_platforms ? fmt::format("{}/", id.first) : "",
                                        id.second, name.empty() ? "" : " " + name));
    }
    std::size_t moments = 0;
    std::size_t for_good = 0;
    for (const Loss& loss : losses_) {
      const auto number = number_of.find(loss.node);
      const double at_s = loss.start_s - trace.begin_s;
      const bool is_wanted = number != number_of.end() && at_s >= 0 &&
                             (options_.until_s == 0 || at_s + options_.from_s < options_.until_s);
      if (!is_wanted) continue;
      const double for_s = loss.stop_s ? *loss.stop_s - loss.start_s : 0;
      if (loss.stop_s && for_s == 0) {
        ++moments;
        continue;
      }
      if (at_s > last_given_seconds || for_s > last_given_seconds) {
        report_.add(
            loss.line, 0, std::string(event_names[start]),
            fmt::format("expected at most {} s from the first event to a loss, and from its "
                        "start to its end, found {} and {}",
                        last_given_seconds, at_s, for_s),
            "from_s leaves out what was before");
        continue;
      }
      for_good += loss.stop_s ? 0 : 1;
      trace.losses.push_back({at_s, number->second, for_s});
    }
    std::ranges::stable_sort(trace.losses, {},
                             [](const NodeLoss& loss) { return std::pair(loss.at_s, loss.node); });
    const auto say = [&](std::size_t count, const char* what) {
      if (count > 0) trace.unsaid.push_back(fmt::format("{}: {}", what, count));
    };
    say(moments, "losses that begin and end in one second, left out");
    say(for_good, "losses without an end, which are for good");
    say(states_, "events of other states (a user is present, a processor is busy), left out");
    trace.unsaid.emplace_back("why a node was lost, and which component of it");
    trace.unsaid.emplace_back("how fast nodes are, and that no event says anything of some times");
    return trace;
  }

  const TextFile& events_;
  const TextFile* nodes_;
  const FailureOptions& options_;
  MistakeCollector report_;
  std::map<NodeId, std::string> names_;
  std::vector<Loss> losses_;
  double first_s_ = 0;
  std::size_t events_read_ = 0;
  std::size_t states_ = 0;
};

}  // namespace

bool is_failure_table(std::string_view beginning) {
  const std::vector<Cell> cells = names_in(beginning.substr(0, beginning.find_first_of("\r\n")));
  return has_name(cells, "node_id") && has_name(cells, "event_type") &&
         has_name(cells, "event_start_time");
}

Checked<FailureTrace> read_failures(const TextFile& events, const TextFile* nodes,
                                    const FailureOptions& options) {
  return FailureReader(events, nodes, options)();
}

std::string faults_text(const FailureTrace& trace, const std::string& file) {
  std::string text = fmt::format(
      "# Losses of nodes by {}: append them to a config whose cluster has {} nodes.\n"
      "# Second 0 is {} s after 1970.\n",
      file, trace.nodes.size(), number_text(trace.begin_s));
  for (std::size_t node = 0; node < trace.nodes.size(); ++node) {
    text += fmt::format("# node {} is {}\n", node, trace.nodes[node]);
  }
  for (const std::string& each : trace.unsaid) text += fmt::format("# not here: {}\n", each);
  for (const NodeLoss& loss : trace.losses) {
    text += fmt::format("\n[[faults.event]]\nat_s = {}\nnode = {}\nkind = \"node-lost\"\n",
                        number_text(loss.at_s), loss.node);
    if (loss.for_s > 0) text += fmt::format("for_s = {}\n", number_text(loss.for_s));
  }
  return text;
}

}  // namespace somnus

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "follow/view_print.hpp"
#include "print/printable.hpp"

namespace somnus {
namespace {

constexpr std::size_t longest_name = 24;
constexpr std::size_t beside_two_names = 45;  // columns of a job's figures
// A run that samples writes at each sample; this long without one is worth a word.
constexpr double long_quiet_s = 10;
// What is longer is no time of a run: a forged log may say anything.
constexpr double longest_s = 1e12;

std::string count(double number) {
  return std::isnan(number) ? "-" : fmt::format("{:L}", static_cast<std::int64_t>(number));
}

std::string grouped(double number) {
  std::string digits = count(number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

std::string duration(double s) {
  if (std::isnan(s)) return "-";
  if (s < 1) return fmt::format("{:.3g} ms", 1000 * s);
  if (s < 120) return fmt::format("{:.1f} s", s);
  if (s > longest_s) return fmt::format("{:.3g} s", s);
  const auto whole = static_cast<std::int64_t>(s);
  if (whole < 7200) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

std::string percent(double share) {
  return std::isnan(share) ? "-" : fmt::format("{:.1f} %", share);
}

std::string slowdown(double times) {
  if (std::isnan(times)) return "-";
  return times < 1e5 ? fmt::format("{:.2f}", times) : fmt::format("{:.3g}", times);
}

/// One character a sample, the last ones; full height is 100 %.
std::string sparkline(const std::vector<double>& shares, std::size_t columns) {
  constexpr std::array<const char*, 8> steps = {"\u2581", "\u2582", "\u2583", "\u2584",
                                                "\u2585", "\u2586", "\u2587", "\u2588"};
  std::string line;
  const std::size_t first = shares.size() - std::min(shares.size(), columns);
  for (std::size_t at = first; at < shares.size(); ++at) {
    const double height = std::clamp(shares[at], 0.0, 100.0) / 100 * (steps.size() - 1);
    line += steps[static_cast<std::size_t>(std::lround(height))];
  }
  return line;
}

/// Lines of text as long as there is room.
class Page {
 public:
  Page(std::size_t columns, std::size_t lines) : columns_(columns), left_(lines) {}

  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    if (left_ == 0) return;
    --left_;
    text_ += printable(fmt::format(format, std::forward<Args>(args)...), columns_) + "\n";
  }
  [[nodiscard]] std::size_t left() const { return left_; }
  /// Such that two of them and a job's figures stand beside each other.
  [[nodiscard]] std::size_t name_width() const {
    const std::size_t room = columns_ - std::min(columns_, beside_two_names);
    return std::clamp(room / 2, std::size_t{8}, longest_name);
  }
  [[nodiscard]] std::string text() && { return std::move(text_); }

 private:
  std::size_t columns_;
  std::size_t left_;
  std::string text_;
};

std::string padded(std::string_view name, std::size_t width) {
  std::string text = printable(name, width);
  text.append(width - std::min(width, character_count(text)), ' ');
  return text;
}

void add_groups(Page& page, const char* title, const std::vector<GroupView>& groups,
                std::size_t most) {
  if (groups.size() < 2 || page.left() < 4) return;  // of one there is nothing to compare
  const std::size_t width = page.name_width();
  page.line("");
  page.line("{} {:>9} {:>8} {:>12} {:>14}", padded(title, width), "running", "share", "active jobs",
            "slot-time");
  const std::size_t shown = std::min({groups.size(), most, page.left()});
  for (std::size_t at = 0; at < shown; ++at) {
    const GroupView& group = groups[at];
    page.line("{} {:>9} {:>8} {:>12} {:>14}", padded(group.name, width), grouped(group.running),
              percent(group.share), grouped(group.active_jobs), duration(group.slot_time_s));
  }
  if (shown < groups.size()) page.line("and {} more", groups.size() - shown);
}

std::string time_left(const View& view) {
  if (view.complete) return "complete";
  if (view.ended) return "ended early";
  if (!view.silence.empty()) return view.silence;
  if (view.cluster.quiet_s >= long_quiet_s) {
    return fmt::format("nothing written for {}", duration(view.cluster.quiet_s));
  }
  return std::isnan(view.cluster.left_s) ? "running"
                                         : fmt::format("{} left", duration(view.cluster.left_s));
}

}  // namespace

std::string to_line(const View& view) {
  const ClusterView& now = view.cluster;
  return printable(fmt::format(
      "{}: {}  at {}  busy {}  {} pending  {} active, {} of {} jobs ended  lag {}  {}", view.label,
      percent(now.done), duration(now.time_s), percent(now.busy), grouped(now.pending_tasks),
      grouped(now.active_jobs), grouped(now.finished_jobs + now.failed_jobs), grouped(now.jobs),
      duration(now.lag_s), time_left(view)));
}

std::string to_text(const View& view, std::size_t columns, std::size_t lines) {
  const ClusterView& now = view.cluster;
  Page page(columns, lines);
  page.line("{}  on {}  {}, speed {:g}", view.label, view.workload, view.mode, view.speed);
  page.line("{} done at {} emulated, {}", percent(now.done), duration(now.time_s), time_left(view));
  page.line("");
  if (now.slots > 0) {
    page.line("slots    {} of {} busy, {}", grouped(now.busy_slots), grouped(now.slots),
              percent(now.busy));
  } else {
    page.line("cluster  {} of its fullest resource, {} tasks run", percent(now.busy),
              grouped(now.busy_slots));
  }
  page.line("         {}", sparkline(view.busy, columns > 20 ? columns - 10 : 10));
  page.line("jobs     {} active, {} finished, {} failed, of {}", grouped(now.active_jobs),
            grouped(now.finished_jobs), grouped(now.failed_jobs), grouped(now.jobs));
  page.line("tasks    {} pending, {} in nodes' queues, {} attempts ended",
            grouped(now.pending_tasks), grouped(now.queued_tasks), grouped(now.ended_attempts));
  page.line("lag      {}, at most {}", duration(now.lag_s), duration(now.lag_max_s));
  if (!view.knows_running) page.line("         (running tasks are not in a log without replay)");
  add_groups(page, "user", view.users, 8);
  add_groups(page, "queue", view.queues, 8);
  if (view.slowest.empty() || page.left() < 4) return std::move(page).text();
  const std::size_t width = page.name_width();
  page.line("");
  page.line("{} {} {:>10} {:>9} {:>8} {:>13}", padded("slowest jobs", width), padded("user", width),
            "age", "slowdown", "running", "ended");
  for (const JobView& job : view.slowest) {
    page.line("{} {} {:>10} {:>9} {:>8} {:>13}", padded(job.name, width), padded(job.user, width),
              duration(job.age_s), slowdown(job.slowdown), grouped(job.running),
              fmt::format("{}/{}", grouped(job.ended), grouped(job.tasks)));
  }
  return std::move(page).text();
}

}  // namespace somnus

#include "follow/follower.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "config/config.hpp"
#include "log/run_state.hpp"
#include "output/file_lock.hpp"

namespace somnus {
namespace {

constexpr std::size_t samples_kept = 120;

std::string name_in(const std::vector<std::string>& names, std::uint32_t id) {
  return id < names.size() ? names[id] : std::to_string(id);
}

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

}  // namespace

Checked<void> Follower::look() {
  ended_ = !is_being_written(path_);  // before reading: what is read then is all there will be
  do {
    const bool first = seen_.salt == 0;
    Checked<Log> news = read_updates(path_, seen_);
    if (!news) return tl::unexpected(std::move(news.error()));
    if (first) meet(*news);
    header_ = std::move(news->header);
    tables_.jobs = std::move(news->tables.jobs);
    tables_.ranks = std::move(news->tables.ranks);
    progress_.resize(tables_.jobs.size());
    finished_s_.resize(tables_.jobs.size());
    take(*news);
  } while (seen_.more);
  return {};
}

void Follower::meet(const Log& news) {
  tables_ = news.tables;
  const Checked<Settings> settings = parse_settings(news.header.config, "the log's config", {});
  if (settings) until_s_ = settings->run.until_s;
  for (const NodeRow& node : tables_.nodes) {
    slots_ += node.slots;
    for (std::size_t kind = 0; kind < capacity_.size(); ++kind) {
      capacity_[kind] += node.resources[kind];
    }
  }
}

void Follower::take(const Log& news) {
  for (const TaskRow& task : news.tasks) {
    if (task.job >= progress_.size()) continue;
    Progress& of_job = progress_[task.job];
    ++of_job.ended;
    if (task.finish > task.start) of_job.slot_time_s += task.finish - task.start;
    if (task.outcome != 0) continue;
    ++of_job.finished;
    finished_s_[task.job] += task.nominal;
  }
  for (const Stamped<Launch>& launch : rows_of<Stamped<Launch>>(news)) {
    const std::size_t stage = launch.stage.index();
    if (stage >= tables_.stages.size()) continue;
    const std::uint32_t job = tables_.stages[stage].job;
    if (job < progress_.size()) ++progress_[job].launched;
  }
  for (const SampleRow& sample : news.samples) {
    samples_.push_back(sample);
    lag_max_ = std::fmax(lag_max_, sample.lag);
  }
  if (samples_.size() > samples_kept) {
    samples_.erase(samples_.begin(), samples_.end() - samples_kept);
  }
  const bool any =
      !news.tasks.empty() || !news.samples.empty() || !rows_of<Stamped<Launch>>(news).empty();
  if (any) last_news_ = Clock::now();
}

// Tables are flushed one after the other, so an end may be there before its launch.
double Follower::running(std::size_t job) const {
  return std::max(0.0, progress_[job].launched - progress_[job].ended);
}

double Follower::share_taken(const SampleRow& sample) const {
  if (slots_ > 0) return 100 * sample.busy_slots / slots_;
  double most = 0;
  for (std::size_t kind = 0; kind < capacity_.size(); ++kind) {
    if (capacity_[kind] > 0) most = std::max(most, sample.allocated[kind] / capacity_[kind]);
  }
  return 100 * most;
}

ClusterView Follower::cluster_view() const {
  ClusterView view;
  for (std::size_t at = 0; at < tables_.jobs.size(); ++at) {
    const JobRow& job = tables_.jobs[at];
    const auto state = static_cast<JobState>(job.state);
    view.active_jobs += state == JobState::active ? 1 : 0;
    view.finished_jobs += state == JobState::finished ? 1 : 0;
    view.failed_jobs += state == JobState::failed ? 1 : 0;
    view.ended_attempts += progress_[at].ended;
  }
  view.jobs = static_cast<double>(tables_.jobs.size());
  view.slots = slots_;
  view.lag_max_s = lag_max_;
  view.quiet_s = ended_ ? nan_time : seconds_since(last_news_);
  const double time_s = samples_.empty() ? 0 : samples_.back().time;
  const double done = share_done(tables_.jobs, finished_s_, time_s, until_s_);
  view.done = 100 * done;
  if (samples_.empty()) return view;
  const SampleRow& last = samples_.back();
  view.time_s = last.time;
  view.busy_slots = last.busy_slots;
  view.busy = share_taken(last);
  view.pending_tasks = last.pending_tasks;
  view.queued_tasks = last.queued_tasks;
  view.lag_s = last.lag;
  const bool is_known = header_.mode == "run" && !ended_;
  if (is_known) view.left_s = time_left_s(last.time / header_.speed, done);
  return view;
}

std::vector<GroupView> Follower::groups(const std::vector<std::string>& names,
                                        std::uint32_t JobRow::* group_of) const {
  std::map<std::uint32_t, GroupView> by_id;
  double all = 0;
  for (std::size_t at = 0; at < tables_.jobs.size(); ++at) {
    const JobRow& job = tables_.jobs[at];
    GroupView& group = by_id[job.*group_of];
    group.running += running(at);
    group.slot_time_s += progress_[at].slot_time_s;
    group.active_jobs += job.state == static_cast<std::uint8_t>(JobState::active) ? 1 : 0;
    all += running(at);
  }
  std::vector<GroupView> groups;
  for (auto& [id, group] : by_id) {
    group.name = name_in(names, id);
    if (all > 0) group.share = 100 * group.running / all;
    groups.push_back(std::move(group));
  }
  std::ranges::stable_sort(groups, [](const GroupView& a, const GroupView& b) {
    return std::pair(a.running, a.active_jobs) > std::pair(b.running, b.active_jobs);
  });
  return groups;
}

std::vector<JobView> Follower::slowest(std::size_t most) const {
  std::vector<JobView> views;
  if (samples_.empty()) return views;
  for (std::size_t at = 0; at < tables_.jobs.size(); ++at) {
    const JobRow& job = tables_.jobs[at];
    if (job.state != static_cast<std::uint8_t>(JobState::active)) continue;
    JobView view{.name = name_in(tables_.names.jobs, job.job),
                 .user = name_in(tables_.names.users, job.user),
                 .age_s = std::max(0.0, samples_.back().time - job.submit),
                 .running = running(at),
                 .ended = progress_[at].finished,
                 .tasks = static_cast<double>(job.tasks)};
    if (job.alone > 0) view.slowdown = view.age_s / job.alone;
    views.push_back(std::move(view));
  }
  const auto key = [](const JobView& job) {
    return std::pair(std::isnan(job.slowdown) ? 0 : job.slowdown, job.age_s);
  };
  const auto slower = [&](const JobView& a, const JobView& b) { return key(a) > key(b); };
  const std::size_t count = std::min(most, views.size());
  std::partial_sort(views.begin(), views.begin() + static_cast<std::ptrdiff_t>(count), views.end(),
                    slower);
  views.resize(count);
  return views;
}

View Follower::view(std::size_t most_jobs) const {
  View view{.label = header_.label,
            .workload = header_.workload_name,
            .mode = header_.mode,
            .speed = header_.speed,
            .complete = header_.complete,
            .ended = ended_,
            .silence = ended_ ? "" : words_for_silence(tables_.ranks),
            .knows_running = seen_.launches > 0 || seen_.tasks == 0,
            .cluster = cluster_view(),
            .users = groups(tables_.names.users, &JobRow::user),
            .queues = groups(tables_.names.queues, &JobRow::queue),
            .slowest = slowest(most_jobs),
            .busy = {}};
  for (const SampleRow& sample : samples_) view.busy.push_back(share_taken(sample));
  return view;
}

}  // namespace somnus

#include "session/resume.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

#include "config/config.hpp"
#include "log/reader.hpp"
#include "log/recover.hpp"
#include "output/file_lock.hpp"
#include "session/emulation.hpp"
#include "session/replay.hpp"
#include "session/tables.hpp"
#include "version/version.hpp"

namespace somnus {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Mistakes> cannot_resume(const fs::path& log, std::string why, std::string hint) {
  return mistake({.location = {.file = log.string()},
                  .what = "cannot be resumed: " + std::move(why),
                  .hint = std::move(hint)});
}

constexpr std::chrono::seconds timeout_with_writer{5};  // as long as ranks take to end
constexpr std::chrono::milliseconds between_looks_at_writer{50};

}  // namespace

void wait_for_writer(const fs::path& log, const std::atomic<int>& stop, bool quiet) {
  const auto give_up = std::chrono::steady_clock::now() + timeout_with_writer;
  for (bool says = !quiet;; says = false) {
    try {
      [[maybe_unused]] const FileLock lock = FileLock::of_file(log);
      return;
    } catch (const UserError& error) {
      if (std::chrono::steady_clock::now() > give_up) throw;
      if (says) {
        spdlog::warn("{} {}; waiting for up to {} s", log.string(),
                     error.mistakes().list().front().what, timeout_with_writer.count());
      }
    }
    if (stop != 0) {
      throw WorldError(
          fmt::format("{} while it waited for {}", words_for_stop(stop), log.string()));
    }
    std::this_thread::sleep_for(between_looks_at_writer);
  }
}

Checked<Settings> settings_to_resume(const fs::path& log) {
  Checked<LogHeader> header = read_log_header(log);
  if (!header) return tl::unexpected(std::move(header.error()));
  if (header->mode != "run") {
    return cannot_resume(log, "it is the log of a simulation",
                         "simulate again, that takes no longer; only a run in real time goes on");
  }
  if (header->complete) {
    return cannot_resume(log, "the run has come to its end",
                         fmt::format("`somnus summary {}` shows how it went", log.string()));
  }
  if (header->somnus_version != somnus_version) {
    return cannot_resume(log,
                         fmt::format("somnus {} wrote it, this is somnus {}",
                                     header->somnus_version, somnus_version),
                         "resume it with the version that wrote it");
  }
  const std::string origin = header->config_path.empty() ? "the log's config" : header->config_path;
  Checked<Settings> settings = parse_settings(header->config, origin, {});
  if (settings) settings->log.file = log.string();
  return settings;
}

Checked<std::shared_ptr<const RunHistory>> history_of(const fs::path& path,
                                                      const Settings& settings,
                                                      const Workload& workload) {
  if (!settings.log.replay) {
    return cannot_resume(path, "it has no events (log.replay = false)",
                         "a log can be resumed if it keeps the scheduler's events; run anew");
  }
  const Checked<Recovered> recovered = recover_log(path);
  if (!recovered) return tl::unexpected(recovered.error());
  Checked<Log> log = read_log(path);
  if (!log) return tl::unexpected(std::move(log.error()));
  if (log->header.workload_digest != workload.digest) {
    return cannot_resume(
        path, fmt::format("the workload is not the one of the run any more ('{}')", workload.name),
        "put back the workload as it was: what tasks take that have not run stands nowhere else");
  }
  if (!log->events.empty()) {
    const Checked<Replayed> replayed = replay_log(*log);
    if (!replayed) return tl::unexpected(replayed.error());
    if (!replayed->difference.empty()) {
      return cannot_resume(path, "what was decided does not follow: " + replayed->difference,
                           "is it the same somnus? `somnus check` shows what else is wrong");
    }
  }
  const LossReporter reporter =
      settings.faults.missed_heartbeats > 0 ? LossReporter::by_nobody : LossReporter::by_nodes;
  return std::make_shared<const RunHistory>(std::move(*log), workload.catalogue, reporter,
                                            end_of(settings));
}

// Where it was cut off again in the first round after that, it was as if it had not been resumed.
std::vector<ResumeRow> resumes_of(const RunHistory& history, int ranks) {
  std::vector<ResumeRow> resumes = history.log().tables.resumes;
  const std::chrono::duration<double> date = std::chrono::system_clock::now().time_since_epoch();
  ResumeRow row{.time = in_seconds(history.at()),
                .date = std::floor(date.count()),
                .round = history.rounds(),
                .ranks_before = history.log().header.ranks,
                .ranks = static_cast<std::uint32_t>(ranks)};
  for (const RankRow& rank : history.log().tables.ranks) {
    row.clock_uncertainty = std::max(row.clock_uncertainty, rank.clock_uncertainty);
  }
  while (!resumes.empty() && resumes.back().round + 1 >= history.rounds()) {
    row.ranks_before = resumes.back().ranks_before;
    resumes.pop_back();
  }
  resumes.push_back(row);
  return resumes;
}

}  // namespace somnus

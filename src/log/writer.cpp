#include "log/writer.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <cstring>
#include <span>

#include "base/error.hpp"
#include "log/log_file.hpp"

namespace somnus {
namespace {

// On their way, beside one for each kind of row to fill: a quarter of a second's worth of rows at a
// million tasks a second.
constexpr std::size_t blocks_on_their_way = 58;

std::string sentence(const std::filesystem::path& path, const std::string& reason) {
  return fmt::format("{}: cannot write the log: {}", path.string(), reason);
}

std::unique_ptr<LogFile> create(const std::filesystem::path& path, LockedFile& place,
                                const LogHeader& header, const LogTables& initial,
                                const LogOptions& options) {
  hdf5::prepare_thread();
  try {
    return std::make_unique<LogFile>(
        path, place, header, initial, options.compression,
        options.appears_on_request ? Appears::on_request : Appears::at_once);
  } catch (const hdf5::Failure& failure) {
    throw WorldError(sentence(path, failure.what()));
  }
}

}  // namespace

/// Does some work on the file, unless that has failed before.
template <class Work>
void LogWriter::attempt(Work&& work) {
  if (failed()) return;
  try {
    work();
  } catch (const std::exception& problem) {
    file_->abandon();
    {
      const std::lock_guard lock(failure_mutex_);
      failure_ = sentence(path_, problem.what());
    }
    failed_.store(true, std::memory_order_relaxed);
  }
}

LogWriter::LogWriter(const std::filesystem::path& path, const LogHeader& header,
                     const LogTables& initial, const LogOptions& options)
    : path_(path),
      options_(options),
      jobs_(initial.jobs.size()),
      stages_(initial.stages.size()),
      ranks_(initial.ranks.size()),
      room_(std::in_place, path),
      place_(std::in_place, path,
             OutputRules{.inputs = options.inputs, .replace = options.replace}),
      file_(create(path, *place_, header, initial, options)),
      exchange_(Streams::size + blocks_on_their_way) {
  for (std::size_t stream = 0; stream < Streams::size; ++stream) {
    current_[stream] = &exchange_.take_empty(stream);
  }
  thread_ = std::thread([this] { write_until_finished(); });
}

LogWriter::~LogWriter() {
  if (!thread_.joinable()) return;
  stop_thread();
  hdf5::prepare_thread();
  attempt([this] { file_->close(); });
}

void LogWriter::set(const JobRow& row) {
  SOMNUS_CHECK(row.job < jobs_, "the log has {} jobs, not job {}", jobs_, row.job);
  append<JobRow>([&] { return row; });
}

void LogWriter::set(const RankRow& row) {
  SOMNUS_CHECK(row.rank < ranks_, "the log has {} ranks, not rank {}", ranks_, row.rank);
  append<RankRow>([&] { return row; });
}

void LogWriter::set(StageId stage, const StageRow& row) {
  SOMNUS_CHECK(stage.index() < stages_, "the log has {} stages, not stage {}", stages_,
               stage.index());
  append<StageChange>([&] { return StageChange{stage.value(), row}; });
}

std::string LogWriter::failure() const {
  const std::lock_guard lock(failure_mutex_);
  return failure_;
}

void LogWriter::close(const LogTables& last, bool complete) {
  SOMNUS_CHECK(thread_.joinable(), "a log is closed once");
  SOMNUS_CHECK(last.jobs.size() == jobs_ && last.stages.size() == stages_,
               "the log began with {} jobs and {} stages and ends with {} and {}", jobs_, stages_,
               last.jobs.size(), last.stages.size());
  stop_thread();
  hdf5::prepare_thread();
  room_.reset();
  attempt([&] { file_->finish(last, complete); });
  place_.reset();
  if (failed()) throw WorldError(failure());
}

void LogWriter::replace_full_block(std::size_t stream) {
  std::atomic<Block*>& block = current_[stream];
  exchange_.hand_over(*block.load(std::memory_order_relaxed));
  block.store(&exchange_.take_empty(stream), std::memory_order_release);
}

void LogWriter::stop_thread() {
  for (const std::atomic<Block*>& block : current_) exchange_.hand_over(*block.load());
  exchange_.finish();
  thread_.join();
}

// What follows runs on the writing thread, as long as there is one.

void LogWriter::write_until_finished() {
  hdf5::prepare_thread();
  // On a core that is busy with the run this thread waits for its turn, and does not take it.
  const sched_param of_batch{};
  ::pthread_setschedparam(::pthread_self(), SCHED_BATCH, &of_batch);
  place_->drop_replaced();
  auto next_flush = std::chrono::steady_clock::now() + options_.flush_every;
  while (!exchange_.finished()) {
    if (Block* block = exchange_.next(next_flush)) {
      write(*block, block->filled.load(std::memory_order_acquire));
      exchange_.give_back(*block);
    }
    if (std::chrono::steady_clock::now() < next_flush) continue;
    const bool appears = may_appear_.load(std::memory_order_acquire);  // and the rows before that
    take_current_rows();
    attempt([&] {
      file_->flush();
      if (appears) file_->appear();
    });
    next_flush = std::chrono::steady_clock::now() + options_.flush_every;
  }
}

// Takes the rows that stand in the blocks which are being filled. Blocks that were handed over
// before hold earlier rows, so they go first; and if a block that we have noted is among them, all
// of it is written there. Jobs and stages are read first and events before attempts: rows that are
// read later refer to rows read before, however long this thread is held up between two reads.
void LogWriter::take_current_rows() {
  struct Seen {
    Block* block;
    std::size_t filled;
  };
  std::array<Seen, Streams::size> seen;
  for (std::size_t stream = Streams::size; stream-- > 0;) {
    Block* block = current_[stream].load(std::memory_order_acquire);
    seen[stream] = {block, block->filled.load(std::memory_order_acquire)};
  }
  for (std::size_t earlier = 0; earlier < Streams::size + blocks_on_their_way; ++earlier) {
    Block* block = exchange_.next(std::chrono::steady_clock::now());
    if (block == nullptr) break;
    write(*block, block->filled.load(std::memory_order_acquire));
    for (Seen& each : seen) {
      if (each.block == block) each.block = nullptr;
    }
    exchange_.give_back(*block);
  }
  for (const Seen& each : seen) {
    if (each.block != nullptr) write(*each.block, each.filled);
  }
}

void LogWriter::write(Block& block, std::size_t end) {
  const std::span<const std::byte> rows =
      std::span(block.bytes).subspan(block.taken, end - block.taken);
  block.taken = end;
  attempt([&] {
    if (block.stream == Streams::place<JobRow>) return change_jobs(rows);
    if (block.stream == Streams::place<StageChange>) return change_stages(rows);
    if (block.stream == Streams::place<RankRow>) return change_ranks(rows);
    file_->append(block.stream, rows);
  });
}

void LogWriter::change_jobs(std::span<const std::byte> rows) {
  for (; !rows.empty(); rows = rows.subspan(sizeof(JobRow))) {
    JobRow job;
    std::memcpy(&job, rows.data(), sizeof job);
    file_->set_job(job.job, rows.first(sizeof job));
  }
}

void LogWriter::change_ranks(std::span<const std::byte> rows) {
  for (; !rows.empty(); rows = rows.subspan(sizeof(RankRow))) {
    RankRow rank;
    std::memcpy(&rank, rows.data(), sizeof rank);
    file_->set_rank(rank.rank, rows.first(sizeof rank));
  }
}

void LogWriter::change_stages(std::span<const std::byte> changes) {
  for (; !changes.empty(); changes = changes.subspan(sizeof(StageChange))) {
    StageChange change;
    std::memcpy(&change, changes.data(), sizeof change);
    file_->set_stage(change.stage, std::as_bytes(std::span(&change.row, 1)));
  }
}

}  // namespace somnus

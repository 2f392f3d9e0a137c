// A table's rows gathered into jobs. A row is a job of one stage with so many tasks that take as
// long, or with `rows` = "task" a part of the job of that name, whose submit is that of its first
// row in time. Rows of a job that have other demands are stages of their own, side by side, unless
// `stage` and `parents` say what the job's stages are.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "formats/line_jobs.hpp"
#include "formats/table_rows.hpp"
#include "model/workload.hpp"

namespace somnus {

class TableJobs {
 public:
  /// `file` is for messages; the options must outlive it.
  TableJobs(const std::string& file, const TableOptions& options)
      : options_(options), mistakes_(file), rows_(options, mistakes_) {}
  TableJobs(const TableJobs&) = delete;
  TableJobs& operator=(const TableJobs&) = delete;

  /// The columns were named in that line. False if something is wrong with those that are meant.
  [[nodiscard]] bool begin(TableColumns columns, int line);
  /// Whether a parameter means that column; other cells of records may be empty.
  [[nodiscard]] bool uses(std::size_t column) const { return rows_.uses(column); }
  void read(const TableRecord& record);
  /// Once, after the last.
  [[nodiscard]] Checked<WorkloadSpec> finish();

  /// Where a reader says what is wrong with the file itself.
  [[nodiscard]] MistakeCollector& mistakes() { return mistakes_; }

 private:
  struct Stage {
    std::uint32_t label = 0;
    std::vector<std::uint32_t> parents;
    std::vector<double> demand;
    std::vector<std::pair<std::uint64_t, double>> tasks;  // so many, each so long [s]
    int line = 0;
  };
  struct Draft {
    LineJob line;
    std::vector<Stage> stages;
    bool is_broken = false;
  };

  // A further row of a job says of the job what the first did.
  void join(Draft& job, const TableRow& row);
  void add_tasks(std::size_t index, TableRow row);
  // Parents that are not there, or wait for each other.
  void check_stages(Draft& job);
  [[nodiscard]] LineJobs drafted();

  // A job, and its stage's number, or where stages have none what their tasks demand.
  using StageKey = std::pair<std::size_t, std::vector<double>>;

  const TableOptions& options_;
  MistakeCollector mistakes_;
  TableRowReader rows_;
  std::vector<Draft> jobs_;
  std::unordered_map<std::string, std::size_t> index_of_;  // by job
  std::map<StageKey, std::size_t> stage_of_;
  std::uint64_t tasks_ = 0;
};

}  // namespace somnus

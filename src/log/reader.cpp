#include "log/reader.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <system_error>

#include "log/attributes.hpp"
#include "log/guard.hpp"
#include "log/names.hpp"
#include "log/progress.hpp"
#include "log/seal_check.hpp"
#include "log/table.hpp"

namespace somnus {
namespace {

struct OpenedFile {
  hdf5::File file;
  bool closed_by_its_writer;
};

Mistake replaced(const std::filesystem::path& path) {
  return {.location = {.file = path.string()},
          .what = "another log stands there now",
          .hint = "follow it anew"};
}

/// By which a log differs from one that has taken its place. 0: there is no file.
std::uint64_t inode_of(const std::filesystem::path& path) {
  struct stat facts{};
  return ::stat(path.c_str(), &facts) == 0 ? facts.st_ino : 0;
}

/// Reads all parts of one file and collects what is wrong with it.
class Reader {
 public:
  enum class Extent : std::uint8_t { header, news, whole };
  Reader(const std::filesystem::path& path, Extent extent) : path_(path), extent_(extent) {}
  Reader(const std::filesystem::path& path, RowsSeen& seen, std::size_t most_news)
      : path_(path), extent_(Extent::news), seen_(&seen), most_news_(most_news) {}

  Checked<Log> read();

 private:
  std::optional<OpenedFile> open();
  bool is_readable_log();
  void read_header();
  void check_header();
  void read_names_and_nodes();
  void read_tables();
  void read_updates();
  template <class Row>
  void read_news_of(std::size_t& seen);

  /// From one on, all to the end if they are not more.
  template <class Row>
  std::vector<Row> rows(const std::string& table, std::size_t from = 0,
                        std::size_t most = std::numeric_limits<std::size_t>::max());
  std::vector<std::string> names(const char* table);
  /// None, and it is noted as wrong, unless it is there and can be read without harm.
  std::optional<hdf5::Dataset> dataset_at(const std::string& path);
  std::optional<hdf5::Dataset> table_at(const std::string& path, const Layout& layout);
  bool is_cut_short(const hdf5::Dataset& dataset) const;
  [[nodiscard]] bool has(const char* table) const {
    return H5Lexists(file_.get(), table, H5P_DEFAULT) > 0;
  }

  template <class Value>
  Value required(std::optional<Value> value, const char* attribute);
  std::string text(const char* name) { return required(hdf5::read_text(file_.get(), name), name); }
  std::uint64_t number(const char* name) {
    return required(hdf5::read_number(file_.get(), name), name);
  }

  void wrong(std::string key, std::string what, std::string hint = {}) {
    mistakes_.add({.location = {.file = path_.string()},
                   .key = std::move(key),
                   .what = std::move(what),
                   .hint = std::move(hint)});
  }

  std::filesystem::path path_;
  Extent extent_;
  RowsSeen* seen_ = nullptr;
  std::size_t most_news_ = 0;  // of a table
  hdf5::File file_;
  bool closed_ = false;
  Mistakes mistakes_;
  std::optional<hdf5::SealCheck> seals_;
  Log log_;
};

constexpr const char* damaged_hint =
    "the file is damaged or was written by something else; copy it again from where it was written";

Checked<Log> Reader::read() {
  hdf5::prepare_thread();
  try {
    if (std::optional<OpenedFile> opened = open()) {
      file_ = std::move(opened->file);
      closed_ = opened->closed_by_its_writer;
      if (is_readable_log()) {
        read_header();
        if (!mistakes_.any()) check_header();
        if (!mistakes_.any() && extent_ == Extent::whole) read_tables();
        if (!mistakes_.any() && extent_ == Extent::news) read_updates();
      }
    }
  } catch (const hdf5::LockFailure& failure) {
    wrong("", fmt::format("cannot be read: {}", failure.what()));
  } catch (const hdf5::Failure& failure) {
    wrong("", fmt::format("cannot be read: {}", failure.what()),
          "was it cut short? `somnus recover LOG` makes the log of a killed run whole");
  }
  if (mistakes_.any()) return tl::unexpected(std::move(mistakes_));
  log_.seals = std::move(*seals_).audit();
  return std::move(log_);
}

std::optional<OpenedFile> Reader::open() {
  std::error_code error;
  const auto status = std::filesystem::status(path_, error);
  if (!std::filesystem::exists(status)) {
    wrong("", "there is no such file, expected the log of a run");
    return std::nullopt;
  }
  if (!std::filesystem::is_regular_file(status)) {
    wrong("", "is not a file, expected the log of a run");
    return std::nullopt;
  }
  const hdf5::Properties access = hdf5::access_without_locks();
  const htri_t is_hdf5 = H5Fis_hdf5(path_.c_str());
  if (is_hdf5 < 0) hdf5::fail("open the file");
  if (is_hdf5 == 0) {
    wrong("", "is not an HDF5 file, expected the log of a run",
          "a log is made by `somnus run` or `somnus simulate`");
    return std::nullopt;
  }
  const hid_t plain = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, access.get());
  if (plain >= 0) return OpenedFile{{plain, "open the file"}, true};
  // A part that is just being written is read again, after 1, 2, 4, ... ns: for 0.1 s at most.
  hdf5::checked(H5Pset_metadata_read_attempts(access.get(), 26), "choose how often to read");
  const hid_t beside_writer =
      H5Fopen(path_.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access.get());
  return OpenedFile{{beside_writer, "open the file"}, false};
}

bool Reader::is_readable_log() {
  if (hdf5::read_text(file_.get(), "format") != log_format) {
    wrong("", "is an HDF5 file, but not the log of a run",
          fmt::format("a log has the attribute format = \"{}\"", log_format));
    return false;
  }
  const std::uint64_t version = number("format_version");
  if (version != log_format_version) {
    wrong("format_version",
          fmt::format("the log has format version {}, this program reads version {}", version,
                      log_format_version),
          fmt::format("use the version of somnus that wrote it: {}", text("somnus_version")));
    return false;
  }
  return !mistakes_.any();
}

void Reader::read_header() {
  LogHeader& header = log_.header;
  header.mode = text("mode");
  header.somnus_version = text("somnus_version");
  header.commit = text("commit");
  header.config = text("config");
  header.config_path = hdf5::read_text(file_.get(), "config_path").value_or("");
  header.label = text("label");
  header.workload_name = text("workload_name");
  header.workload_digest = text("workload_digest");
  header.seed = number("seed");
  header.speed = required(hdf5::read_real(file_.get(), "speed"), "speed");
  header.ranks = static_cast<std::uint32_t>(number("ranks"));
  header.resources = required(hdf5::read_texts(file_.get(), "resources"), "resources");
  header.rigid_jobs = static_cast<std::uint32_t>(number("rigid_jobs"));
  header.complete = number("complete") != 0;
  if (header.resources.size() > DemandRow().size()) {
    wrong("resources", fmt::format("names {} resources, expected at most {}",
                                   header.resources.size(), DemandRow().size()));
  }
}

void Reader::check_header() {
  const std::uint64_t salt = number("salt");
  seals_.emplace(salt, !closed_);
  seals_->attributes(file_.get(), "root attribute");
  if (extent_ == Extent::header) return;
  auto seals = table_at(hdf5::seals_path, layout_of<hdf5::SealRow>({}));
  if (!seals) return;
  seals_->take(std::move(*seals), number(hdf5::seal_of_seals));
  if (salt != hdf5::salt_of(log_.header)) {
    seals_->broken("root attribute salt does not follow from mode, workload_digest and seed");
  }
}

void Reader::read_names_and_nodes() {
  LogTables& tables = log_.tables;
  tables.stages = rows<StageRow>("/stages");
  tables.nodes = rows<NodeRow>("/nodes");
  tables.users = rows<UserRow>("/users");
  tables.names.jobs = names("/names/jobs");
  tables.names.users = names("/names/users");
  tables.names.queues = names("/names/queues");
  tables.names.apps = names("/names/apps");
  tables.names.groups = names("/names/groups");
  if (has("/names/accounts")) tables.names.accounts = names("/names/accounts");
  if (has("/names/qos")) tables.names.qos = names("/names/qos");
}

void Reader::read_tables() {
  LogTables& tables = log_.tables;
  read_names_and_nodes();
  tables.jobs = rows<JobRow>("/jobs");
  tables.stage_parents = rows<StageParentRow>("/stage_parents");
  tables.stage_affinity = rows<StageAffinityRow>("/stage_affinity");
  if (has("/curves")) tables.curves = rows<CurveRow>("/curves");
  if (has("/gangs")) tables.gangs = rows<GangRow>("/gangs");
  if (has("/accounting")) tables.accounting = rows<AccountingRow>("/accounting");
  if (has("/limits")) tables.limits = rows<LimitRow>("/limits");
  if (has("/cold_tasks")) tables.cold_tasks = rows<ColdTaskRow>("/cold_tasks");
  if (!log_.header.resources.empty()) tables.stage_demands = rows<DemandRow>("/stage_demands");
  tables.ranks = rows<RankRow>("/ranks");
  tables.lateness = rows<LatenessRow>("/lateness");
  if (has("/resumes")) tables.resumes = rows<ResumeRow>("/resumes");
  const std::vector<SchedulerRow> scheduler = rows<SchedulerRow>("/scheduler");
  if (!scheduler.empty()) tables.scheduler = scheduler.front();
  LongRows::for_each([this]<class Row>(std::type_identity<Row>) {
    rows_of<Row>(log_) = rows<Row>(path_of<Row>());
  });
}

void Reader::read_updates() {
  const std::uint64_t salt = number("salt");
  if (seen_->salt != 0 && seen_->salt != salt) {
    mistakes_.add(replaced(path_));
    return;
  }
  if (seen_->salt == 0) read_names_and_nodes();
  seen_->salt = salt;
  seen_->more = false;
  // Ends before launches: then no attempt has ended that was not launched.
  read_news_of<TaskRow>(seen_->tasks);
  read_news_of<Stamped<Launch>>(seen_->launches);
  read_news_of<SampleRow>(seen_->samples);
  log_.tables.jobs = rows<JobRow>("/jobs");
  log_.tables.ranks = rows<RankRow>("/ranks");
}

template <class Row>
void Reader::read_news_of(std::size_t& seen) {
  rows_of<Row>(log_) = rows<Row>(path_of<Row>(), seen, most_news_);
  seen += rows_of<Row>(log_).size();
  seen_->more |= rows_of<Row>(log_).size() == most_news_;
}

template <class Row>
std::vector<Row> Reader::rows(const std::string& table, std::size_t from, std::size_t most) {
  const Layout layout = layout_of<Row>(log_.header.resources);
  const std::optional<hdf5::Dataset> dataset = table_at(table, layout);
  if (!dataset) return {};
  seals_->attributes(dataset->get(), table + " attribute");
  const std::size_t end = seals_->rows_that_count(*dataset, table);
  std::vector<Row> result(std::min(end - std::min(from, end), most));
  seals_->read(*dataset, table, layout, from, std::as_writable_bytes(std::span(result)));
  return result;
}

std::optional<hdf5::Dataset> Reader::dataset_at(const std::string& path) {
  std::optional<hdf5::Dataset> dataset = hdf5::open_dataset(file_.get(), path);
  if (!dataset) {
    wrong(path,
          hdf5::is_link(file_.get(), path) ? "is a link, expected the table itself"
                                           : "the log lacks this table",
          damaged_hint);
  } else if (auto objection = hdf5::objection_to(*dataset)) {
    wrong(path, std::move(*objection), damaged_hint);
    dataset.reset();
  }
  return dataset;
}

std::optional<hdf5::Dataset> Reader::table_at(const std::string& path, const Layout& layout) {
  std::optional<hdf5::Dataset> dataset = dataset_at(path);
  if (!dataset) return dataset;
  if (const std::optional<std::string> column = hdf5::missing_column(*dataset, layout)) {
    wrong(path, fmt::format("the table has no column \"{}\" of numbers", *column), damaged_hint);
    return std::nullopt;
  }
  if (is_cut_short(*dataset)) {
    wrong(path, "is cut short: the file ends before the table does",
          "copy it again from where it was written");
    return std::nullopt;
  }
  return dataset;
}

bool Reader::is_cut_short(const hdf5::Dataset& dataset) const {
  if (closed_) return false;  // HDF5 has looked, it would not have opened the file
  const std::size_t end = hdf5::end_in_file(dataset);
  return end > std::filesystem::file_size(path_);  // in this order, for the file may be growing
}

std::vector<std::string> Reader::names(const char* table) {
  const std::optional<hdf5::Dataset> dataset = dataset_at(table);
  if (!dataset) return {};
  std::optional<std::vector<std::string>> texts = hdf5::read_names(*dataset, table, *seals_);
  if (!texts) wrong(table, "is no table of names, expected texts of one length", damaged_hint);
  return std::move(texts).value_or(std::vector<std::string>());
}

template <class Value>
Value Reader::required(std::optional<Value> value, const char* attribute) {
  if (!value) wrong(attribute, "the log lacks this root attribute", damaged_hint);
  return std::move(value).value_or(Value());
}

}  // namespace

Checked<Log> read_log(const std::filesystem::path& path) {
  Checked<Log> log = Reader(path, Reader::Extent::whole).read();
  // A stray row stays for whoever checks the log.
  if (log && !log->header.complete) static_cast<void>(rebuild_progress(*log, path));
  return log;
}

Checked<Log> read_updates(const std::filesystem::path& path, RowsSeen& seen,
                          std::size_t most_rows) {
  RowsSeen then = seen;
  if (seen.salt == 0) then.inode = inode_of(path);
  Checked<Log> news = Reader(path, then, most_rows).read();
  if (news && inode_of(path) != then.inode) return mistake(replaced(path));  // while it was read?
  if (news) seen = then;
  return news;
}

Checked<LogHeader> read_log_header(const std::filesystem::path& path) {
  Checked<Log> log = Reader(path, Reader::Extent::header).read();
  if (!log) return tl::unexpected(std::move(log.error()));
  return std::move(log->header);
}

}  // namespace somnus

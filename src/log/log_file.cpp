#include "log/log_file.hpp"

#include <fcntl.h>

#include <exception>

#include "base/error.hpp"
#include "hdf5/safe_change.hpp"
#include "log/attributes.hpp"
#include "log/names.hpp"
#include "log/seal.hpp"
#include "log/table.hpp"
#include "output/descriptor.hpp"

namespace somnus {
namespace {

namespace fs = std::filesystem;
using hdf5::checked;

// A flush fills up the last chunk in the file, so that tables of many kinds have small ones.
template <class Row>
constexpr std::size_t chunk_rows = 4'096;
template <>
constexpr std::size_t chunk_rows<TaskRow> = 16'384;
template <>
constexpr std::size_t chunk_rows<SampleRow> = 1'024;
template <>
constexpr std::size_t chunk_rows<RankRow> = 64;
template <>
constexpr std::size_t chunk_rows<LatenessRow> = 256;

/// Only the version-3 format knows single-writer-multiple-readers.
hdf5::Properties access() {
  hdf5::Properties properties = hdf5::access_without_locks();
  checked(H5Pset_libver_bounds(properties.get(), H5F_LIBVER_V110, H5F_LIBVER_V110),
          "choose the file format");
  return properties;
}

/// The file is there, is empty, and is ours.
hdf5::File open_empty(const std::filesystem::path& path) {
  const hdf5::Properties creation(H5Pcreate(H5P_FILE_CREATE), "make properties");
  checked(H5Pset_obj_track_times(creation.get(), false), "switch object times off");
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access().get()),
          "create the file"};
}

void write_header(hid_t file, const LogHeader& header) {
  hdf5::write_text(file, "format", log_format);
  hdf5::write_number(file, "format_version", std::int64_t{log_format_version});
  hdf5::write_text(file, "mode", header.mode);
  hdf5::write_text(file, "somnus_version", header.somnus_version);
  hdf5::write_text(file, "commit", header.commit);
  hdf5::write_text(file, "config", header.config);
  hdf5::write_text(file, "config_path", header.config_path);
  hdf5::write_text(file, "label", header.label);
  hdf5::write_text(file, "workload_name", header.workload_name);
  hdf5::write_text(file, "workload_digest", header.workload_digest);
  hdf5::write_number(file, "seed", header.seed);
  hdf5::write_number(file, "speed", header.speed);
  hdf5::write_number(file, "ranks", std::uint64_t{header.ranks});
  hdf5::write_texts(file, "resources", header.resources);
  hdf5::write_number(file, "rigid_jobs", std::uint64_t{header.rigid_jobs});
  hdf5::write_number(file, "complete", std::int64_t{header.complete});
  hdf5::write_number(file, "salt", hdf5::salt_of(header));
  hdf5::write_number(file, hdf5::seal_of_seals, std::uint64_t{0});
}

hdf5::Group create_group(hid_t file, const char* path) {
  const hdf5::Properties properties(H5Pcreate(H5P_GROUP_CREATE), "make properties");
  checked(H5Pset_obj_track_times(properties.get(), false), "switch object times off");
  return {H5Gcreate2(file, path, H5P_DEFAULT, properties.get(), H5P_DEFAULT), "create a group"};
}

void write_all_names(hid_t file, const LogNames& names, hdf5::Seals& seals, int compression) {
  create_group(file, "/names");
  hdf5::write_names(file, "/names/jobs", names.jobs, seals, compression);
  hdf5::write_names(file, "/names/users", names.users, seals, compression);
  hdf5::write_names(file, "/names/queues", names.queues, seals, compression);
  hdf5::write_names(file, "/names/apps", names.apps, seals, compression);
  hdf5::write_names(file, "/names/groups", names.groups, seals, compression);
  if (names.accounts.empty() && names.qos.empty()) return;
  hdf5::write_names(file, "/names/accounts", names.accounts, seals, compression);
  hdf5::write_names(file, "/names/qos", names.qos, seals, compression);
}

/// Writes the blocks that are not there already.
template <class Row>
void write_all(const hdf5::Dataset& dataset, const std::string& path, const Layout& layout,
               hdf5::Seals& seals, const std::vector<Row>& rows) {
  const std::vector<std::byte> bytes = layout.packed(std::as_bytes(std::span(rows)));
  const hdf5::Datatype type = hdf5::compound_type(layout);
  const std::uint32_t table = seals.table(path);
  const hdf5::Sealer sealer(dataset, seals.salt());
  const auto blocks = hdf5::seals_of(table, sealer, bytes, layout.row_bytes());
  for (const hdf5::SealRow& block : seals.replace(table, blocks)) {
    hdf5::write_rows(dataset, type, block.first, block.rows,
                     bytes.data() + block.first * layout.row_bytes());
  }
}

template <class Row>
void create_fixed(hid_t file, const std::string& path, const LogHeader& header, hdf5::Seals& seals,
                  const std::vector<Row>& rows) {
  const Layout layout = layout_of<Row>(header.resources);
  const hdf5::Dataset dataset = hdf5::create_fixed(file, path, layout, rows.size());
  write_all(dataset, path, layout, seals, rows);
  hdf5::seal_attributes(dataset.get());
}

template <class Row>
void create_growing(hid_t file, const std::string& path, const LogHeader& header,
                    hdf5::Seals& seals, int compression) {
  const Layout layout = layout_of<Row>(header.resources);
  const hdf5::Dataset dataset =
      hdf5::create_growing(file, path, layout, chunk_rows<Row>, compression);
  static_cast<void>(seals.table(path));
  hdf5::seal_attributes(dataset.get());
}

hdf5::Dataset open_existing(hid_t file, const std::string& path) {
  return {H5Dopen2(file, path.c_str(), H5P_DEFAULT), "open a table"};
}

/// Gives a table these rows, while nobody else writes it.
template <class Row>
void replace(hid_t file, const std::string& path, hdf5::Seals& seals,
             const std::vector<Row>& rows) {
  const hdf5::Dataset dataset = open_existing(file, path);
  if (hdf5::row_count(dataset) != rows.size()) hdf5::set_row_count(dataset, rows.size());
  write_all(dataset, path, layout_of<Row>({}), seals, rows);
}

void fill(hid_t id, const LogHeader& header, const LogTables& initial, int compression) {
  write_header(id, header);
  hdf5::Seals seals = hdf5::Seals::create(id, hdf5::salt_of(header));
  write_all_names(id, initial.names, seals, compression);
  const auto fixed = [&](const char* path, const auto& rows) {
    create_fixed(id, path, header, seals, rows);
  };
  fixed("/jobs", initial.jobs);
  fixed("/stages", initial.stages);
  fixed("/stage_parents", initial.stage_parents);
  fixed("/stage_affinity", initial.stage_affinity);
  if (!initial.curves.empty()) fixed("/curves", initial.curves);
  if (!initial.gangs.empty()) fixed("/gangs", initial.gangs);
  if (!initial.accounting.empty()) fixed("/accounting", initial.accounting);
  if (!initial.limits.empty()) fixed("/limits", initial.limits);
  if (!initial.cold_tasks.empty()) fixed("/cold_tasks", initial.cold_tasks);
  fixed("/nodes", initial.nodes);
  fixed("/users", initial.users);
  if (!header.resources.empty()) fixed("/stage_demands", initial.stage_demands);
  if (!initial.resumes.empty()) fixed("/resumes", initial.resumes);
  fixed("/scheduler", std::vector{initial.scheduler});
  create_growing<RankRow>(id, "/ranks", header, seals, 0);
  replace(id, "/ranks", seals, initial.ranks);
  create_growing<LatenessRow>(id, "/lateness", header, seals, 0);
  replace(id, "/lateness", seals, initial.lateness);
  create_group(id, "/events");
  create_group(id, "/decisions");
  LongRows::for_each([&]<class Row>(std::type_identity<Row>) {
    create_growing<Row>(id, path_of<Row>(), header, seals, compression);
  });
  seals.end_tables();
  seals.flush();
  hdf5::seal_attributes(id);
  checked(H5Fstart_swmr_write(id), "let readers in");
}

// When a file that was cut to nothing is closed next, ext4 begins to write all of it to the disk:
// better now, as long as it is short.
void spare_the_end_a_write(const fs::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

void move_to_its_place(const fs::path& path, LockedFile& place) {
  hdf5::forget_change(path);
  try {
    place.take_its_place();
  } catch (const std::exception& error) {
    throw hdf5::Failure(error.what());
  }
}

hdf5::File create(const fs::path& path, LockedFile& place, const LogHeader& header,
                  const LogTables& initial, int compression, Appears appears) {
  hdf5::File file;
  try {
    file = open_empty(place.begun());
    fill(file.get(), header, initial, compression);
    spare_the_end_a_write(place.begun());
    if (appears == Appears::at_once) move_to_its_place(path, place);
    return file;
  } catch (const hdf5::Failure&) {
    file.abandon();
    throw;
  }
}

template <class Row>
GrowingTable open_growing(hid_t file, const LogHeader& header, hdf5::Seals& seals,
                          int compression) {
  Layout layout = layout_of<Row>(header.resources);
  // Room for one chunk, whose rows are all written at once.
  const hdf5::Properties properties(H5Pcreate(H5P_DATASET_ACCESS), "make properties");
  checked(H5Pset_chunk_cache(properties.get(), 1, chunk_rows<Row> * layout.row_bytes(), 1),
          "choose the chunk cache");
  const std::string path = path_of<Row>();
  return {hdf5::Dataset(H5Dopen2(file, path.c_str(), properties.get()), "open a table"),
          path,
          std::move(layout),
          seals,
          chunk_rows<Row>,
          compression > 0};
}

template <class... Rows>
std::array<GrowingTable, sizeof...(Rows)> open_growing(hid_t file, const LogHeader& header,
                                                       hdf5::Seals& seals, int compression,
                                                       TypeList<Rows...>) {
  return {open_growing<Rows>(file, header, seals, compression)...};
}

template <class Row>
ChangingTable open_changing(hid_t file, const char* path, hdf5::Seals& seals,
                            const std::vector<Row>& rows) {
  return {open_existing(file, path), path, layout_of<Row>({}), seals,
          std::as_bytes(std::span(rows))};
}

}  // namespace

LogFile::LogFile(const std::filesystem::path& path, LockedFile& place, const LogHeader& header,
                 const LogTables& initial, int compression, Appears appears)
    : path_(path),
      place_(place),
      file_(create(path, place, header, initial, compression, appears)),
      seals_(hdf5::Seals::of(file_.get(), hdf5::salt_of(header))),
      long_tables_(open_growing(file_.get(), header, seals_, compression, LongRows())),
      jobs_(open_changing(file_.get(), "/jobs", seals_, initial.jobs)),
      stages_(open_changing(file_.get(), "/stages", seals_, initial.stages)),
      ranks_(open_changing(file_.get(), "/ranks", seals_, initial.ranks)),
      header_(header) {}

void LogFile::appear() {
  if (place_.is_in_its_place()) return;
  require_still_there();
  move_to_its_place(path_, place_);
  place_.drop_replaced();
}

void LogFile::require_still_there() const {
  if (!place_.is_there()) throw hdf5::Failure("the file has been removed or replaced");
}

void LogFile::flush() {
  require_still_there();
  for (ChangingTable* table : {&jobs_, &stages_, &ranks_}) table->announce();
  seals_.flush();
  for (GrowingTable& table : long_tables_) table.flush();
  for (ChangingTable* table : {&jobs_, &stages_, &ranks_}) table->flush();
  seals_.flush();
}

void LogFile::close() {
  flush();
  for (GrowingTable& table : long_tables_) table.close();
  for (ChangingTable* table : {&jobs_, &stages_, &ranks_}) table->close();
  seals_.close();
  file_.close("close the file");
}

void LogFile::finish(const LogTables& last, bool complete) {
  jobs_.set_all(std::as_bytes(std::span(last.jobs)));
  stages_.set_all(std::as_bytes(std::span(last.stages)));
  close();
  appear();
  hdf5::change_safely(path_, hdf5::Sync::no,
                      [&](hid_t file) { write_end(file, header_, last, complete); });
}

void LogFile::abandon() {
  for (GrowingTable& table : long_tables_) table.abandon();
  for (ChangingTable* table : {&jobs_, &stages_, &ranks_}) table->abandon();
  seals_.abandon();
  file_.abandon();
}

void write_end(hid_t file, const LogHeader& header, const LogTables& last, bool complete) {
  hdf5::Seals seals = hdf5::Seals::of(file, hdf5::salt_of(header));
  replace(file, "/jobs", seals, last.jobs);
  replace(file, "/stages", seals, last.stages);
  replace(file, "/ranks", seals, last.ranks);
  replace(file, "/lateness", seals, last.lateness);
  replace(file, "/scheduler", seals, std::vector{last.scheduler});
  seals.flush();
  hdf5::overwrite_number(file, hdf5::seal_of_seals, seals.seal());
  hdf5::overwrite_number(file, "complete", std::uint64_t{complete});
  hdf5::seal_attributes(file);
}

}  // namespace somnus

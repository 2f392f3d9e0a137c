// A log in a whole HDF5 file whose datasets, types, attributes and links are any: what the reader
// refuses, and what it works with. Such files are what HDF5 itself can be trusted with, and a
// fuzzer of bytes hardly makes any.
//
// Bytes are edits, as they stand in Edits::apply_next.
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>

#include "fuzz/log_readers.hpp"
#include "fuzz/target.hpp"
#include "fuzz/worlds.hpp"
#include "hdf5/handles.hpp"

namespace somnus::fuzz {
namespace {

constexpr const char* paths[] = {"/jobs",
                                 "/stages",
                                 "/stage_parents",
                                 "/stage_affinity",
                                 "/curves",
                                 "/gangs",
                                 "/limits",
                                 "/accounting",
                                 "/cold_tasks",
                                 "/nodes",
                                 "/users",
                                 "/stage_demands",
                                 "/ranks",
                                 "/scheduler",
                                 "/tasks",
                                 "/samples",
                                 "/targets",
                                 "/instants",
                                 "/names/jobs",
                                 "/names/users",
                                 "/names/queues",
                                 "/names/accounts",
                                 "/names/apps",
                                 "/names/groups",
                                 "/names",
                                 "/events/task_ended",
                                 "/events/job_arrived",
                                 "/events",
                                 "/decisions/launch",
                                 "/decisions"};
constexpr const char* attributes[] = {
    "format",    "format_version", "mode",          "somnus_version",  "commit",
    "config",    "label",          "workload_name", "workload_digest", "seed",
    "speed",     "ranks",          "resources",     "complete",        "salt",
    "seal",      "seals",          "tables",        "lengths",         "job.unit",
    "rigid_jobs"};
constexpr const char* columns[] = {"job",   "stage",  "tasks", "seal",  "rows",
                                   "first", "number", "time",  "weight"};

class Edits {
 public:
  Edits(std::string_view bytes, hid_t file) : left_(bytes), file_(file) {}

  [[nodiscard]] bool over() const { return left_.empty(); }

  void apply_next() {
    const std::string path = one_of(paths);
    switch (number<std::uint8_t>() % 8) {
      case 0:
        return remove(path);
      case 1:
      case 2:
        return replace(path, any_type(), any_space(), any_way());
      case 3:
        return replace(path, type_of(path), any_space(), any_way());
      case 4:
        return link(path);
      case 5:
        return write_cells(path);
      default:
        return edit_attribute(number<std::uint8_t>() % 2 == 0 ? "/" : path);
    }
  }

 private:
  using Dataset = hdf5::Dataset;
  using Dataspace = hdf5::Dataspace;
  using Datatype = hdf5::Datatype;
  using Properties = hdf5::Properties;

  template <class T>
  T number() {
    return take_number<T>(left_);
  }
  template <std::size_t count>
  const char* one_of(const char* const (&all)[count]) {
    return all[number<std::uint8_t>() % count];
  }
  hsize_t length() {
    constexpr hsize_t lengths[] = {0,         1,          2,          3,          10,        1000,
                                   1'000'000, 1ULL << 31, 1ULL << 32, 1ULL << 40, 1ULL << 62};
    return std::min(lengths[number<std::uint8_t>() % std::size(lengths)], most_);
  }
  [[nodiscard]] bool has(const std::string& path) const {
    return H5Lexists(file_, path.c_str(), H5P_DEFAULT) > 0;
  }
  void remove(const std::string& path) { H5Ldelete(file_, path.c_str(), H5P_DEFAULT); }

  Datatype plain_type() {
    const hid_t plain[] = {H5T_NATIVE_UINT8,  H5T_NATIVE_UINT32, H5T_NATIVE_UINT64,
                           H5T_NATIVE_DOUBLE, H5T_STD_I64BE,     H5T_IEEE_F32BE,
                           H5T_NATIVE_INT8,   H5T_NATIVE_B64};
    return {H5Tcopy(plain[number<std::uint8_t>() % std::size(plain)]), "type"};
  }
  Datatype any_type() {
    switch (number<std::uint8_t>() % 8) {
      case 0:
        return text(H5T_VARIABLE);
      case 1:
        return text(1 + number<std::uint16_t>());
      case 2:
        return {H5Tcopy(H5T_STD_REF_OBJ), "type"};
      case 3:
        return {H5Tcreate(H5T_OPAQUE, 1 + number<std::uint8_t>()), "type"};
      case 4: {
        const std::array<hsize_t, 1> many = {1 + hsize_t{number<std::uint8_t>()}};
        return {H5Tarray_create2(plain_type().get(), 1, many.data()), "type"};
      }
      case 5:
        return {H5Tvlen_create(plain_type().get()), "type"};
      case 6:
        return compound();
      default:
        return plain_type();
    }
  }
  static Datatype text(std::size_t size) {
    Datatype type(H5Tcopy(H5T_C_S1), "type");
    H5Tset_size(type.get(), size);
    return type;
  }
  Datatype compound() {
    Datatype type(H5Tcreate(H5T_COMPOUND, 64), "type");
    for (std::size_t at = 0; at < 7; ++at) {
      if (number<std::uint8_t>() < 64) continue;
      H5Tinsert(type.get(), columns[at], 8 * at, plain_type().get());
    }
    if (H5Tget_nmembers(type.get()) == 0) H5Tinsert(type.get(), "none", 0, H5T_NATIVE_INT);
    return type;
  }
  Datatype type_of(const std::string& path) {
    const hid_t id = H5Dopen2(file_, path.c_str(), H5P_DEFAULT);
    if (id < 0) return any_type();
    const Dataset dataset(id, "open");
    return {H5Dget_type(dataset.get()), "type"};
  }
  Dataspace any_space() {
    switch (number<std::uint8_t>() % 6) {
      case 0:
        return {H5Screate(H5S_SCALAR), "space"};
      case 1:
        return {H5Screate(H5S_NULL), "space"};
      case 2: {
        const std::array<hsize_t, 2> both = {length(), length()};
        return {H5Screate_simple(2, both.data(), nullptr), "space"};
      }
      default: {
        const std::array<hsize_t, 1> rows = {length()};
        const std::array<hsize_t, 1> most = {H5S_UNLIMITED};
        grows_ = number<std::uint8_t>() % 2 == 0;
        return {H5Screate_simple(1, rows.data(), grows_ ? most.data() : nullptr), "space"};
      }
    }
  }
  Properties any_way() {
    Properties way(H5Pcreate(H5P_DATASET_CREATE), "properties");
    const unsigned kind = number<std::uint8_t>();
    if (grows_ || kind % 2 == 0) {
      const std::array<hsize_t, 1> chunk = {1 + length() % (1 << 20)};
      H5Pset_chunk(way.get(), 1, chunk.data());
      if ((kind & 2) != 0) H5Pset_shuffle(way.get());
      if ((kind & 4) != 0) H5Pset_deflate(way.get(), 1);
      if ((kind & 8) != 0) H5Pset_fletcher32(way.get());
      if ((kind & 48) == 48) H5Pset_nbit(way.get());
    } else if (kind % 16 == 1) {
      H5Pset_external(way.get(), "/etc/hostname", 0, H5F_UNLIMITED);
    }
    grows_ = false;
    return way;
  }

  void replace(const std::string& path, const Datatype& type, const Dataspace& space,
               const Properties& way) {
    remove(path);
    const hid_t made = H5Dcreate2(file_, path.c_str(), type.get(), space.get(), H5P_DEFAULT,
                                  way.get(), H5P_DEFAULT);
    if (made >= 0) H5Dclose(made);
  }

  void link(const std::string& path) {
    const std::string to = one_of(paths);
    remove(path);
    switch (number<std::uint8_t>() % 4) {
      case 0:
        H5Lcreate_soft(to.c_str(), file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT);
        break;
      case 1:
        H5Lcreate_external("/etc/hostname", to.c_str(), file_, path.c_str(), H5P_DEFAULT,
                           H5P_DEFAULT);
        break;
      case 2:
        H5Lcreate_hard(file_, "/", file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT);
        break;
      default:
        H5Lcreate_hard(file_, to.c_str(), file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    }
  }

  void write_cells(const std::string& path) {
    const hid_t id = H5Dopen2(file_, path.c_str(), H5P_DEFAULT);
    if (id < 0) return;
    const Dataset dataset(id, "open");
    const Datatype type(H5Dget_type(id), "type");
    const Dataspace space(H5Dget_space(id), "space");
    const hssize_t rows = H5Sget_simple_extent_npoints(space.get());
    const std::size_t size = H5Tget_size(type.get());
    const bool plain = H5Tdetect_class(type.get(), H5T_VLEN) == 0 &&
                       H5Tdetect_class(type.get(), H5T_REFERENCE) == 0 &&
                       H5Tis_variable_str(type.get()) == 0;
    if (!plain || rows <= 0 || rows > 1000 || size > 10'000) return;
    std::vector<std::byte> cells(static_cast<std::size_t>(rows) * size);
    H5Dread(id, type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, cells.data());
    const std::size_t from = number<std::uint32_t>() % cells.size();
    const std::size_t count = std::min<std::size_t>({8, cells.size() - from, left_.size()});
    std::memcpy(cells.data() + from, left_.data(), count);
    left_.remove_prefix(count);
    H5Dwrite(id, type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, cells.data());
  }

  void edit_attribute(const std::string& path) {
    const hid_t id = has(path) || path == "/" ? H5Oopen(file_, path.c_str(), H5P_DEFAULT) : -1;
    if (id < 0) return;
    const char* const name = one_of(attributes);
    H5Adelete(id, name);
    if (number<std::uint8_t>() % 4 != 0) {
      const Datatype type = any_type();
      most_ = 1000;  // HDF5 makes room for all of an attribute at once
      const Dataspace space = any_space();
      most_ = H5S_UNLIMITED;
      const hid_t made = H5Acreate2(id, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT);
      if (made >= 0) H5Aclose(made);
    }
    H5Oclose(id);
  }

  std::string_view left_;
  hid_t file_;
  bool grows_ = false;
  hsize_t most_ = H5S_UNLIMITED;
};

}  // namespace

void read(std::string_view bytes) {
  hdf5::prepare_thread();
  const ScratchFile file;
  std::ofstream(file.path(), std::ios::binary) << small_log_file();
  try {
    const hdf5::File opened(H5Fopen(file.path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT), "open");
    Edits edits(bytes, opened.get());
    for (int most = 8; most > 0 && !edits.over(); --most) edits.apply_next();
  } catch (const hdf5::Failure&) {
    return;  // it would not make such a thing
  }
  let_all_read(file.path());
}

std::vector<Seed> seeds() {
  // One of each edit; a fuzzer soon tries them on all paths.
  std::vector<Seed> all{{"none", ""}};
  for (char edit = 0; edit < 8; ++edit) {
    const char bytes[] = {static_cast<char>(3 * edit), edit, 1, 7, 4, 4, 3, 2, 1, 9, 8};
    all.push_back({fmt::format("edit-{}", int{edit}), {bytes, sizeof bytes}});
  }
  return all;
}

}  // namespace somnus::fuzz

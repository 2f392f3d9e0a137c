#include "hdf5/overlay_driver.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>

namespace somnus::hdf5 {
namespace {

thread_local Overlay* being_opened = nullptr;

struct Driver {
  H5FD_t common;  // HDF5's own, at the start
  Overlay* overlay;
  haddr_t end_of_allocation;
};

Driver* driver_of(H5FD_t* file) { return reinterpret_cast<Driver*>(file); }
const Driver* driver_of(const H5FD_t* file) { return reinterpret_cast<const Driver*>(file); }

H5FD_t* open_driver(const char*, unsigned, hid_t, haddr_t) {
  return reinterpret_cast<H5FD_t*>(
      new Driver{.common = {}, .overlay = being_opened, .end_of_allocation = 0});
}
herr_t close_driver(H5FD_t* file) {
  delete driver_of(file);
  return 0;
}
int compare(const H5FD_t* a, const H5FD_t* b) {
  return a == b ? 0 : std::less<const H5FD_t*>()(a, b) ? -1 : 1;
}
herr_t features(const H5FD_t*, unsigned long* flags) {
  if (flags != nullptr) {
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  }
  return 0;
}
haddr_t end_of_allocation(const H5FD_t* file, H5FD_mem_t) {
  return driver_of(file)->end_of_allocation;
}
herr_t set_end_of_allocation(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  driver_of(file)->end_of_allocation = end;
  return 0;
}
haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) { return driver_of(file)->overlay->size(); }

herr_t read_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, void* out) {
  return driver_of(file)->overlay->read(at, {static_cast<std::byte*>(out), size}) ? 0 : -1;
}
herr_t write_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, const void* in) {
  return driver_of(file)->overlay->write(at, {static_cast<const std::byte*>(in), size}) ? 0 : -1;
}
herr_t set_length(H5FD_t* file, hid_t, hbool_t) {
  driver_of(file)->overlay->set_size(driver_of(file)->end_of_allocation);
  return 0;
}

H5FD_class_t driver_class() {
  H5FD_class_t driver{};
  driver.name = "somnus-overlay";
  driver.maxaddr = (haddr_t{1} << 63) - 1;
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.open = open_driver;
  driver.close = close_driver;
  driver.cmp = compare;
  driver.query = features;
  driver.get_eoa = end_of_allocation;
  driver.set_eoa = set_end_of_allocation;
  driver.get_eof = end_of_file;
  driver.read = read_bytes;
  driver.write = write_bytes;
  driver.truncate = set_length;
  const H5FD_mem_t kinds[] = H5FD_FLMAP_DICHOTOMY;
  std::ranges::copy(kinds, driver.fl_map);
  return driver;
}

hid_t driver_id() {
  static const H5FD_class_t driver = driver_class();
  static const hid_t id = checked(H5FDregister(&driver), "make a file driver");
  return id;
}

void set_flag(const Properties& properties, const char* name) {
  const hbool_t yes = 1;
  checked(H5Pset(properties.get(), name, &yes), "choose how to open a file");
}

}  // namespace

File open_over(Overlay& overlay) {
  const Properties access(H5Pcreate(H5P_FILE_ACCESS), "make properties");
  checked(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110),
          "choose the file format");
  checked(H5Pset_driver(access.get(), driver_id(), nullptr), "choose the file driver");
  // As h5clear does: a dead writer has left its flags, and a file that has outgrown its superblock.
  set_flag(access, "clear_status_flags");
  set_flag(access, "skip_eof_check");
  being_opened = &overlay;
  File file(H5Fopen("overlay", H5F_ACC_RDWR, access.get()), "open the file again");
  being_opened = nullptr;
  checked(H5Fincrement_filesize(file.get(), 0), "see the file's end");
  return file;
}

}  // namespace somnus::hdf5

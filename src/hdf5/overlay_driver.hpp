// HDF5 on an Overlay.
#pragma once

#include "hdf5/handles.hpp"
#include "hdf5/overlay.hpp"

namespace somnus::hdf5 {

/// Opens the file below for changes, whatever state its writer has left it in. The overlay must
/// outlive the handle; it has all changes when that is closed.
[[nodiscard]] File open_over(Overlay& overlay);

}  // namespace somnus::hdf5

# The log is written by a thread of its own, and simulations side by side write one each: HDF5 has to be
# the serial library, built thread-safe. A parallel one never is, and its headers include mpi.h.
set(HDF5_PREFER_PARALLEL OFF)
find_package(HDF5 REQUIRED COMPONENTS C)

# somnus_hdf5_problem(OUT FOLDER...): why the HDF5 with headers in these folders will not do; empty: it will.
function(somnus_hdf5_problem out)
  set(${out} "" PARENT_SCOPE)
  foreach(folder ${ARGN})
    file(GLOB found ${folder}/H5pubconf.h ${folder}/H5pubconf-64.h)  # of some systems the second is in it
    foreach(header ${found})
      file(STRINGS ${header} defined REGEX "^#define H5_HAVE_(PARALLEL|THREADSAFE) +1")
      if(defined MATCHES "PARALLEL")
        set(${out} "is a parallel one, which is not thread-safe" PARENT_SCOPE)
        return()
      elseif(defined MATCHES "THREADSAFE")
        return()
      endif()
      set(${out} "was not built thread-safe" PARENT_SCOPE)
    endforeach()
  endforeach()
endfunction()

somnus_hdf5_problem(fault ${HDF5_INCLUDE_DIRS})
if(fault)
  message(FATAL_ERROR "The HDF5 that was found ${fault}:\n  ${HDF5_INCLUDE_DIRS}\nSomnus writes logs from "
    "threads of its own and needs the serial library, built thread-safe (configure --enable-threadsafe; "
    "Debian's libhdf5-dev is). HDF5_ROOT says where it is: -DHDF5_ROOT=FOLDER, behind an -UHDF5_* that "
    "forgets this one.")
endif()

if(NOT TARGET hdf5::hdf5)
  add_library(somnus_hdf5 INTERFACE)
  target_include_directories(somnus_hdf5 SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})
  target_link_libraries(somnus_hdf5 INTERFACE ${HDF5_LIBRARIES})
  add_library(hdf5::hdf5 ALIAS somnus_hdf5)
endif()

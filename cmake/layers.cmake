# One folder, one target: somnus_layer(base LINKS ...), of all sources in it. The link line is the
# layer's arrow: it names all that the folder may include (tests/lint/layers_test.py holds it to that).

option(SOMNUS_WERROR "Warnings are errors; the presets say so, for another compiler has others" OFF)
add_library(somnus_flags INTERFACE)
target_compile_options(somnus_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast
  -Woverloaded-virtual $<$<BOOL:${SOMNUS_WERROR}>:-Werror>
  -Wno-missing-field-initializers  # designated initialisers name what differs from the defaults
  # g++ 12 sees these where std::string is inlined; ASan sees those that are there.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized -Wno-restrict -Wno-array-bounds
    -Wno-stringop-overflow -Wno-stringop-overread>
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)  # in g++ 12's own std::stable_sort
target_link_libraries(somnus_flags INTERFACE fmt::fmt plain::headers)  # whose macros the precompiled headers hold
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_compile_options(-mprfchw)  # a line is fetched to be written; older processors do nothing
endif()
if(SOMNUS_SANITIZE)
  add_compile_options(-fsanitize=${SOMNUS_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  if(SOMNUS_SANITIZE MATCHES undefined)
    # A check at each use of a pointer is a third of the build, and finds little beside ASan: bad
    # pointers trap there, and x86 reads at any address.
    add_compile_options(-fno-sanitize=null,alignment,object-size,vptr)
  endif()
  add_link_options(-fsanitize=${SOMNUS_SANITIZE})
  find_program(SOMNUS_MOLD mold)  # links such large programs in a third of ld's time
  if(SOMNUS_MOLD)
    add_link_options(-fuse-ld=mold)
  endif()
endif()

# The files of a folder are compiled several at a time: five of tests/policy/ took 18 s one by one,
# and take 7 s together. OFF is for who edits one file over and over.
option(SOMNUS_UNITY "Compile a folder's files several at a time" ON)
# somnus_together(TARGET MOST): that many of its files at a time.
function(somnus_together target most)
  get_target_property(files ${target} SOURCES)
  list(LENGTH files count)
  if(SOMNUS_UNITY AND count GREATER 1)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${most})
  endif()
endfunction()

# Half the time of compiling a small file goes into the text of system headers: it is read once. No
# header of ours is among them, and what a file needs it includes all the same: a build without
# (preset tidy) says so.
option(SOMNUS_PRECOMPILE "Read common system headers once, not again in each file" ON)
# somnus_precompiled(NAME HEADERS... LINKS...): to be used by targets with the same flags.
function(somnus_precompiled name)
  cmake_parse_arguments(arg "" "" "HEADERS;LINKS;OPTIONS" ${ARGN})
  if(NOT SOMNUS_PRECOMPILE)
    return()
  endif()
  set(empty ${PROJECT_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${empty} CONTENT "")
  add_library(${name} OBJECT ${empty})
  target_compile_options(${name} PRIVATE ${arg_OPTIONS})
  target_link_libraries(${name} PRIVATE ${arg_LINKS} somnus_flags)
  target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
  if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)  # else ccache would find no file that was compiled with it
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()
function(somnus_use_precompiled target name)
  if(TARGET ${name})
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

set(system_headers <algorithm> <array> <atomic> <chrono> <cmath> <cstdint> <filesystem> <functional>
    <limits> <map> <memory> <numeric> <optional> <set> <span> <string> <string_view> <tuple>
    <type_traits> <unordered_map> <utility> <variant> <vector> <fmt/format.h> <fmt/ranges.h>
    <tl/expected.hpp>)
somnus_precompiled(somnus_system_headers HEADERS ${system_headers})

# With sanitizers the optimiser takes most of the time of compiling. ONCE_A_RUN is for layers in which
# tests compute little: they are compiled without it, in half the time (not where millions of inputs
# go through them).
set(once_a_run_options "")
if(SOMNUS_SANITIZE AND NOT SOMNUS_SANITIZE MATCHES fuzzer)
  set(once_a_run_options -O0)
  somnus_precompiled(somnus_once_a_run_headers HEADERS ${system_headers}
    OPTIONS ${once_a_run_options})
endif()

# PARTS: its files register what is in them (base/registered.hpp), so whatever links the layer gets all
# of them, also those that nobody names.
function(somnus_layer name)
  cmake_parse_arguments(arg "ONCE_A_RUN;PARTS" "" "SOURCES;LINKS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(somnus_${name} STATIC ${sources} ${arg_SOURCES})
  target_include_directories(somnus_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_link_libraries(somnus_${name} PUBLIC ${arg_LINKS} PRIVATE somnus_flags)
  if(arg_ONCE_A_RUN AND once_a_run_options)
    target_compile_options(somnus_${name} PRIVATE ${once_a_run_options})
    somnus_use_precompiled(somnus_${name} somnus_once_a_run_headers)
  else()
    somnus_use_precompiled(somnus_${name} somnus_system_headers)
  endif()
  if(arg_PARTS)
    target_link_options(somnus_${name} INTERFACE
      "LINKER:--whole-archive,$<TARGET_FILE:somnus_${name}>,--no-whole-archive")
  endif()
  somnus_together(somnus_${name} 8)
endfunction()

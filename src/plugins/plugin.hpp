// What a plug-in includes: a shared object with parts of schedulers, each with its own row, as in a
// file of src/policies. It says once what it is called:
//
//     #include "plugins/plugin.hpp"
//     SOMNUS_PLUGIN("las", "0.1");
//
// The program refuses one that was built with the headers of another. Types belong into an unnamed
// namespace: of two with one name, the program's would be used.
#pragma once

#include <bits/c++config.h>
#include <fmt/core.h>

#include <boost/version.hpp>

#if defined(_GLIBCXX_DEBUG) || !_GLIBCXX_USE_CXX11_ABI
#error "Somnus is built without _GLIBCXX_DEBUG and with the C++11 ABI, and so are its plug-ins"
#endif

#pragma GCC visibility push( \
    default)  // what is shared with the program, also with -fvisibility=hidden
#include "scheduler/rows.hpp"
#pragma GCC visibility pop
#include "somnus/abi.hpp"

#define SOMNUS_AS_TEXT_OF(x) #x
#define SOMNUS_AS_TEXT(x) SOMNUS_AS_TEXT_OF(x)
/// The headers and libraries that code was compiled with.
#define SOMNUS_ABI                                                                      \
  SOMNUS_HEADERS "/libstdc++ " SOMNUS_AS_TEXT(_GLIBCXX_RELEASE) "/fmt " SOMNUS_AS_TEXT( \
      FMT_VERSION) "/boost " SOMNUS_AS_TEXT(BOOST_VERSION)

/// Lines of bytes that can be read without running any of its code.
#define SOMNUS_PLUGIN(name, version)                \
  [[gnu::used]] static const char somnus_plugin[] = \
      "somnus plug-in\n" SOMNUS_ABI "\n" name "\n" version "\n"

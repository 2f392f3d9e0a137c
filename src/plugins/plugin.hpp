// What a plug-in includes: a shared object with parts of schedulers, each with its own row, as in a
// file of src/policies. It says once what it is called:
//
//     #include "plugins/plugin.hpp"
//     SOMNUS_PLUGIN("las", "0.1");
//
// The program refuses one that was built with the headers of another.
#pragma once

#include <bits/c++config.h>

#include "scheduler/rows.hpp"
#include "somnus/abi.hpp"

#define SOMNUS_AS_TEXT_OF(x) #x
#define SOMNUS_AS_TEXT(x) SOMNUS_AS_TEXT_OF(x)
/// The headers and the standard library that code was compiled with.
#define SOMNUS_ABI SOMNUS_HEADERS "/" SOMNUS_AS_TEXT(_GLIBCXX_RELEASE)

/// A line of bytes that can be read without running any of its code.
#define SOMNUS_PLUGIN(name, version)                \
  [[gnu::used]] static const char somnus_plugin[] = \
      "somnus plug-in\n" SOMNUS_ABI "\n" name "\n" version "\n"

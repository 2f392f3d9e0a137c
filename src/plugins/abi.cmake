# Writes OUT: a number that is another one as soon as any of the HEADERS is.
string(REPLACE ":" ";" headers "${HEADERS}")
set(digests "")
foreach(header ${headers})
  file(SHA256 ${header} digest)
  string(APPEND digests ${digest})
endforeach()
string(SHA256 digest "${digests}")
string(SUBSTRING ${digest} 0 16 short)
file(CONFIGURE OUTPUT ${OUT} CONTENT "// Made by src/plugins/abi.cmake.
#pragma once

/// Of the headers that a plug-in is built with; those of the program that loads it have to be the same.
#define SOMNUS_HEADERS \"${short}\"
")

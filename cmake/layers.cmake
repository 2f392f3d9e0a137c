# One folder, one target: somnus_layer(base SOURCES ... LINKS ...). The link line is the layer's
# arrow: it names all that the folder may include (tests/lint/layers_test.py holds it to that).

add_library(somnus_flags INTERFACE)
target_compile_options(somnus_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast
  -Woverloaded-virtual -Werror
  -Wno-missing-field-initializers  # designated initialisers name what differs from the defaults
  -Wno-maybe-uninitialized -Wno-restrict)  # g++ 12 sees both where std::string is inlined
if(SOMNUS_SANITIZE)
  add_compile_options(-fsanitize=${SOMNUS_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  if(SOMNUS_SANITIZE MATCHES undefined)
    # A check at each use of a pointer is a third of the build, and finds little beside ASan: bad
    # pointers trap there, and x86 reads at any address.
    add_compile_options(-fno-sanitize=null,alignment,object-size,vptr)
  endif()
  add_link_options(-fsanitize=${SOMNUS_SANITIZE})
endif()

function(somnus_layer name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  add_library(somnus_${name} STATIC ${arg_SOURCES})
  target_include_directories(somnus_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_link_libraries(somnus_${name} PUBLIC ${arg_LINKS} PRIVATE somnus_flags)
endfunction()

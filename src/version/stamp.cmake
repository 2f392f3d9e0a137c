# Run at each build: writes OUT from version.cpp.in, and leaves it alone if nothing has changed.
#
# The commit is that of the checkout whose root this is; of a tarball that git has made the one that git
# wrote into archived.txt; else unknown. A repository in which the source merely lies is not asked.
get_filename_component(root ${CMAKE_CURRENT_LIST_DIR}/../.. REALPATH)
get_filename_component(above ${root} DIRECTORY)
set(SOMNUS_COMMIT unknown)
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/archived.txt archived LIMIT_COUNT 1)
if(archived MATCHES "^[0-9a-f]+$")
  set(SOMNUS_COMMIT ${archived})
endif()
find_package(Git QUIET)
if(GIT_FOUND AND EXISTS ${root}/.git)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=GIT_DIR --unset=GIT_WORK_TREE
      GIT_CEILING_DIRECTORIES=${above}
      ${GIT_EXECUTABLE} -c safe.directory=* describe --always --dirty
    WORKING_DIRECTORY ${root} OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(described)
    set(SOMNUS_COMMIT ${described})
  endif()
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/version.cpp.in ${OUT} @ONLY)

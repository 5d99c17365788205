# Writes OUTPUT with the version and the git hash of SOURCE, touching it only when they change.
# cmake -DSOURCE=... -DVERSION=... -DOUTPUT=... -P version.cmake
set(hash unknown)
find_program(GIT git)
if(GIT)
  # safe.directory: a clone that another user owns, as in a container, has a hash too.
  execute_process(COMMAND ${GIT} -c safe.directory=* -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE described RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed)
    set(hash ${described})
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#include "rules/program.h"

namespace tengen {

std::string_view version() { return "@VERSION@"; }
std::string_view git_hash() { return "@hash@"; }

}  // namespace tengen
]])

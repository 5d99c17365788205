# Sources that exist once per instruction set in one binary, the fastest chosen at run time (rules/engine.h).
# -march=x86-64 is what every 64-bit x86 has. They are optimised in every build: without that they would leave behind
# compiled copies of inline functions of the standard library, which the linker might then take for all of the program.
# The test rules.paths.are_apart sees to it.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(TENGEN_INSTRUCTION_SETS portable avx2 avx512)
  set(TENGEN_FLAGS_portable -march=x86-64 -mtune=generic)
  set(TENGEN_FLAGS_avx2 -march=x86-64-v3 -mtune=haswell)
  set(TENGEN_FLAGS_avx512 -march=x86-64-v4 -mavx512vbmi2 -mavx512vpopcntdq -mtune=icelake-server)
  # For nn/ alone, beside the others.
  set(TENGEN_FLAGS_fp16 -march=x86-64-v4 -mavx512fp16 -mtune=sapphirerapids)
  set(TENGEN_FLAGS_amx -march=x86-64-v4 -mavx512bf16 -mamx-tile -mamx-bf16 -mtune=sapphirerapids)
else()
  set(TENGEN_INSTRUCTION_SETS portable)
endif()
set(TENGEN_PATHS_OPTIMISED -O3)
if(TENGEN_SANITIZE)
  set(TENGEN_PATHS_OPTIMISED -O1)  # with sanitizers g++ takes many minutes for more
endif()
# Compiles `source` into `target` for one instruction set.
function(tengen_instruction_set target set source)
  add_library(${target}_${set} OBJECT ${source})
  target_link_libraries(${target}_${set} PRIVATE tengen_base_flags tengen_warnings)
  target_compile_options(${target}_${set} PRIVATE ${TENGEN_FLAGS_${set}} ${TENGEN_PATHS_OPTIMISED})
  target_compile_definitions(${target}_${set} PRIVATE TENGEN_INSTRUCTION_SET=${set})
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_${set}>)
endfunction()
# The same once per instruction set.
function(tengen_instruction_sets target source)
  foreach(set ${TENGEN_INSTRUCTION_SETS})
    tengen_instruction_set(${target} ${set} ${source})
  endforeach()
endfunction()

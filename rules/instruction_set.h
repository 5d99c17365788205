#pragma once

// For sources that are compiled once per instruction set (rules/engine_paths.cc): each time with
// its own flags and its own name of the namespace they live in, so that no function made for one
// set is ever linked in place of another's.
#ifndef TENGEN_INSTRUCTION_SET
#error "compile this with TENGEN_INSTRUCTION_SET=portable, avx2 or avx512; see rules/CMakeLists.txt"
#endif

#if defined(__AVX2__) || defined(__SSE2__)
#ifndef __clang__
#pragma GCC diagnostic push  // within its own code, GCC bug 105593
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>
#ifndef __clang__
#pragma GCC diagnostic pop
#endif
#endif

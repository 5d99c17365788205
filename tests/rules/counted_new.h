#pragma once

namespace tengen {

int allocations();  // calls of operator new in this test program so far

}  // namespace tengen

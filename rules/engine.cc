#include "rules/engine.h"

#include <cstdlib>

#include "rules/check.h"

namespace tengen {

// Made by rules/engine_paths.cc, once per instruction set.
namespace portable {
extern const Engine kEngine;
}
#ifdef TENGEN_HAS_X86_PATHS
namespace avx2 {
extern const Engine kEngine;
}
namespace avx512 {
extern const Engine kEngine;
}
#endif

namespace {

bool is_available(InstructionSet set) {
  switch (set) {
    case InstructionSet::kPortable:
      return true;
#ifdef TENGEN_HAS_X86_PATHS
    case InstructionSet::kAvx2:
      return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 &&
             __builtin_cpu_supports("bmi2") != 0 && __builtin_cpu_supports("popcnt") != 0;
    case InstructionSet::kAvx512:
      return is_available(InstructionSet::kAvx2) && __builtin_cpu_supports("avx512f") != 0 &&
             __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
             __builtin_cpu_supports("avx512vl") != 0 &&
             __builtin_cpu_supports("avx512vbmi2") != 0 &&
             __builtin_cpu_supports("avx512vpopcntdq") != 0;
#endif
    default:
      return false;
  }
}

const Engine& engine_of(InstructionSet set) {
#ifdef TENGEN_HAS_X86_PATHS
  if (set == InstructionSet::kAvx512) return avx512::kEngine;
  if (set == InstructionSet::kAvx2) return avx2::kEngine;
#endif
  check(set == InstructionSet::kPortable, "an instruction set of this binary");
  return portable::kEngine;
}

InstructionSet first_choice() {
  const auto sets = available_instruction_sets();
  if (const char* const asked = std::getenv("TENGEN_INSTRUCTION_SET")) {
    for (const InstructionSet set : sets) {
      if (kInstructionSetNames[static_cast<std::size_t>(set)] == asked) return set;
    }
  }
  return sets.back();
}

struct Choice {
  InstructionSet set = first_choice();
  const Engine* engine = &engine_of(set);
};
Choice& choice() {
  static Choice choice;
  return choice;
}

}  // namespace

std::vector<InstructionSet> available_instruction_sets() {
  std::vector<InstructionSet> sets;
  for (const auto set :
       {InstructionSet::kPortable, InstructionSet::kAvx2, InstructionSet::kAvx512}) {
    if (is_available(set)) sets.push_back(set);
  }
  return sets;
}

InstructionSet instruction_set_in_use() {
  return choice().set;
}

void use_instruction_set(InstructionSet set) {
  check(is_available(set), "an instruction set of this processor");
  choice() = {set, &engine_of(set)};
}

const Engine& engine() {
  return *choice().engine;
}

}  // namespace tengen

#include "nn/cpu_network.h"

#include <algorithm>

#ifdef TENGEN_HAS_X86_PATHS
#include <cpuid.h>
#endif
#ifdef TENGEN_HAS_AMX
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "nn/cpu_kernels.h"
#include "nn/reference_network.h"
#include "nn/thread_clock.h"
#include "nn/tile_program.h"
#include "nn/tiled_network.h"
#include "rules/check.h"
#include "rules/engine.h"

namespace tengen {

// Made by nn/cpu_kernels_vector.cc, once per instruction set, and nn/cpu_kernels_amx.cc.
namespace portable {
extern const CpuKernels kCpuKernels;
}
#ifdef TENGEN_HAS_X86_PATHS
namespace avx2 {
extern const CpuKernels kCpuKernels;
}
namespace avx512 {
extern const CpuKernels kCpuKernels;
}
#endif
#ifdef TENGEN_HAS_FP16
namespace fp16 {
extern const CpuKernels kCpuKernels;
}
#endif
#ifdef TENGEN_HAS_AMX
namespace amx {
extern const CpuKernels kCpuKernels;
}
#endif

namespace {

#if defined(TENGEN_HAS_FP16) || defined(TENGEN_HAS_AMX)
bool has_avx512() {
  return std::ranges::count(available_instruction_sets(), InstructionSet::kAvx512) > 0;
}
#endif
#ifdef TENGEN_HAS_FP16
bool has_fp16() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return has_avx512() && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (d & (1U << 23)) != 0;
}
#endif
#ifdef TENGEN_HAS_AMX
// The processor's word is not enough: Linux gives tile registers to processes that ask for them.
bool asks_for_amx() {
  constexpr int kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr int kTileData = 18;               // XFEATURE_XTILEDATA
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
  constexpr unsigned kBf16 = 1U << 22, kTile = 1U << 24;
  if ((d & kBf16) == 0 || (d & kTile) == 0) return false;
  if (__get_cpuid_count(7, 1, &a, &b, &c, &d) == 0 || (a & (1U << 5)) == 0) return false;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}
bool has_amx() {
  static const bool answer = asks_for_amx();
  return answer && has_avx512();
}
#endif

const CpuKernels& kernels_of(CpuPath path) {
#ifdef TENGEN_HAS_AMX
  if (path == CpuPath::kAmx) return amx::kCpuKernels;
#endif
#ifdef TENGEN_HAS_FP16
  if (path == CpuPath::kFp16) return fp16::kCpuKernels;
#endif
#ifdef TENGEN_HAS_X86_PATHS
  if (path == CpuPath::kAvx512) return avx512::kCpuKernels;
  if (path == CpuPath::kAvx2) return avx2::kCpuKernels;
#endif
  check(path == CpuPath::kPortable, "a path of this binary");
  return portable::kCpuKernels;
}

}  // namespace

namespace {
constexpr std::string_view kPathNames[] = {"reference", "portable", "avx2",
                                           "avx512",    "fp16",     "amx"};
}  // namespace

std::string_view name_of(CpuPath path) {
  return kPathNames[static_cast<int>(path)];
}
std::string_view precision_of(CpuPath path) {
  if (path == CpuPath::kAmx) return "bf16";
  return path == CpuPath::kFp16 ? "fp16" : "fp32";
}
CpuPath cpu_path_named(std::string_view name) {
  const auto* found = std::ranges::find(kPathNames, name);
  check(found != std::end(kPathNames), "a path's name");
  return static_cast<CpuPath>(found - kPathNames);
}

std::vector<CpuPath> available_cpu_paths(const NetModel& model) {
  std::vector<CpuPath> paths = {CpuPath::kReference};
  if (!is_tileable(model)) return paths;
  for (const InstructionSet set : available_instruction_sets()) {
    paths.push_back(set == InstructionSet::kPortable ? CpuPath::kPortable
                    : set == InstructionSet::kAvx2   ? CpuPath::kAvx2
                                                     : CpuPath::kAvx512);
  }
#ifdef TENGEN_HAS_FP16
  if (has_fp16()) paths.push_back(CpuPath::kFp16);
#endif
#ifdef TENGEN_HAS_AMX
  if (has_amx()) paths.push_back(CpuPath::kAmx);
#endif
  return paths;
}

double peak_flop_per_s(CpuPath path) {
  if (path == CpuPath::kReference) return 0;
  double best = 0;
  for (int i = 0; i < 5; ++i) {
    const double start = thread_cpu_s();
    const auto flop = static_cast<double>(kernels_of(path).multiply(200'000));
    best = std::max(best, flop / (thread_cpu_s() - start));
  }
  return best;
}

std::unique_ptr<CpuNetwork> make_cpu_network(std::shared_ptr<const NetModel> model, CpuPath path) {
  const auto paths = available_cpu_paths(*model);
  check(std::ranges::find(paths, path) != paths.end(), "a path for this model on this machine");
  if (path == CpuPath::kReference) return make_reference_network(std::move(model));
  return make_tiled_network(std::move(model), kernels_of(path));
}

}  // namespace tengen

# Finds LibTorch, 2.4 or later: one the user names by Torch_DIR or CMAKE_PREFIX_PATH (variable or environment),
# else the wheel that docker/install-deps.sh put under ${TENGEN_DEPS:-~/.cache/tengen}.
set(deps $ENV{TENGEN_DEPS})
if(NOT deps)
  set(deps $ENV{HOME}/.cache/tengen)
endif()
file(GLOB wheel ${deps}/venv/lib/python3.*/site-packages/torch)
file(GLOB wheel_cuda ${deps}/venv/lib/python3.*/site-packages/nvidia/cu13)

if(NOT Torch_DIR AND NOT DEFINED ENV{Torch_DIR})
  string(REPLACE ":" ";" prefixes "$ENV{CMAKE_PREFIX_PATH}")
  foreach(prefix ${CMAKE_PREFIX_PATH} ${prefixes} ${wheel})
    foreach(below share/cmake/Torch lib/cmake/Torch Torch)
      if(NOT Torch_DIR AND EXISTS ${prefix}/${below}/TorchConfig.cmake)
        set(Torch_DIR ${prefix}/${below})
      endif()
    endforeach()
  endforeach()
  if(NOT Torch_DIR)
    message(FATAL_ERROR "No LibTorch: run docker/install-deps.sh, or name one by CMAKE_PREFIX_PATH, "
      "or build without it: cmake --preset core")
  endif()
elseif(NOT Torch_DIR)
  set(Torch_DIR $ENV{Torch_DIR})
endif()

# A LibTorch built for CUDA wants a toolkit at configure time. Where the machine has none that fits,
# install-deps.sh put one beside the wheel.
if(EXISTS ${wheel_cuda}/bin/nvcc)
  set(CUDA_TOOLKIT_ROOT_DIR ${wheel_cuda})
  set(CUDAToolkit_ROOT ${wheel_cuda})
  set(CMAKE_CUDA_COMPILER ${wheel_cuda}/bin/nvcc)
  set(ENV{CUDA_HOME} ${wheel_cuda})
elseif(EXISTS /usr/local/cuda/bin/nvcc)
  list(APPEND CMAKE_PREFIX_PATH /usr/local/cuda)
  if(NOT DEFINED ENV{CUDACXX} AND NOT CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
  endif()
endif()
# No GPU need be here to detect, and CMake 3.25 does not know newer CUDA dialects.
if(NOT DEFINED ENV{TORCH_CUDA_ARCH_LIST})
  set(ENV{TORCH_CUDA_ARCH_LIST} "8.0;9.0")
endif()
set(CMAKE_CUDA_STANDARD 17)

# TorchConfig looks for its libraries in the system's folders first; Debian's libtorch-dev, where it
# is installed, would be linked under the wheel's headers. These two settle it.
get_filename_component(torch_lib ${Torch_DIR}/../../../lib ABSOLUTE)
find_library(TORCH_LIBRARY torch PATHS ${torch_lib} NO_DEFAULT_PATH)
find_library(C10_LIBRARY c10 PATHS ${torch_lib} NO_DEFAULT_PATH)

find_package(Torch REQUIRED)
if(Torch_VERSION VERSION_LESS 2.4)
  message(FATAL_ERROR "LibTorch ${Torch_VERSION} in ${Torch_DIR}: Tengen needs 2.4 or later (the optimiser's fused "
    "AdamW on CPUs). docker/install-deps.sh installs one that fits.")
endif()
message(STATUS "LibTorch ${Torch_VERSION} in ${TORCH_INSTALL_PREFIX}")

add_library(tengen_torch INTERFACE)
# The wheel's libtorch.so exports an incomplete std::filesystem of its own; std::filesystem::remove_all
# taken from there jumps to address 0. libstdc++ must come before it.
target_link_libraries(tengen_torch INTERFACE stdc++ ${TORCH_LIBRARIES})
target_include_directories(tengen_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})

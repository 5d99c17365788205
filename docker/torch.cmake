# Finds LibTorch: one the user names by CMAKE_PREFIX_PATH or Torch_DIR, else the wheel that
# docker/install-deps.sh put under ${TENGEN_DEPS:-~/.cache/tengen}. A wheel built for CUDA wants a
# toolkit at configure time; where the machine has none, the one from the wheel's own packages is named.
set(deps $ENV{TENGEN_DEPS})
if(NOT deps)
  set(deps $ENV{HOME}/.cache/tengen)
endif()
file(GLOB wheel_cmake ${deps}/venv/lib/python3.*/site-packages/torch/share/cmake)
file(GLOB wheel_cuda ${deps}/venv/lib/python3.*/site-packages/nvidia/cu13)
if(wheel_cmake)
  list(APPEND CMAKE_PREFIX_PATH ${wheel_cmake})  # after what the user named
endif()
if(EXISTS /usr/local/cuda/bin/nvcc)
  list(APPEND CMAKE_PREFIX_PATH /usr/local/cuda)
  if(NOT DEFINED ENV{CUDACXX} AND NOT CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
  endif()
elseif(EXISTS ${wheel_cuda}/bin/nvcc)
  set(CUDA_TOOLKIT_ROOT_DIR ${wheel_cuda})
  set(CUDAToolkit_ROOT ${wheel_cuda})
  set(CMAKE_CUDA_COMPILER ${wheel_cuda}/bin/nvcc)
  set(ENV{CUDA_HOME} ${wheel_cuda})
endif()
# No GPU need be here to detect, and CMake 3.25 does not know newer CUDA dialects.
if(NOT DEFINED ENV{TORCH_CUDA_ARCH_LIST})
  set(ENV{TORCH_CUDA_ARCH_LIST} "8.0;9.0")
endif()
set(CMAKE_CUDA_STANDARD 17)
find_package(Torch 2.1 REQUIRED)
message(STATUS "LibTorch ${Torch_VERSION} in ${TORCH_INSTALL_PREFIX}")

add_library(tengen_torch INTERFACE)
target_link_libraries(tengen_torch INTERFACE ${TORCH_LIBRARIES})
target_include_directories(tengen_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})

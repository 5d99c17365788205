#pragma once

#include <cstdint>
#include <span>

#include "nn/evaluator.h"
#include "nn/features.h"
#include "nn/network.h"

namespace tengen {

// Features of a position some random moves into a random game; komi varies with the seed.
Features random_features(BoardSize size, std::uint64_t seed);

// Moves scales, biases and outputs away from where a fresh network has them, so that every part of
// it counts.
void shake(const Network& network, std::uint64_t seed);

// Makes a network a thousand times as sure of the result, and in doubt at the fifth of
// `positions`: what bf16 and fp16 round off decides it.
void spoil_by_rounding(const Network& network, std::span<const EvaluationInput> positions);

}  // namespace tengen

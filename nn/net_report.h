#pragma once

#include <filesystem>
#include <iosfwd>

namespace tengen {

// `tengen net show`: what a net's folder holds, or a model file of KataGo, for people: size,
// parameters, operations, receptive field, heads, features, where it comes from. Throws Error.
void print_net(const std::filesystem::path& net, std::ostream& out);

// `tengen net diff`: in what two nets differ: shape, what is known of them, and of weights that
// both have how far apart they are, tensor by tensor. Says so if nothing differs. Throws Error.
void print_net_difference(const std::filesystem::path& a, const std::filesystem::path& b,
                          std::ostream& out);

}  // namespace tengen

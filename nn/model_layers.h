#pragma once

#include <string>

#include "nn/net_model.h"

namespace tengen {

namespace layers {

template <class Read, class Visitor>
void visit_read(const std::string& name, Read& read, Visitor& visit) {
  visit.norm(name, read.norm);
  visit.activation(name, read.activation);
}

template <class Pooling, class Visitor>
void visit_pooling(const std::string& name, Pooling& pooling, Visitor& visit) {
  visit.conv(name + ".conv", pooling.conv);
  visit_read(name + ".norm", pooling.read, visit);
  visit.matrix(name + ".linear.weight", pooling.matrix);
}

template <class Block, class Visitor>
void visit_block(const std::string& name, Block& block, Visitor& visit) {
  visit_read(name + ".norm1", block.read1, visit);
  visit.conv(name + ".conv1", block.conv1);
  if (block.pooling) visit_pooling(name + ".pool", *block.pooling, visit);
  for (std::size_t i = 0; i < block.inner.size(); ++i) {
    visit_block(name + ".inner" + std::to_string(i), block.inner[i], visit);
  }
  visit_read(name + ".norm2", block.read2, visit);
  visit.conv(name + ".conv2", block.conv2);
}

template <class Head, class Visitor>
void visit_policy(Head& head, Visitor& visit) {
  visit.conv("policy.conv1", head.conv1);
  visit_pooling("policy.pool", head.pooling, visit);
  visit_read("policy.norm", head.read, visit);
  visit.conv("policy.conv2", head.conv2);
  if (head.pass_hidden) {
    visit.matrix("policy.pass_hidden.weight", head.pass);
    visit.bias("policy.pass_hidden.bias", head.pass_hidden->bias);
    visit.activation("policy.pass_hidden", head.pass_hidden->activation);
    visit.matrix("policy.pass.weight", head.pass_hidden->matrix);
  } else {
    visit.matrix("policy.pass.weight", head.pass);
  }
}

template <class Head, class Visitor>
void visit_value(Head& head, Visitor& visit) {
  visit.conv("value.conv1", head.conv1);
  visit_read("value.norm", head.read, visit);
  visit.matrix("value.hidden.weight", head.hidden);
  visit.bias("value.hidden.bias", head.hidden_bias);
  visit.activation("value.hidden", head.hidden_activation);
  visit.matrix("value.value.weight", head.value);
  visit.bias("value.value.bias", head.value_bias);
  visit.matrix("value.misc.weight", head.misc);
  visit.bias("value.misc.bias", head.misc_bias);
  visit.conv("value.ownership", head.ownership);
}

}  // namespace layers

// Goes over the layers of a model, each with the name of its tensors, and calls the visitor's
// conv, norm, matrix, bias or activation. The one list of these names, for both directions.
template <class Model, class Visitor>
void for_each_layer(Model& model, Visitor& visit) {
  visit.conv("stem.conv", model.stem);
  visit.matrix("stem.scalars.weight", model.scalars);
  for (std::size_t i = 0; i < model.blocks.size(); ++i) {
    layers::visit_block("block" + std::to_string(i), model.blocks[i], visit);
  }
  layers::visit_read("tip", model.tip, visit);
  layers::visit_policy(model.policy, visit);
  layers::visit_value(model.value, visit);
}

}  // namespace tengen

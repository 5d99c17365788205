#pragma once

#include <array>
#include <string>
#include <string_view>

#include "configs/option.h"
#include "nn/features.h"

namespace tengen {

// PUCT as KataGo has it. Defaults are those of its self-play (cpp/configs/training/selfplay1.cfg
// and program/setup.cpp, v1.17); eval/net_player.h has those of its matches. Formulas:
// selfplay/puct.h.
struct PuctOptions {
  double exploration = 1.1;              // cpuctExploration
  double exploration_log = 0;            // cpuctExplorationLog
  double stdev_scale = 0;                // cpuctUtilityStdevScale
  double fpu_reduction = 0.2;            // fpuReductionMax
  double root_fpu_reduction = 0;         // rootFpuReductionMax
  double fpu_parent_power = 2;           // fpuParentWeightByVisitedPolicyPow
  double noise_weight = 0.25;            // rootDirichletNoiseWeight
  double noise_concentration = 10.83;    // rootDirichletNoiseTotalConcentration
  double root_temperature_early = 1.25;  // rootPolicyTemperatureEarly
  double root_temperature = 1.1;         // rootPolicyTemperature
  double move_temperature_early = 0.75;  // chosenMoveTemperatureEarly
  double move_temperature = 0.15;        // chosenMoveTemperature
  double temperature_halflife = 19;      // chosenMoveTemperatureHalflife
  double forced_playouts = 2;            // rootDesiredPerChildVisitsCoeff
  double lcb_stdevs = 5;                 // lcbStdevs
  double lcb_min_share = 0.15;           // minVisitPropForLCB
  double uncertainty_coefficient = 0;    // uncertaintyCoeff; 0: every evaluation weighs 1
  double uncertainty_max_weight = 8;     // uncertaintyMaxWeight
  double subtree_bias = 0;               // subtreeValueBiasFactor; 0: none
  double subtree_bias_exponent = 0.8;    // subtreeValueBiasWeightExponent
};

inline constexpr std::array<std::string_view, 3> kSearchAlgorithms = {"gumbel", "puct", "hybrid"};

// Defaults for Go: Danihelka et al., "Policy improvement by planning with Gumbel" (ICLR 2022);
// facts in selfplay/README.md.
struct SearchOptions {
  int visits = 32;          // simulations per move, >= 1; with a tree that was kept, in all
  int max_considered = 16;  // root moves that share them, >= 1
  double c_visit = 50;      // sigma(q) = (c_visit + max visits) * c_scale * q
  double c_scale = 1.0;
  double score_weight = 0.2;  // w in utility = (1 - w) * (win - loss) + w * score utility
  // 1 explores (self-play); 0 plays the best (matches): no Gumbel noise, and in PUCT no noise,
  // temperature or forced playouts.
  double gumbel_scale = 1.0;
  FeatureSchema features = FeatureSchema::kV7;  // of the leaves: what the evaluator takes
  std::string algorithm = "gumbel";             // one of kSearchAlgorithms
  int hybrid_visits = 32;                       // of a hybrid search, by sequential halving
  PuctOptions puct = {};
};

template <class Visit>
void for_each_option(SearchOptions& o, Visit visit) {
  visit("visits", o.visits,
        {"simulations per move, on top of the root's own evaluation", 1, 100000});
  visit("max_considered", o.max_considered,
        {"root moves considered by sequential halving (m)", 1, 362});
  visit("c_visit", o.c_visit, {"sigma(q) = (c_visit + max visits) * c_scale * q", 0, 1e6});
  visit("c_scale", o.c_scale, {"see c_visit; utilities lie in [-1, 1]", 0, 1e6});
  visit("score_weight", o.score_weight,
        {"share of the score in the utility, the rest is win - loss", 0, 1});
  visit("algorithm", o.algorithm,
        {"gumbel, puct (KataGo's) or hybrid: halving first, then puct", 0, 0, kSearchAlgorithms});
  visit("hybrid_visits", o.hybrid_visits, {"of a hybrid search, by halving", 1, 100000});
  PuctOptions& p = o.puct;
  visit("puct_exploration", p.exploration, {"KataGo's cpuctExploration", 0, 100});
  visit("puct_exploration_log", p.exploration_log, {"KataGo's cpuctExplorationLog", 0, 100});
  visit("puct_stdev_scale", p.stdev_scale,
        {"how far exploration follows the spread of values: cpuctUtilityStdevScale", 0, 1});
  visit("fpu_reduction", p.fpu_reduction,
        {"of the value of moves without visits, fpuReductionMax", 0, 2});
  visit("root_fpu_reduction", p.root_fpu_reduction, {"the same at the root", 0, 2});
  visit("fpu_parent_power", p.fpu_parent_power,
        {"how fast that value goes from the network's to the search's", 0, 10});
  visit("noise_weight", p.noise_weight, {"share of Dirichlet noise in the root's prior", 0, 1});
  visit("noise_concentration", p.noise_concentration, {"sum of the noise's alphas", 1e-3, 1e6});
  visit("root_temperature_early", p.root_temperature_early,
        {"of the root's prior on move 0", 0.01, 100});
  visit("root_temperature", p.root_temperature, {"and late in a game", 0.01, 100});
  visit("move_temperature_early", p.move_temperature_early,
        {"of the move's choice on move 0; 0 is the best", 0, 100});
  visit("move_temperature", p.move_temperature, {"and late in a game", 0, 100});
  visit("temperature_halflife", p.temperature_halflife,
        {"moves on 19x19 that halve the difference of early and late", 0.1, 1e6});
  visit("forced_playouts", p.forced_playouts,
        {"k: a tried root move gets sqrt(k * prior * visits) visits at least", 0, 100});
  visit("lcb_stdevs", p.lcb_stdevs,
        {"deviations of the lower bound that chooses among good moves; 0: the visits do", 0, 100});
  visit("lcb_min_share", p.lcb_min_share, {"of the best move's visits, to be one of those", 0, 1});
  visit("uncertainty_coefficient", p.uncertainty_coefficient,
        {"weighs evaluations by their expected error, where the net says it; 0.25 in KataGo's "
         "matches, 0: off",
         0, 100});
  visit("uncertainty_max_weight", p.uncertainty_max_weight, {"of a certain evaluation", 0.1, 1000});
  visit("subtree_bias", p.subtree_bias,
        {"share of the error seen after like moves that corrects an evaluation; 0.3 in KataGo's "
         "self-play, 0: off",
         0, 1});
  visit("subtree_bias_exponent", p.subtree_bias_exponent,
        {"of a subtree's weight in that error", 0, 1});
}

}  // namespace tengen

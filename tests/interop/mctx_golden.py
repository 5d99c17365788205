"""Writes tests/selfplay/data/mctx.txt: what DeepMind's mctx (PyPI: mctx 0.0.71, jax on the CPU) says of sequential
halving, of single nodes and of whole searches; tests/selfplay/mctx_test.cc compares. Run once:

    python mctx_golden.py OUT

Values are not rescaled (rescale_values=False) and c_visit, c_scale are those of the lines. Lines:
  sequence CONSIDERED SIMULATIONS : visits that simulation i asks of its action
  node C_VISIT C_SCALE RAW_VALUE, then one line each: logits, visits, values, sigma (of the completed values), policy
      (softmax of logits + sigma) and choice (the interior rule's action)
  search SIDE SIMULATIONS CONSIDERED C_SCALE KEY, then: visits, choice, policy

A search plays on an empty SIDE x SIDE board, Black first, on which stones only come: every empty point is legal. The
answers are a function of the stones and KEY (`answers` below, and the same in the test); the pass is out of reach.
"""
import functools
import sys

import jax
import jax.numpy as jnp
import mctx
import numpy as np
from mctx._src import action_selection, seq_halving
from mctx._src import tree as tree_lib

PASS_LOGIT = -60.0


def transform(c_visit, c_scale):
    return functools.partial(mctx.qtransform_completed_by_mix_value, value_scale=c_scale, maxvisit_init=c_visit,
                             rescale_values=False)


def line(name, values):
    return " ".join([name] + [np.format_float_positional(np.float32(v), unique=True, trim="-") for v in values])


def sequences():
    for considered in (1, 2, 3, 5, 8, 16, 20):
        for simulations in (1, 7, 16, 32, 50, 64, 200):
            sequence = seq_halving.get_sequence_of_considered_visits(considered, simulations)
            yield f"sequence {considered} {simulations} : " + " ".join(map(str, sequence))


def one_node(logits, visits, values, raw):
    """A tree of mctx whose node 0 is this one."""
    n = len(logits)
    array = lambda x, dtype=jnp.float32: jnp.asarray(np.array(x), dtype)
    return tree_lib.Tree(
        node_visits=array([1 + sum(visits)], jnp.int32), raw_values=array([raw]), node_values=array([raw]),
        parents=array([-1], jnp.int32), action_from_parent=array([-1], jnp.int32),
        children_index=array([[0] * n], jnp.int32), children_prior_logits=array([logits]),
        children_visits=array([visits], jnp.int32), children_rewards=array([[0] * n]),
        children_discounts=array([[1] * n]), children_values=array([values]),
        embeddings=None, root_invalid_actions=array([0] * n), extra_data=None)


def nodes(rng):
    for case in range(60):
        n = int(rng.integers(2, 12))
        c_visit, c_scale = [(50, 1.0), (50, 0.1), (10, 0.3)][case % 3]
        logits = rng.normal(0, 1.5, n).astype(np.float32)
        visits = rng.integers(0, 6, n) * (rng.random(n) < [0, 0.5, 1][case // 3 % 3])
        values = np.where(visits > 0, rng.uniform(-1, 1, n), 0).astype(np.float32)
        if case % 2:
            values = (values * 0.05).astype(np.float32)  # close to one another
        raw = np.float32(rng.uniform(-1, 1) * (0.05 if case % 2 else 1))
        tree = one_node(logits, visits.tolist(), values, raw)
        sigma = transform(c_visit, c_scale)(tree, 0)
        choice = action_selection.gumbel_muzero_interior_action_selection(
            None, tree, 0, 1, qtransform=transform(c_visit, c_scale))
        yield line(f"node {c_visit} {c_scale}", [raw])
        yield line("logits", logits)
        yield "visits " + " ".join(map(str, visits))
        yield line("values", values)
        yield line("sigma", sigma)
        yield line("policy", jax.nn.softmax(jnp.asarray(logits) + sigma))
        yield f"choice {int(choice)}"


def mixed(x):
    """The finaliser of a 32-bit hash, on uint32."""
    x = (x ^ (x >> 16)) * jnp.uint32(0x7FEB352D)
    x = (x ^ (x >> 15)) * jnp.uint32(0x846CA68B)
    return x ^ (x >> 16)


def answers(stones, to_move, key):
    """Logits [points + 1] in [0, 3), a value in [-1, 1) for the side to move: multiples of 2^-20."""
    points = jnp.arange(stones.shape[0], dtype=jnp.uint32)
    own, theirs = stones == to_move, stones == -to_move
    board = jnp.sum(jnp.where(own, mixed(points * 2 + 1), 0) + jnp.where(theirs, mixed(points * 2 + 2), 0),
                    dtype=jnp.uint32) + key
    unit = lambda h: (h >> 12).astype(jnp.float32) / 2**20
    logits = 3 * unit(mixed(board + (points + 1) * jnp.uint32(0x9E3779B9)))
    logits = jnp.where(stones == 0, logits, -1e9)
    return jnp.append(logits, PASS_LOGIT), 2 * unit(mixed(board)) - 1


def recurrent(key, _rng, action, state):
    def one(a, stones, to_move):
        stones = jnp.where(jnp.arange(stones.shape[0]) == a, to_move, stones)
        logits, value = answers(stones, -to_move, key)
        return logits, value, stones, -to_move
    logits, value, stones, to_move = jax.vmap(one)(action, *state)
    output = mctx.RecurrentFnOutput(reward=jnp.zeros_like(value), discount=-jnp.ones_like(value), prior_logits=logits,
                                    value=value)
    return output, (stones, to_move)


def searches():
    for side, simulations, considered, c_scale in ((5, 16, 16, 1.0), (5, 33, 8, 0.1), (7, 64, 16, 1.0), (7, 64, 16, 0.1),
                                                   (7, 100, 5, 0.02), (6, 48, 30, 0.02)):
        for key in (1, 2, 3):
            key = jnp.uint32(key * 1000 + side)
            stones, to_move = jnp.zeros((1, side * side), jnp.int32), jnp.ones(1, jnp.int32)
            logits, value = answers(stones[0], to_move[0], key)
            root = mctx.RootFnOutput(prior_logits=logits[None], value=value[None], embedding=(stones, to_move))
            said = mctx.gumbel_muzero_policy(key, jax.random.PRNGKey(0), root, recurrent, simulations,
                                             qtransform=transform(50, c_scale),
                                             max_num_considered_actions=considered, gumbel_scale=0.0)
            yield f"search {side} {simulations} {considered} {c_scale} {int(key)}"
            yield "visits " + " ".join(map(str, np.asarray(said.search_tree.summary().visit_counts, int)[0]))
            yield f"choice {int(said.action[0])}"
            yield line("policy", np.asarray(said.action_weights)[0])


def main():
    lines = [*sequences(), *nodes(np.random.default_rng(7)), *searches()]
    with open(sys.argv[1], "w") as out:
        out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

"""A KataGo network in NumPy, written from the description of its file format and of what it computes, apart from
Tengen's code: read_net(path) reads a .bin.gz or .txt(.gz) of version 8 to 16, and evaluate(net, planes, scalars)
gives its raw outputs for one board, in double precision."""
import gzip
import os
import pathlib
import types

import numpy as np


class Reader:
    def __init__(self, path):
        data = pathlib.Path(path).read_bytes()
        self.data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        self.is_text = path.name.removesuffix(".gz").endswith(".txt")
        self.at = 0

    def token(self):
        while self.data[self.at : self.at + 1].isspace():
            self.at += 1
        start = self.at
        while not self.data[self.at : self.at + 1].isspace():
            self.at += 1
        return self.data[start : self.at].decode()

    def ints(self, n):
        return [int(self.token()) for _ in range(n)]

    def floats(self, *shape):
        n = int(np.prod(shape))
        if self.is_text:
            return np.array([float(self.token()) for _ in range(n)]).reshape(shape)
        self.at = self.data.index(b"@BIN@", self.at) + 5
        values = np.frombuffer(self.data, "<f4", n, self.at).astype(np.float64)
        self.at += 4 * n
        return values.reshape(shape)

    def conv(self):
        self.token()
        height, width, n_in, n_out, _, _ = self.ints(6)
        return self.floats(height, width, n_in, n_out)

    def matrix(self):
        self.token()
        return self.floats(*self.ints(2))

    def bias(self):
        self.token()
        return self.floats(*self.ints(1))

    def norm(self):
        self.token()
        (channels,) = self.ints(1)
        epsilon = float(self.token())
        has_scale, has_bias = self.ints(2)
        mean, variance = self.floats(channels), self.floats(channels)
        scale = self.floats(channels) if has_scale else np.ones(channels)
        bias = self.floats(channels) if has_bias else np.zeros(channels)
        scale = scale / np.sqrt(variance + epsilon)
        return scale, bias - scale * mean

    def activation(self):
        self.token()
        return ACTIVATIONS[self.token() if self.version >= 11 else "ACTIVATION_RELU"]

    def read(self):
        """A norm with its activation."""
        return self.norm(), self.activation()

    def pooling(self):
        return self.conv(), self.read(), self.matrix()

    def block(self):
        kind, _ = self.token(), self.token()
        n_inner = int(self.token()) if kind == "nested_bottleneck_block" else 0
        block = types.SimpleNamespace(read1=self.read(), conv1=self.conv())
        block.pooling = self.pooling() if kind == "gpool_block" else None
        block.inner = [self.block() for _ in range(n_inner)]
        block.read2, block.conv2 = self.read(), self.conv()
        return block

    def net(self):
        net = types.SimpleNamespace(name=self.token())
        self.version, planes, scalars = self.ints(3)
        assert 8 <= self.version <= 16 and planes == 22 and scalars == 19
        net.version = self.version
        net.scales = [float(self.token()) for _ in range(7)] if self.version >= 13 else None
        net.options = self.ints(8) if self.version >= 15 else None
        self.token()
        n_blocks = self.ints(6)[0]
        if self.version >= 15:
            self.ints(6)
        net.stem, net.scalars = self.conv(), self.matrix()
        net.blocks = [self.block() for _ in range(n_blocks)]
        net.tip = self.read()
        self.token()
        net.p1, net.g, net.p_read, net.p2 = self.conv(), self.pooling(), self.read(), self.conv()
        net.passing = [self.matrix()]
        if self.version >= 15:
            net.passing += [self.bias(), self.activation(), self.matrix()]
        self.token()
        net.v1, net.v_read = self.conv(), self.read()
        net.hidden = self.matrix(), self.bias(), self.activation()
        net.value = self.matrix(), self.bias()
        net.misc = self.matrix(), self.bias()
        net.ownership = self.conv()
        assert not self.data[self.at :].strip()
        return net


def softplus(x):
    return np.logaddexp(x, 0)


ACTIVATIONS = {
    "ACTIVATION_IDENTITY": lambda x: x,
    "ACTIVATION_RELU": lambda x: np.maximum(x, 0),
    "ACTIVATION_MISH": lambda x: x * np.tanh(softplus(x)),
    "ACTIVATION_SILU": lambda x: x / (1 + np.exp(-x)),
}


def katago_data():
    """KataGo's files, which tests compare with; where tests/README.md says."""
    beside = pathlib.Path(__file__).resolve().parents[2].parent / "shared/data"
    return pathlib.Path(os.environ.get("TENGEN_TEST_DATA", beside)) / "katago"


def read_net(path):
    return Reader(pathlib.Path(path)).net()


def conv(weights, x):
    """x [H, W, in]; zeros beyond the edge."""
    rows, columns = weights.shape[:2]
    height, width = x.shape[:2]
    padded = np.pad(x, ((rows // 2,) * 2, (columns // 2,) * 2, (0, 0)))
    out = 0
    for dy in range(rows):
        for dx in range(columns):
            out = out + padded[dy : dy + height, dx : dx + width] @ weights[dy, dx]
    return out


def normed(read, x):
    (scale, bias), activation = read
    return activation(x * scale + bias)


def pooled(pooling, x, side):
    x = normed(pooling[1], conv(pooling[0], x))
    mean = x.mean((0, 1))
    return np.concatenate([mean, mean * side, np.maximum(x.max((0, 1)), -1)])


def through(block, x, side):
    read = normed(block.read1, x)
    inside = conv(block.conv1, read)
    if block.pooling:
        inside = inside + pooled(block.pooling, read, side) @ block.pooling[2]
    for inner in block.inner:
        inside = through(inner, inside, side)
    return x + conv(block.conv2, normed(block.read2, inside))


def evaluate(net, planes, scalars):
    """planes [22, H, W] of a board that fills them, scalars [19]: policy [K, H * W + 1], value [3], misc [4 or 6] and
    ownership [H, W], all raw."""
    assert planes[0].all()
    side = (np.sqrt(planes[0].size) - 14) / 10
    x = conv(net.stem, planes.transpose(1, 2, 0).astype(np.float64)) + scalars.astype(np.float64) @ net.scalars
    for block in net.blocks:
        x = through(block, x, side)
    x = normed(net.tip, x)

    g = pooled(net.g, x, side)
    p = conv(net.p2, normed(net.p_read, conv(net.p1, x) + g @ net.g[2]))
    passing = g @ net.passing[0]
    if net.version >= 15:
        _, bias, activation, matrix = net.passing
        passing = activation(passing + bias) @ matrix
    policy = np.concatenate([p.reshape(-1, p.shape[2]), passing[None]]).T

    v = normed(net.v_read, conv(net.v1, x))
    mean = v.mean((0, 1))
    v_pooled = np.concatenate([mean, mean * side, mean * (side**2 - 0.1)])
    matrix, bias, activation = net.hidden
    hidden = activation(v_pooled @ matrix + bias)
    return types.SimpleNamespace(
        policy=policy,
        value=hidden @ net.value[0] + net.value[1],
        misc=hidden @ net.misc[0] + net.misc[1],
        ownership=conv(net.ownership, v)[:, :, 0],
    )

"""A net of Tengen in PyTorch, from nn/README.md: `Net.load(folder)` reads net.json and
weights.safetensors; calling it gives what play asks for. For those who want to go on in Python.

    net = Net.load("run/nets/net-000012-3f9a0c7e")
    outputs = net(planes, scalars)  # [B, 22, H, W] and [B, 19], as nn/README.md describes them
"""
import json
import pathlib

import torch
import torch.nn.functional as F
from safetensors.torch import load_file

ACTIVATIONS = {"identity": lambda x: x, "relu": F.relu, "mish": F.mish, "silu": F.silu}


class Net:
    """All for the side to move. `policy` [B, planes, H * W + 1]: logits of the mover, the reply, both
    softened, and with `optimistic` in the shape the optimistic one; `value` [B, 3]: logits of win,
    loss, no result; `misc` [B, 4 or 6]; `ownership` [B, H, W] before tanh."""

    def __init__(self, info, tensors):
        self.info, self.shape, self.w = info, info["shape"], tensors
        self.activation = ACTIVATIONS[self.shape["activation"]]

    @classmethod
    def load(cls, folder):
        folder = pathlib.Path(folder)
        info = json.loads((folder / "net.json").read_text())
        if info["format_version"] != 2:
            raise ValueError(f"{folder}: format_version {info['format_version']}, expected 2")
        return cls(info, load_file(folder / "weights.safetensors"))

    def conv(self, name, x):
        weight = self.w[name]
        return F.conv2d(x, weight, padding=weight.shape[2] // 2)

    def linear(self, name, x):
        return F.linear(x, self.w[name + ".weight"], self.w.get(name + ".bias"))

    def norm(self, name, x):
        scale, bias = self.w[name + ".scale"], self.w[name + ".bias"]
        if name + ".mean" in self.w:  # batch norm
            scale = scale * (self.w[name + ".variance"] + 1e-5).rsqrt()
            bias = bias - scale * self.w[name + ".mean"]
        return self.activation(x * scale[:, None, None] + bias[:, None, None]) * self.mask

    def mean(self, x):
        return x.sum((2, 3)) / self.area

    def pool(self, x):
        highest = (x + self.mask - 1).amax((2, 3))  # of what is on the board
        return torch.cat([self.mean(x), self.mean(x) * self.side, highest], 1)

    def pool_for_value(self, x):
        mean = self.mean(x)
        return torch.cat([mean, mean * self.side, mean * (self.side**2 - 0.1)], 1)

    def pooled(self, name, x):
        return self.pool(self.norm(name + ".norm", self.conv(name + ".conv", x)))

    def everywhere(self, x):
        return x[:, :, None, None]

    def block(self, name, shape, x):
        a = self.norm(name + ".norm1", x)
        r = self.conv(name + ".conv1", a)
        if shape["kind"] == "pooling":
            r = r + self.everywhere(self.linear(name + ".pool.linear", self.pooled(name + ".pool", a)))
        for i, inner in enumerate(shape.get("inner", [])):
            r = self.block(f"{name}.inner{i}", inner, r)
        return x + self.conv(name + ".conv2", self.norm(name + ".norm2", r))

    def policy(self, x):
        pooled = self.pooled("policy.pool", x)
        p = self.conv("policy.conv1", x) + self.everywhere(self.linear("policy.pool.linear", pooled))
        points = self.conv("policy.conv2", self.norm("policy.norm", p)).flatten(2)
        if self.shape["pass_hidden"]:
            pooled = self.activation(self.linear("policy.pass_hidden", pooled))
        return torch.cat([points, self.linear("policy.pass", pooled)[:, :, None]], 2)

    @torch.no_grad()
    def __call__(self, planes, scalars):
        self.mask = planes[:, :1]
        self.area = self.mask.sum((2, 3))
        self.side = (self.area.sqrt() - 14) / 10
        x = self.conv("stem.conv", planes) + self.everywhere(self.linear("stem.scalars", scalars))
        for i, block in enumerate(self.shape["blocks"]):
            x = self.block(f"block{i}", block, x)
        x = self.norm("tip", x)
        v = self.norm("value.norm", self.conv("value.conv1", x))
        hidden = self.activation(self.linear("value.hidden", self.pool_for_value(v)))
        return {
            "policy": self.policy(x),
            "value": self.linear("value.value", hidden),
            "misc": self.linear("value.misc", hidden),
            "ownership": self.conv("value.ownership", v)[:, 0],
        }

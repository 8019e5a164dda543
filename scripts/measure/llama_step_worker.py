# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""The measuring side of llama_step.py: a process in which transformers' Llama decodes one token after the other at batch 1.

`way` says what the process does with the model: nothing ("plain", which is also what a preloaded library meets), its linear
layers by onepass.torch ("ops"), with layers that have one input merged into one and residuals added by the product ("merged"), with
norms, position embeddings and SwiGLU in one launch each ("fused"), and with the weights of the next layers asked into the L2 meanwhile
("prefetch"). "rest" leaves out the linear layers: what no product can make faster."""
import functools
import gc
import inspect
import sys
import time

import torch
import transformers
from side_by_side import serve
from transformers import LlamaConfig, LlamaForCausalLM, StaticCache
from transformers.models.llama import modeling_llama

# Shapes of Llama 3; fewer layers than the real ones where all would only repeat themselves.
SIZES = {"1B-like": {"hidden_size": 2048, "intermediate_size": 8192, "num_attention_heads": 32, "num_hidden_layers": 16},
         "8B-like": {"hidden_size": 4096, "intermediate_size": 14336, "num_attention_heads": 32, "num_hidden_layers": 16},
         "70B-like": {"hidden_size": 8192, "intermediate_size": 28672, "num_attention_heads": 64, "num_hidden_layers": 4},
         "tiny": {"hidden_size": 64, "intermediate_size": 128, "num_attention_heads": 8, "num_hidden_layers": 2, "vocab_size": 100}}

def use_ops(model):
    """Every linear layer by onepass.torch."""
    import onepass.torch
    for module in model.modules():
        if isinstance(module, torch.nn.Linear):
            module.forward = functools.partial(lambda of, x: onepass.torch.linear(x, of.weight, of.bias), module)


def leave_out(model):
    """Linear layers return zeros that were there before: no launch."""
    for module in model.modules():
        if isinstance(module, torch.nn.Linear):
            zeros = torch.zeros(1, 1, module.weight.shape[0], dtype=module.weight.dtype, device=module.weight.device)
            module.forward = lambda x, zeros=zeros: zeros


def merge(model):
    """Queries, keys and values from one product, gate and up from another."""
    import onepass.torch
    for layer in model.model.layers:
        attention, mlp = layer.self_attn, layer.mlp
        parts = [attention.q_proj, attention.k_proj, attention.v_proj]
        merged = torch.cat([part.weight for part in parts])
        sizes, found = [part.weight.shape[0] for part in parts], {}

        def query(x, merged=merged, sizes=sizes, found=found):
            first, found[1], found[2] = onepass.torch.linear(x, merged).split(sizes, dim=-1)
            return first

        attention.q_proj.forward = query
        attention.k_proj.forward = lambda x, found=found: found.pop(1)
        attention.v_proj.forward = lambda x, found=found: found.pop(2)
        for part in parts:
            part.weight = None
        both = torch.cat([mlp.gate_proj.weight, mlp.up_proj.weight])
        mlp.gate_proj.weight = mlp.up_proj.weight = None

        def feed(x, mlp=mlp, both=both):
            gate, up = onepass.torch.linear(x, both).chunk(2, dim=-1)
            return mlp.down_proj(mlp.act_fn(gate) * up)

        mlp.forward = feed
        attention.merged, mlp.merged = [merged], [both]
        add_residuals(layer)


def fuse(model):
    """Norms, position embeddings, and the product of gate and up, in one launch each; behind merge()."""
    import onepass.torch
    for module in model.modules():
        if type(module).__name__ == "LlamaRMSNorm":
            module.forward = functools.partial(lambda of, x: onepass.torch.rms_norm(x, of.weight, of.variance_epsilon), module)
    modeling_llama.apply_rotary_pos_emb = lambda q, k, cos, sin, *_, **__: onepass.torch.rotary(q, k, cos, sin)
    for layer in model.model.layers:
        layer.mlp.forward = functools.partial(
            lambda of, x: of.down_proj(onepass.torch.swiglu(*onepass.torch.linear(x, of.merged[0]).chunk(2, dim=-1))), layer.mlp)


def add_residuals(layer):
    """The sums behind attention and behind gate and up are those of gemv with beta = 1, in place."""
    import onepass
    returns_tuples = tuple(map(int, transformers.__version__.split(".")[:2])) < (4, 54)
    residual = None

    def add(weight, x):
        onepass.gemv(weight, x.reshape(-1), residual, beta=1, out=residual)

    def forward(hidden_states, **more):
        nonlocal residual
        residual = hidden_states.view(-1)
        layer.self_attn(hidden_states=layer.input_layernorm(hidden_states), **more)
        layer.mlp(layer.post_attention_layernorm(hidden_states))
        return (hidden_states,) if returns_tuples else hidden_states

    for last in (layer.self_attn.o_proj, layer.mlp.down_proj):
        last.forward = functools.partial(lambda of, x: add(of.weight, x), last)
    layer.forward = forward


def prefetch_ahead(model):
    """Asks for the weights of the next product right behind each one: they come while norms and attention keep the memory idle. At a
    time half of the L2. Behind merge()."""
    import onepass.torch
    most = getattr(torch.cuda.get_device_properties(0), "L2_cache_size", 64 << 20) // 2

    def asking(weights):
        def ask(*_):
            left = most
            for weight in weights:
                if left > 0:
                    onepass.torch.prefetch(weight, left)
                left -= weight.nbytes
        return ask

    layers = list(model.model.layers)
    for layer, after in zip(layers, [*layers[1:], None]):
        attention, mlp = layer.self_attn, layer.mlp
        attention.v_proj.register_forward_hook(asking([attention.o_proj.weight]))
        attention.o_proj.register_forward_hook(asking(mlp.merged))
        mlp.register_forward_pre_hook(asking([mlp.down_proj.weight]))
        mlp.down_proj.register_forward_hook(asking(after.self_attn.merged if after else [model.lm_head.weight]))


class Worker:
    def __init__(self, way, device, past):
        if device == "cuda" and not torch.cuda.is_available():
            sys.exit("PyTorch finds no GPU")
        self.way, self.device, self.past = way, device, past
        self.model = self.graph = None

    def facts(self):
        name = torch.cuda.get_device_name() if self.device == "cuda" else "cpu"
        return {"machine": {"device": name, "CUDA": torch.version.cuda, "PyTorch": torch.__version__,
                            "transformers": transformers.__version__}}

    def prepare(self, size):
        """A model of random weights, the same in every process; the logits of its first step."""
        self.model = self.graph = None
        self.more = {}
        gc.collect()  # layers know functions that know them
        if self.device == "cuda":
            torch.cuda.empty_cache()
        torch.manual_seed(1)
        config = LlamaConfig(**{"vocab_size": 128256, "num_key_value_heads": 8, "max_position_embeddings": 8192,
                                "tie_word_embeddings": False} | SIZES[size])
        torch.set_default_dtype(torch.bfloat16)
        with torch.device(self.device):
            self.model = LlamaForCausalLM(config).eval()
        bytes_ = sum(p.nbytes for name, p in self.model.named_parameters() if "embed_tokens" not in name)
        if self.way == "rest":
            leave_out(self.model)
        elif self.way != "plain":
            use_ops(self.model)
        if self.way in ("merged", "fused", "prefetch"):
            merge(self.model)
        if self.way in ("fused", "prefetch"):
            fuse(self.model)
        if self.way == "prefetch" and self.device == "cuda":
            prefetch_ahead(self.model)
        self.token = torch.tensor([[7]], device=self.device)
        self.position = torch.tensor([[self.past // 2]], device=self.device)
        self.more = {"use_cache": self.past > 0}
        if self.past > 0:
            self.more["past_key_values"] = StaticCache(config=config, max_batch_size=1, max_cache_len=self.past, device=self.device,
                                                       dtype=torch.bfloat16)
            if "cache_position" in inspect.signature(self.model.forward).parameters:
                self.more["cache_position"] = self.position[0]
        logits = [self.step() for _ in range(2)][0].float().flatten()
        return {"layers": config.num_hidden_layers, "weight_bytes": bytes_, "logits": logits[:: max(1, len(logits) // 64)].tolist()}

    def step(self):
        return self.model(input_ids=self.token, position_ids=self.position, **self.more).logits

    def capture(self):
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.step()

    def measure(self, replays, steps):
        """ms of a step: replays of a graph, and the shortest of some steps without one, which what else runs on the host can only make
        longer."""
        if self.graph is None:
            self.capture()
        self.graph.replay()
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(replays):
            self.graph.replay()
        end.record()
        torch.cuda.synchronize()
        found = []
        for _ in range(steps):
            start = time.perf_counter()
            self.step()
            torch.cuda.synchronize()
            found.append((time.perf_counter() - start) * 1e3)
        return {"graph": begin.elapsed_time(end) / replays, "eager": min(found)}


def main():
    with torch.inference_mode():
        serve(Worker)


if __name__ == "__main__":
    main()

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/graph_fixtures.h"

namespace heteroscape::engine::test {

OperatorGraph fusedGraph(const std::string& model, Phase phase, double devices, double batch,
                         double queryTokens, double maxTokens) {
    StepShape shape;
    shape.phase = phase;
    shape.queryTokens = queryTokens;
    shape.batch = batch;
    shape.maxTokens = maxTokens;
    shape.devices = devices;
    shape.style = OperatorStyle::Fused;
    return {catalog().model(model, "test"), shape};
}

const Operator& operatorOf(const OperatorGraph& graph, std::string_view key) {
    for (const auto& op : graph.operators())
        if (op.key == key)
            return op;
    FAIL("no operator " << std::string(key));
    return graph.operators().front();
}

const std::vector<std::string>& preserveModels() {
    static const std::vector<std::string> models{
        "llama3-8b",  "llama3-70b",  "llama3-405b", "qwen2-7b",   "qwen2-72b",    "qwen1-5-110b",
        "phi3-small", "phi3-medium", "phi3-5-moe",  "mistral-7b", "mixtral-8x7b", "mixtral-8x22b"};
    return models;
}

} // namespace heteroscape::engine::test

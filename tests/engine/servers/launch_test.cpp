// SPDX-License-Identifier: GPL-3.0-or-later
// Lines that start servers, as their documents have them, go round: design, script, design.
#include "engine/servers/launch.h"

#include "engine/base/error.h"
#include "engine/base/shell_text.h"
#include "engine/claims/claims.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"
#include "engine/techniques/speculation.h"
#include "tests/engine/fixtures.h"

#include <algorithm>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const GpuServers& servers() {
    static const GpuServers all(catalog(), shippedKernels());
    return all;
}

Scenario launched(const std::string& lines, const std::string& device = "h200-sxm",
                  std::vector<std::string>* aside = nullptr) {
    LaunchSurroundings around;
    around.device = device;
    std::vector<std::string> leftAside;
    return launchedDesign(servers(), lines, "launch line", around, aside ? *aside : leftAside);
}

std::string whyNot(const std::string& lines) {
    try {
        launched(lines);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

struct Public {
    const char* lines;
    const char* model;
    double devices, replicas, dp, ep, pp;
    const char* device = "h200-sxm";
};

const std::vector<Public>& publicLines() {
    static const std::vector<Public> all{
        {"vllm serve meta-llama/Llama-3.1-70B-Instruct --tensor-parallel-size 4 --max-num-seqs 256 "
         "--gpu-memory-utilization 0.92",
         "llama3-1-70b", 4, 1, 1, 1, 1},
        {"vllm serve openai/gpt-oss-120b --tensor-parallel-size 2 --async-scheduling", "gpt-oss-120b", 2, 1,
         1, 1, 1},
        {"vllm serve deepseek-ai/DeepSeek-R1 --tensor-parallel-size 8 --trust-remote-code --max-model-len "
         "8192",
         "deepseek-v3", 8, 1, 1, 1, 1},
        {"vllm serve deepseek-ai/DeepSeek-V3 --data-parallel-size 8 --enable-expert-parallel "
         "--kv-cache-dtype fp8",
         "deepseek-v3", 8, 1, 8, 8, 1},
        {"vllm serve Qwen/Qwen3-235B-A22B-FP8 --tensor-parallel-size 4 --enable-expert-parallel",
         "qwen3-235b-a22b", 4, 1, 1, 4, 1},
        {"python -m vllm.entrypoints.openai.api_server --model meta-llama/Llama-3.3-70B-Instruct -tp 8 "
         "--quantization fp8 --host 0.0.0.0",
         "llama3-1-70b", 8, 1, 1, 1, 1},
        {"docker run --runtime nvidia --gpus all -v models:/models \\\n"
         "    --env \"HUGGING_FACE_HUB_TOKEN=$HF_TOKEN\" -p 8000:8000 --ipc=host \\\n"
         "    vllm/vllm-openai:latest --model mistralai/Mistral-7B-v0.1",
         "mistral-7b", 1, 1, 1, 1, 1, "h100-sxm"},
        {"VLLM_USE_V1=1 vllm serve moonshotai/Kimi-K2.5 -tp 8 -pp 2 --max_num_seqs=128", "kimi-k2-5", 16, 1,
         1, 1, 2},
        {"vllm serve deepseek-ai/DeepSeek-R1 --tensor-parallel-size 8 --speculative-config "
         "'{\"method\":\"deepseek_mtp\",\"num_speculative_tokens\":1}'",
         "deepseek-v3", 8, 1, 1, 1, 1},
        {"vllm serve Qwen/Qwen3-32B-AWQ --quantization awq_marlin", "qwen3-32b", 1, 1, 1, 1, 1, "h100-sxm"},
        {"vllm serve meta-llama/Llama-3.1-8B-Instruct --data-parallel-size 4", "llama3-1-8b", 4, 4, 1, 1, 1},
        {"vllm serve zai-org/GLM-4.5-Air --tensor-parallel-size 4 --tool-call-parser glm45 "
         "--reasoning-parser glm45 --enable-auto-tool-choice",
         "glm-4-5-air", 4, 1, 1, 1, 1},
        {"vllm serve MiniMaxAI/MiniMax-M2 --tensor-parallel-size 4 --tool-call-parser minimax_m2",
         "minimax-m2", 4, 1, 1, 1, 1},
        {"python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --tp 8 --trust-remote-code",
         "deepseek-v3", 8, 1, 1, 1, 1},
        {"python3 -m sglang.launch_server --model deepseek-ai/DeepSeek-V3 --tp 8 --dp 8 "
         "--enable-dp-attention "
         "--mem-fraction-static 0.85",
         "deepseek-v3", 8, 1, 8, 1, 1},
        {"# first machine\npython3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --tp 16 "
         "--dist-init-addr 10.0.0.1:5000 --nnodes 2 --node-rank 0 --trust-remote-code\n"
         "# second\npython3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --tp 16 "
         "--dist-init-addr 10.0.0.1:5000 --nnodes 2 --node-rank 1 --trust-remote-code\n",
         "deepseek-v3", 16, 1, 1, 1, 1},
        {"python -m sglang.launch_server --model-path meta-llama/Llama-3.1-8B-Instruct --quantization fp8 "
         "--kv-cache-dtype fp8_e5m2 --max-running-requests 128 --chunked-prefill-size 4096",
         "llama3-1-8b", 1, 1, 1, 1, 1, "h100-sxm"},
        {"python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-R1 --tp 8 "
         "--speculative-algorithm "
         "EAGLE --speculative-num-steps 3 --speculative-eagle-topk 1 --speculative-num-draft-tokens 4",
         "deepseek-v3", 8, 1, 1, 1, 1},
        {"python -m sglang.launch_server --model-path Qwen/Qwen3-30B-A3B --tp 2 --dp 2 --ep 2",
         "qwen3-30b-a3b", 4, 2, 1, 2, 1, "h100-sxm"},
        {"trtllm-serve nvidia/Llama-3.1-70B-Instruct-FP8 --tp_size 2 --max_batch_size 2048 "
         "--max_num_tokens 16384 --kv_cache_free_gpu_memory_fraction 0.9",
         "llama3-1-70b", 2, 1, 1, 1, 1},
        {"cat > extra.yml <<EOF\nenable_attention_dp: true\nkv_cache_config:\n  dtype: fp8\n"
         "  free_gpu_memory_fraction: 0.8\nspeculative_config:\n  decoding_type: MTP\n"
         "  num_nextn_predict_layers: 3\nprint_iter_log: true\nEOF\n"
         "trtllm-serve serve nvidia/DeepSeek-R1-FP4 --host 0.0.0.0 --tp_size 8 --ep_size 8 "
         "--max_batch_size 256 --extra_llm_api_options extra.yml",
         "deepseek-v3", 8, 1, 8, 8, 1, "b200-sxm"},
        {"mpirun -n 2 trtllm-llmapi-launch trtllm-serve openai/gpt-oss-120b --tp_size 2 --ep_size 2",
         "gpt-oss-120b", 2, 1, 1, 2, 1},
    };
    return all;
}

const Node& workers(const Scenario& design) {
    return *std::ranges::find_if(design.nodes, [](const Node& node) { return node.server.has_value(); });
}

} // namespace

TEST_CASE("launch: public lines are the designs that they start, and go round with equal keys") {
    for (const auto& one : publicLines()) {
        CAPTURE(one.lines);
        const auto design = launched(one.lines, one.device);
        CHECK(design.model.id == one.model);
        const auto& node = workers(design);
        CHECK(node.count.value == one.devices);
        CHECK(replicas(node) == one.replicas);
        CHECK(node.dp.valueOr(1) == one.dp);
        CHECK(node.ep.valueOr(1) == one.ep);
        CHECK(node.pp.valueOr(1) == one.pp);
        for (const auto& finding : validate(design))
            CHECK_MESSAGE(finding.severity != Severity::Error, finding.message);
        const auto script = launchScript(design, catalog());
        CAPTURE(script);
        const auto again = launched(script, one.device);
        CHECK(scenarioKey(again) == scenarioKey(design));
        CHECK(launchScript(again, catalog()) == script);
    }
}

TEST_CASE("launch: formats, limits and speculation are what the line says") {
    const auto dense = launched("vllm serve nvidia/Llama-3.1-70B-Instruct-FP8 -tp 2 --max-num-seqs 300 "
                                "--max-num-batched-tokens 4096 --gpu-memory-utilization 0.8");
    CHECK(workers(dense).runtime->weightBits.value == 8);
    CHECK(workers(dense).runtime->kvBits.value == 16);
    CHECK(workers(dense).server->id == "vllm");
    CHECK(workers(dense).server->memoryShare.value == 0.8);
    CHECK(dense.serving["max_sequences"].value == 300);
    CHECK(dense.serving["budget_tokens"].value == 4096);
    CHECK_FALSE(dense.techniques.isOn(speculation()));

    const auto drafting = launched(publicLines()[20].lines, "b200-sxm");
    CHECK(workers(drafting).server->id == "trtllm");
    CHECK(workers(drafting).runtime->kvBits.value == 8);
    CHECK(workers(drafting).server->memoryShare.value == 0.8);
    CHECK(drafting.techniques.isOn(speculation()));
    CHECK(drafting.techniques[speculation()].quantity(kGuesses).value == 3);
    CHECK(launched("vllm serve openai/gpt-oss-120b --kv-cache-dtype=fp8").model.weights ==
          catalog().model("gpt-oss-120b", "").weights);
}

TEST_CASE("launch: lines that are alike are copies; prompts and decodes apart are disaggregated") {
    const auto line = [](const char* mode, int port) {
        return "python3 -m sglang.launch_server --model-path meta-llama/Llama-3.1-70B-Instruct --tp 4 "
               "--disaggregation-mode " +
               std::string(mode) + " --port " + std::to_string(port) + " &\n";
    };
    const auto design = launched(line("prefill", 30000) + line("decode", 30001) + line("decode", 30002));
    REQUIRE(design.findNode(NodeId{"prefill"}));
    REQUIRE(design.findNode(NodeId{"decode"}));
    CHECK(design.findNode(NodeId{"prefill"})->count.value == 4);
    CHECK(design.findNode(NodeId{"decode"})->count.value == 8);
    CHECK(design.techniques.isOn(disaggregation()));
    for (const char* server : {"sglang", "vllm", "trtllm"}) {
        auto other = design;
        for (const char* node : {"prefill", "decode"})
            applyEdit(other, setEdit(other, catalog(), "nodes." + std::string(node) + ".server", server));
        const auto script = launchScript(other, catalog());
        CAPTURE(script);
        const auto again = launched(script);
        CHECK(again.findNode(NodeId{"prefill"})->count.value == 4);
        CHECK(again.findNode(NodeId{"decode"})->replicas.value == 2);
        CHECK(launchScript(again, catalog()).find("prefill") != std::string::npos);
    }
}

TEST_CASE("launch: every served design that ships can be started, or is refused by what has no server") {
    int started = 0;
    for (const auto& info : listPresets(catalog()))
        try {
            const auto script = launchScript(preset(info.id), catalog());
            CHECK(script.find("serve") != std::string::npos);
            ++started;
        } catch (const Error& error) {
            CHECK(std::string(error.what()).find("server") != std::string::npos);
        }
    CHECK(started >= 5);
}

TEST_CASE("launch: names of a stranger's design start nothing of their own") {
    for (const char* server : {"vllm", "sglang", "trtllm"}) {
        auto design = launched("vllm serve openai/gpt-oss-120b --speculative-config "
                               "'{\"method\":\"draft_model\",\"model\":\"openai/gpt-oss-20b\","
                               "\"num_speculative_tokens\":2}'");
        applyEdit(design, setEdit(design, catalog(), "nodes.gpu.server", server));
        REQUIRE(design.draft);
        const std::string evil = "\nEOF\ntouch owned; $(touch owned) `touch owned`\n";
        design.name = design.model.name = design.nodes.front().device.name = evil;
        for (const auto* start : {"--x;", "$(touch owned)", "'", ""}) {
            design.model.repository = design.draft->repository = start + evil;
            const auto script = launchScript(design, catalog());
            CAPTURE(script);
            int servers = 0;
            for (const auto& command : ShellText(script, "script").commands()) {
                CHECK((command.front() == "cat" || command.front() == "vllm" ||
                       command.front() == "python3" || command.front() == "trtllm-serve"));
                servers += command.front() != "cat";
            }
            CHECK(servers == 1);
            CHECK(launchManifest(design, catalog()).find("\ntouch") == std::string::npos);
        }
    }
}

TEST_CASE("launch: a manifest has what the script has") {
    const auto design = launched(publicLines()[20].lines, "b200-sxm");
    const auto manifest = launchManifest(design, catalog());
    for (const char* part :
         {"kind: ConfigMap", "  dtype: fp8", "kind: Deployment", "replicas: 1", "nvidia.com/gpu: 8",
          "\"--tp_size\"", "\"/options/options.yaml\"", "kind: Service"})
        CHECK_MESSAGE(manifest.find(part) != std::string::npos, part);
    CHECK_THROWS_WITH_AS(launchManifest(launched(publicLines()[15].lines), catalog()),
                         doctest::Contains("needs 2 machines"), Error);
}

TEST_CASE("launch: what a line says that no design has is left aside by name") {
    std::vector<std::string> aside;
    launched("vllm serve openai/gpt-oss-20b --tool-call-parser openai --enable-auto-tool-choice", "h100-sxm",
             &aside);
    CHECK(aside == std::vector<std::string>{"--tool-call-parser openai", "--enable-auto-tool-choice"});
}

TEST_CASE("launch: what cannot be read is said, with the place and the remedy") {
    CHECK(whyNot("ls -l").find("no line of it starts a server") != std::string::npos);
    CHECK(whyNot("vllm serve").find("without a model") != std::string::npos);
    CHECK(whyNot("vllm serve ''").find("no model") != std::string::npos);
    CHECK(whyNot("vllm serve unknown/Nobody-7B").find("import its config.json") != std::string::npos);
    CHECK(whyNot("vllm serve deepseek-ai/DeepSeek-R1-Distill-Llama-8B").find("no model") !=
          std::string::npos);
    CHECK(whyNot("vllm serve openai/gpt-oss-20b -tp").find("has no value") != std::string::npos);
    CHECK(whyNot("vllm serve openai/gpt-oss-20b -tp many").find("is no number") != std::string::npos);
    CHECK(whyNot("vllm serve openai/gpt-oss-20b -tp 1e999").find("is no number") != std::string::npos);
    CHECK(whyNot("vllm serve openai/gpt-oss-20b --speculative-config 3").find("no JSON") !=
          std::string::npos);
    CHECK(whyNot("vllm serve 'openai/gpt-oss-20b").find("line 1: a quote") != std::string::npos);
    CHECK(whyNot("sglang serve openai/gpt-oss-20b --tp 4 --ep 3").find("do not divide") != std::string::npos);
    CHECK(whyNot("vllm serve openai/gpt-oss-20b\nvllm serve openai/gpt-oss-120b").find("2 kinds") !=
          std::string::npos);
    std::string deep;
    for (int i = 0; i < 100000; ++i)
        deep += "{\"a\":";
    CHECK_FALSE(whyNot("vllm serve openai/gpt-oss-20b --speculative-config '" + deep + "'").empty());
    std::string many;
    for (int i = 0; i < 1001; ++i)
        many += "vllm serve openai/gpt-oss-20b --seed " + std::to_string(i) + "\n";
    CHECK(whyNot(many).find("more than 1000 servers") != std::string::npos);
    auto none = preset("glitches/a100-7u280");
    CHECK_THROWS_WITH_AS(launchScript(none, catalog()), doctest::Contains("without a server"), Error);
}

TEST_CASE("shell text: quotes, comments, continued lines and files written in place") {
    const ShellText shell(
        "A=1 one 'two words' \"thr\\\"ee\" \\\n  four # five\nsix; seven & cat > f.yaml <<'EOF'\na: 1\n"
        "# kept\nEOF\neight | nine",
        "text");
    const std::vector<std::vector<std::string>> wanted{{"A=1", "one", "two words", "thr\"ee", "four"},
                                                       {"six"},
                                                       {"seven"},
                                                       {"cat", ">", "f.yaml"},
                                                       {"eight"},
                                                       {"nine"}};
    CHECK(shell.commands() == wanted);
    CHECK(shell.files().at("f.yaml") == "a: 1\n# kept\n");
    CHECK(ShellText("cat <<-END >f\n\tx\n\tEND\ny", "text").files().at("f") == "x\n");
    CHECK(ShellText(shellQuoted("it's $HOME") + " x", "text").commands()[0][0] == "it's $HOME");
}

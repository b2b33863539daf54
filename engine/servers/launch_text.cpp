// SPDX-License-Identifier: GPL-3.0-or-later
// Options of vLLM, SGLang and TensorRT-LLM as their documents have them (vLLM: "vllm serve --help"; SGLang:
// "Server Arguments"; TensorRT-LLM: "trtllm-serve" and LLM API arguments).
#include "engine/servers/launch.h"

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/base/shell_text.h"
#include "engine/catalog/named.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

using F = LaunchField;

constexpr std::size_t kMostText = 1 << 20; ///< bytes of a text that is read
constexpr std::size_t kMostLines = 1000;   ///< that start a server

LaunchSoftware vllm() {
    constexpr std::string_view kSpeculation = "--speculative-config -sc", kTransfer = "--kv-transfer-config";
    return {"vllm",
            "vllm serve",
            {"vllm serve", "vllm.entrypoints.openai.api_server", "vllm/vllm-openai"},
            "vllm/vllm-openai",
            {},
            {},
            {{F::Model, "--model"},
             {F::Tensor, "--tensor-parallel-size -tp"},
             {F::Pipeline, "--pipeline-parallel-size -pp"},
             {F::Data, "--data-parallel-size -dp"},
             {F::Expert, "--enable-expert-parallel -ep", {}, true},
             {F::Sequences, "--max-num-seqs"},
             {F::Budget, "--max-num-batched-tokens"},
             {F::MemoryShare, "--gpu-memory-utilization"},
             {F::Context, "--max-model-len"},
             {F::Quantization, "--quantization -q"},
             {F::Cache, "--kv-cache-dtype"},
             {F::Connector, kTransfer, "kv_connector"},
             {F::Role, kTransfer, "kv_role"},
             {F::Method, kSpeculation, "method"},
             {F::Draft, kSpeculation, "model"},
             {F::Drafts, kSpeculation, "num_speculative_tokens"},
             {F::Nodes, "--nnodes"},
             {F::Rank, "--node-rank"},
             {F::Head, "--master-addr"},
             {F::Port, "--port"}},
            {{F::Cache, "fp8", "fp8"},
             {F::Cache, "fp8", "fp8_e4m3"},
             {F::Cache, "fp8", "fp8_e5m2"},
             {F::Quantization, "fp8", "fp8"},
             {F::Quantization, "fp8", "modelopt"},
             {F::Quantization, "nvfp4", "modelopt_fp4"},
             {F::Quantization, "int4", "awq_marlin"},
             {F::Quantization, "int4", "awq"},
             {F::Quantization, "int4", "gptq_marlin"},
             {F::Quantization, "int4", "gptq"},
             {F::Connector, "any", "NixlConnector"},
             {F::Role, "prefill", "kv_producer"},
             {F::Role, "decode", "kv_consumer"},
             {F::Method, "own", "mtp"},
             {F::Method, "eagle", "eagle3"},
             {F::Method, "draft", "draft_model"}}};
}

LaunchSoftware sglang() {
    return {"sglang",
            "python3 -m sglang.launch_server --model-path",
            {"sglang.launch_server", "sglang serve"},
            "lmsysorg/sglang",
            {},
            {},
            {{F::Model, "--model-path --model"},
             {F::Tensor, "--tp --tp-size --tensor-parallel-size"},
             {F::Pipeline, "--pp-size --pp --pipeline-parallel-size"},
             {F::Data, "--dp --dp-size --data-parallel-size"},
             {F::DataAttention, "--enable-dp-attention", {}, true},
             {F::Expert, "--ep --ep-size --expert-parallel-size"},
             {F::Sequences, "--max-running-requests"},
             {F::Budget, "--chunked-prefill-size"},
             {F::MemoryShare, "--mem-fraction-static"},
             {F::Context, "--context-length"},
             {F::Quantization, "--quantization"},
             {F::Cache, "--kv-cache-dtype"},
             {F::Role, "--disaggregation-mode"},
             {F::Method, "--speculative-algorithm --speculative-algo"},
             {F::Draft, "--speculative-draft-model-path --speculative-draft-model"},
             {F::Drafts, "--speculative-num-steps"},
             {F::Branches, "--speculative-eagle-topk"},
             {F::Verified, "--speculative-num-draft-tokens"},
             {F::Nodes, "--nnodes"},
             {F::Rank, "--node-rank"},
             {F::Head, "--dist-init-addr"},
             {F::Port, "--port"}},
            {{F::Cache, "fp8", "fp8_e4m3"},
             {F::Cache, "fp8", "fp8_e5m2"},
             {F::Quantization, "fp8", "fp8"},
             {F::Quantization, "fp8", "modelopt"},
             {F::Quantization, "nvfp4", "modelopt_fp4"},
             {F::Quantization, "int4", "awq"},
             {F::Quantization, "int4", "gptq"},
             {F::Quantization, "int8", "w8a8_int8"},
             {F::Method, "own", "EAGLE"},
             {F::Method, "own", "NEXTN"},
             {F::Method, "eagle", "EAGLE3"},
             {F::Method, "draft", "STANDALONE"}}};
}

LaunchSoftware trtllm() {
    constexpr std::string_view kFile = "--extra_llm_api_options --config";
    return {"trtllm",
            "trtllm-serve",
            {"trtllm-serve"},
            "nvcr.io/nvidia/tensorrt-llm/release",
            "--extra_llm_api_options",
            "trtllm-llmapi-launch",
            {{F::Model, "--model"},
             {F::Tensor, "--tp_size --tensor_parallel_size"},
             {F::Pipeline, "--pp_size --pipeline_parallel_size"},
             {F::Expert, "--ep_size --moe_expert_parallel_size"},
             {F::Sequences, "--max_batch_size"},
             {F::Budget, "--max_num_tokens"},
             {F::Context, "--max_seq_len"},
             {F::MemoryShare, "--kv_cache_free_gpu_memory_fraction --free_gpu_memory_fraction"},
             {F::Port, "--port"},
             {F::DataAttention, kFile, "enable_attention_dp"},
             {F::Cache, kFile, "kv_cache_config.dtype"},
             {F::MemoryShare, kFile, "kv_cache_config.free_gpu_memory_fraction"},
             {F::Connector, kFile, "cache_transceiver_config.backend"},
             {F::Role, kFile, "disable_overlap_scheduler"},
             {F::Method, kFile, "speculative_config.decoding_type"},
             {F::Draft, kFile, "speculative_config.speculative_model_dir"},
             {F::Drafts, kFile, "speculative_config.num_nextn_predict_layers"},
             {F::Drafts, kFile, "speculative_config.max_draft_len"}},
            {{F::Connector, "any", "DEFAULT"},
             {F::Role, "prefill", "true"}, // servers of prompts alone need it
             {F::Role, "decode", "false"},
             {F::Method, "own", "MTP"},
             {F::Method, "eagle", "Eagle"},
             {F::Method, "draft", "DraftTarget"}}};
}

std::vector<std::string_view> wordsOf(std::string_view text) {
    std::vector<std::string_view> words;
    while (!text.empty()) {
        const auto end = std::min(text.find(' '), text.size());
        if (end > 0)
            words.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

bool holds(std::string_view names, std::string_view name) {
    for (const auto one : wordsOf(names)) // both spellings of long options: --max-num-seqs, --max_num_seqs
        if (std::ranges::equal(one, name, [](char a, char b) {
                return a == b || ((a == '_' || a == '-') && (b == '_' || b == '-'));
            }))
            return true;
    return false;
}

std::string theirWord(const LaunchSoftware& software, LaunchField field, const std::string& ours) {
    for (const auto& word : software.words)
        if (word.field == field && word.ours == ours)
            return std::string(word.theirs);
    return ours;
}

std::string ourWord(const LaunchSoftware& software, LaunchField field, const std::string& theirs) {
    for (const auto& word : software.words)
        if (word.field == field && isSameInAnyCase(word.theirs, theirs))
            return std::string(word.ours);
    return theirs;
}

/// A value as JSON and YAML have it: 3, true, "eagle3".
Json valueOf(const std::string& text) {
    auto json = Json::parse(text, nullptr, false);
    return json.is_number() || json.is_boolean() ? json : Json(text);
}
std::string plainText(const Json& json) {
    return json.is_string() ? json.get<std::string>() : json.dump();
}

/// As YAML has it: words without quotes.
std::string yamlOf(const Json& json) {
    const auto text = plainText(json);
    const bool isWord =
        std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    return isWord ? text : yamlText(text);
}

/// Takes what an option that holds several says of a path: "a.b".
void takeWithin(LaunchLine& line, std::string_view option, const std::string& path,
                const std::string& value) {
    const auto& flags = line.software->flags;
    const auto found = std::ranges::find_if(flags, [&](const LaunchSoftware::Flag& flag) {
        return flag.within == path && (option.empty() || holds(flag.names, option));
    });
    if (found == flags.end())
        line.leftAside.push_back(path + " = " + value);
    else
        line.values[found->field] = ourWord(*line.software, found->field, value);
}

void takeJson(LaunchLine& line, const std::string& option, const Json& json, const std::string& before = {}) {
    for (const auto& [key, value] : json.items())
        if (value.is_object())
            takeJson(line, option, value, before + key + ".");
        else
            takeWithin(line, option, before + key, plainText(value));
}

/// The lines "key: value" of YAML, by indentation; lists are left aside.
void takeYaml(LaunchLine& line, const std::string& text) {
    std::vector<std::pair<std::size_t, std::string>> open; // indentation and key
    std::size_t begin = 0;
    while (begin < text.size()) {
        const auto end = std::min(text.find('\n', begin), text.size());
        auto row = std::string_view(text).substr(begin, end - begin);
        begin = end + 1;
        row = row.substr(0, row.find(" #"));
        const auto indent = row.find_first_not_of(' ');
        const auto colon = row.find(':');
        if (indent == row.npos || row[indent] == '#' || row[indent] == '-' || colon == row.npos)
            continue;
        while (!open.empty() && open.back().first >= indent)
            open.pop_back();
        std::string path;
        for (const auto& [at, key] : open)
            path += key + ".";
        path += row.substr(indent, colon - indent);
        auto value = row.substr(colon + 1);
        const auto isEdge = [](char c) { return c == ' ' || c == '"' || c == '\'' || c == '\r'; };
        while (!value.empty() && isEdge(value.front()))
            value.remove_prefix(1);
        while (!value.empty() && isEdge(value.back()))
            value.remove_suffix(1);
        if (value.empty())
            open.emplace_back(indent, row.substr(indent, colon - indent));
        else
            takeWithin(line, {}, path, std::string(value));
    }
}

std::string joinedWords(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

/// The software that a command starts and where its arguments begin; null: none that is known.
const LaunchSoftware* softwareOf(const std::vector<std::string>& words, std::size_t& begin) {
    for (const auto& software : launchSoftware())
        for (const auto start : software.starts) {
            const auto parts = wordsOf(start);
            for (std::size_t i = 0; i + parts.size() <= words.size(); ++i) {
                const auto matches = [&](std::size_t part) {
                    const std::string_view word = words[i + part];
                    const auto name =
                        word.substr(0, word.find(':', word.find('/') + 1)); // of an image: its tag
                    const auto bare = name.substr(
                        name.rfind('/') == name.npos || start.find('/') != start.npos ? 0
                                                                                      : name.rfind('/') + 1);
                    return bare == parts[part];
                };
                bool all = true;
                for (std::size_t part = 0; all && part < parts.size(); ++part)
                    all = matches(part);
                if (all) {
                    begin = i + parts.size();
                    return &software;
                }
            }
        }
    return nullptr;
}

LaunchLine readLine(const LaunchSoftware& software, const std::vector<std::string>& words, std::size_t begin,
                    const ShellText& shell, const std::string& where) {
    LaunchLine line;
    line.software = &software;
    for (auto i = begin; i < words.size(); ++i) {
        auto word = words[i];
        if (!word.starts_with('-')) {
            if (word != "serve" && !line.values.contains(F::Model))
                line.values[F::Model] = word;
            else if (word != "serve")
                line.leftAside.push_back(word);
            continue;
        }
        std::optional<std::string> value;
        if (const auto equals = word.find('='); equals != word.npos) {
            value = word.substr(equals + 1);
            word.resize(equals);
        }
        const auto found = std::ranges::find_if(
            software.flags, [&](const LaunchSoftware::Flag& flag) { return holds(flag.names, word); });
        const bool hasValue = i + 1 < words.size() && !words[i + 1].starts_with("-");
        if (found == software.flags.end()) {
            if (!value && hasValue)
                value = words[++i];
            line.leftAside.push_back(value ? word + " " + *value : word);
            continue;
        }
        if (found->isSwitch) {
            line.values[found->field] = value.value_or("true");
            continue;
        }
        if (!value) {
            if (!hasValue)
                throwInvalid(where, word + " has no value", "Write one behind it");
            value = words[++i];
        }
        if (found->within.empty()) {
            line.values[found->field] = ourWord(software, found->field, *value);
        } else if (software.optionsFile.empty()) {
            const auto json = parseJson(*value, where + ", " + word);
            if (!json.is_object())
                throwInvalid(where, word + " is no JSON object: " + value->substr(0, 80),
                             "Write it as '{\"" + std::string(found->within) + "\": ...}'");
            takeJson(line, word, json);
        } else if (const auto file = shell.files().find(*value); file != shell.files().end()) {
            takeYaml(line, file->second);
        } else {
            line.leftAside.push_back(word + " " + *value + " (the text does not hold that file)");
        }
    }
    if (!line.values.contains(F::Model))
        throwInvalid(where, "a line starts " + std::string(software.server) + " without a model",
                     "Name the model behind " + std::string(software.command));
    return line;
}

} // namespace

std::string yamlText(const std::string& text) {
    return Json(text).dump(-1, ' ', true, Json::error_handler_t::replace);
}

const LaunchSoftware::Flag* LaunchSoftware::find(LaunchField field) const {
    const auto found = std::ranges::find(flags, field, &Flag::field);
    return found == flags.end() ? nullptr : &*found;
}

const std::vector<LaunchSoftware>& launchSoftware() {
    static const std::vector<LaunchSoftware> all{vllm(), sglang(), trtllm()};
    return all;
}

std::optional<double> LaunchLine::number(LaunchField field) const {
    const auto found = values.find(field);
    if (found == values.end())
        return std::nullopt;
    const auto number = parseNumber(found->second);
    if (!number || !(*number > 0))
        throwInvalid(
            std::string(software->find(field) ? wordsOf(software->find(field)->names).front() : "option"),
            "\"" + found->second.substr(0, 80) + "\" is no number above 0", "Write a number");
    return number;
}

std::string LaunchLine::text(LaunchField field) const {
    const auto found = values.find(field);
    return found == values.end() ? std::string() : found->second;
}

std::vector<std::string> launchArguments(const LaunchLine& line, const std::string& file,
                                         std::string& options) {
    std::vector<std::string> arguments;
    std::map<std::string, Json> nested; // by option
    std::vector<LaunchField> written;
    for (const auto& flag : line.software->flags) {
        const auto found = line.values.find(flag.field);
        if (found == line.values.end() || flag.field == F::Model ||
            std::ranges::count(written, flag.field) > 0)
            continue;
        written.push_back(flag.field);
        const auto name = std::string(wordsOf(flag.names).front());
        const auto value = theirWord(*line.software, flag.field, found->second);
        if (!flag.within.empty()) {
            auto* at = &nested[name];
            std::string_view rest = flag.within;
            for (auto dot = rest.find('.'); dot != rest.npos; dot = rest.find('.')) {
                at = &(*at)[std::string(rest.substr(0, dot))];
                rest.remove_prefix(dot + 1);
            }
            (*at)[std::string(rest)] = valueOf(value);
            continue;
        }
        arguments.push_back(name);
        if (!flag.isSwitch)
            arguments.push_back(value);
    }
    for (const auto& [name, json] : nested) {
        arguments.push_back(name);
        if (line.software->optionsFile.empty()) {
            arguments.push_back(json.dump(-1, ' ', false, Json::error_handler_t::replace));
            continue;
        }
        arguments.push_back(file);
        for (const auto& [key, value] : json.items())
            if (!value.is_object()) {
                options += key + ": " + yamlOf(value) + "\n";
            } else {
                options += key + ":\n";
                for (const auto& [inner, one] : value.items())
                    options += "  " + inner + ": " + yamlOf(one) + "\n";
            }
    }
    return arguments;
}

std::vector<LaunchLine> readLaunchLines(const std::string& text, const std::string& where) {
    if (text.size() > kMostText)
        throwInvalid(where, "the text is larger than 1 MiB", "Give the lines that start the servers alone");
    const ShellText shell(text, where);
    std::vector<LaunchLine> lines;
    for (const auto& command : shell.commands()) {
        std::size_t begin = 0;
        if (const auto* software = softwareOf(command, begin)) {
            const auto place = where + ", \"" + joinedWords(command).substr(0, 60) + "...\"";
            lines.push_back(readLine(*software, command, begin, shell, place));
        }
    }
    if (lines.size() > kMostLines)
        throwInvalid(where, "it starts more than " + std::to_string(kMostLines) + " servers",
                     "Give fewer lines");
    if (lines.empty()) {
        std::vector<std::string_view> known;
        for (const auto& software : launchSoftware())
            known.insert(known.end(), software.starts.begin(), software.starts.end());
        throwInvalid(where, "no line of it starts a server",
                     "A line that does holds one of: " + joined(known));
    }
    return lines;
}

} // namespace heteroscape::engine

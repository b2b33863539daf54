// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/servers/launch.h"

#include "engine/base/error.h"
#include "engine/base/shell_text.h"
#include "engine/catalog/named.h"
#include "engine/evaluation/system_equations.h"
#include "engine/techniques/built_in.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace heteroscape::engine {

namespace {

using F = LaunchField;

constexpr int kFirstPort = 8000;
constexpr double kMostCommands = 1000; ///< of a script

// --- from a design

/// The format of weights that an option asks for; empty: what the checkpoint comes in.
std::string quantizationOf(const Scenario& design, const Node& node, const Catalog& catalog) {
    const auto* weights = design.model.weights;
    const auto own = std::ranges::find(catalog.models, design.model.id, &Model::id);
    if (weights) {
        if (own != catalog.models.end() && own->weights == weights)
            return {};
        const auto id =
            std::string(weights->of(ModelPart::Dense).id == "bf16" ? weights->of(ModelPart::Experts).id
                                                                   : weights->of(ModelPart::Dense).id);
        for (const char* format : {"nvfp4", "fp8", "int4", "int8"})
            if (id.starts_with(format))
                return format;
        return {};
    }
    const double bits = node.runtime->weightBits.valueOr(16);
    if (bits >= 16)
        return {};
    return bits == 8 ? "fp8" : node.runtime->activationBits.valueOr(16) >= 16 ? "int4" : "nvfp4";
}

/// The repository with weights in a format, of software that takes no option for it.
std::string quantizedName(const std::string& repository, const std::string& format) {
    return "nvidia/" + repository.substr(repository.find('/') + 1) + (format == "fp8" ? "-FP8" : "-FP4");
}

void setLayout(LaunchLine& line, const Layout& layout, bool isMixture) {
    const auto set = [&](LaunchField field, double value, double unless) {
        if (value != unless)
            line.values[field] = exactText(value);
    };
    const auto& software = *line.software;
    const bool parallelHeads = software.find(F::DataAttention); // ranks of attention are those of the experts
    line.values[F::Tensor] = exactText(parallelHeads ? layout.tp * layout.dp : layout.tp);
    set(F::Pipeline, layout.pp, 1);
    if (layout.dp > 1) {
        if (parallelHeads)
            line.values[F::DataAttention] = "true";
        if (software.find(F::Data))
            set(F::Data, layout.dp, 1);
    }
    if (isMixture && layout.ep > 1)
        line.values[F::Expert] = software.find(F::Expert)->isSwitch ? "true" : exactText(layout.ep);
}

void setSpeculation(LaunchLine& line, const Scenario& design) {
    if (!design.techniques.isOn(speculation()))
        return;
    const double drafts = design.techniques[speculation()].quantity(kGuesses).value;
    line.values[F::Method] = design.draft ? "draft" : design.model.mtpLayers.isSet() ? "own" : "eagle";
    line.values[F::Drafts] = exactText(drafts);
    if (design.draft && !design.draft->repository.empty())
        line.values[F::Draft] = design.draft->repository;
    if (line.software->find(F::Verified)) {
        line.values[F::Branches] = "1";
        line.values[F::Verified] = exactText(drafts + 1);
    }
}

LaunchLine lineOf(const Scenario& design, const Node& node, const Catalog& catalog) {
    LaunchLine line;
    const auto software = std::ranges::find(launchSoftware(), node.server->id, &LaunchSoftware::server);
    if (software == launchSoftware().end())
        throwInvalid("nodes." + node.id.value + ".server",
                     "nothing is known of how " + node.server->name + " is started",
                     "Choose vllm, sglang or trtllm");
    line.software = &*software;
    const auto& model = design.model;
    line.values[F::Model] = model.repository.empty() ? model.name : model.repository;
    const auto format = quantizationOf(design, node, catalog);
    if (!format.empty() && software->find(F::Quantization))
        line.values[F::Quantization] = format;
    else if (!format.empty())
        line.values[F::Model] = quantizedName(line.values[F::Model], format);
    setLayout(line, isLayered(model, node) ? layoutOf(node) : Layout::tensorParallel(tensorParallel(node)),
              model.isMixture());
    const auto& serving = design.serving;
    if (const auto& most = serving["max_sequences"]; most.isSet() && std::isfinite(most.value))
        line.values[F::Sequences] = exactText(most.value);
    if (const auto& budget = serving["budget_tokens"]; budget.isSet())
        line.values[F::Budget] = exactText(budget.value);
    if (node.server->memoryShare.isSet())
        line.values[F::MemoryShare] = exactText(node.server->memoryShare.value);
    line.values[F::Context] =
        exactText(std::ceil(design.workload.promptTokens.value + design.workload.outputTokens.value));
    if (node.runtime->kvBits.valueOr(16) == 8)
        line.values[F::Cache] = "fp8";
    const auto role = effectiveRole(design, node);
    if (role == Role::Prefill || role == Role::Decode) {
        line.values[F::Role] = role == Role::Prefill ? "prefill" : "decode";
        if (software->find(F::Connector))
            line.values[F::Connector] = "any";
    }
    setSpeculation(line, design);
    return line;
}

/// What is to be started, in the order of the nodes.
struct Started {
    const Node* node = nullptr;
    LaunchLine line;
    double copies = 1;
    double devices = 1; ///< of a copy
    double machines = 1;
};

std::vector<Started> startedBy(const Scenario& design, const Catalog& catalog) {
    std::vector<Started> all;
    for (const auto& node : design.nodes) {
        if (!isAccelerator(node.device.kind))
            continue;
        if (!node.server || !node.runtime)
            throwInvalid("nodes." + node.id.value + ".server",
                         node.shownName() + " works without a server: there is nothing to start",
                         "Serve it as vllm, sglang or trtllm");
        Started one;
        one.node = &node;
        one.line = lineOf(design, node, catalog);
        one.copies = replicas(node);
        one.devices = tensorParallel(node);
        one.machines = serversOf(design, node, one.devices);
        all.push_back(std::move(one));
    }
    if (all.empty())
        throwInvalid("nodes", "the design has no accelerator to start a server on", "Place one");
    return all;
}

/// Words behind a comment's mark: names come from whoever made the design, and would end the comment with a
/// line.
std::string commentOf(std::string words) {
    std::ranges::replace_if(
        words, [](unsigned char c) { return std::iscntrl(c) != 0; }, ' ');
    return "# " + words + "\n";
}

std::string placeOf(const Started& one) {
    return exactText(one.copies) + (one.copies == 1 ? " copy on " : " copies, each on ") +
           exactText(one.devices) + " x " + one.node->device.name + ", " + one.node->server->software;
}

/// What no option says.
std::string remarksOf(const Scenario& design, const Started& one) {
    std::string text;
    const auto remark = [&](const std::string& words) { text += commentOf(words); };
    if (design.model.repository.empty())
        remark("Where the checkpoint lies is not known: its name stands here.");
    if (one.line.software->find(F::Quantization) == nullptr &&
        one.line.text(F::Model).starts_with("nvidia/") && !design.model.repository.starts_with("nvidia/"))
        remark("It takes weights as the checkpoint has them: one of this name is assumed.");
    const auto layout = isLayered(design.model, *one.node) ? layoutOf(*one.node) : Layout();
    const auto* expert = one.line.software->find(F::Expert);
    if (design.model.isMixture() && expert->isSwitch && layout.ep > 1 && layout.ep < layout.tp * layout.dp)
        remark("It deals experts to all " + exactText(layout.tp * layout.dp) + " ranks, the design to " +
               exactText(layout.ep) + ".");
    if (one.line.text(F::Method) == "eagle")
        remark("EAGLE needs a model that guesses: name it with the options of speculation.");
    if (one.copies > 1)
        remark("A router or load balancer stands before the copies.");
    return text;
}

std::string commandOf(const Started& one, int port) {
    auto line = one.line;
    line.values[F::Port] = std::to_string(port);
    const auto& software = *line.software;
    if (one.machines > 1 && software.find(F::Nodes)) {
        line.values[F::Nodes] = exactText(one.machines);
        line.values[F::Rank] = "$RANK";
        line.values[F::Head] = software.server == "sglang" ? "$HEAD:5000" : "$HEAD";
    }
    std::string options;
    const auto file = one.node->id.value + ".yaml";
    const auto arguments = launchArguments(line, file, options);
    std::string text;
    if (!options.empty())
        text += "cat > " + shellQuoted(file) + " <<'EOF'\n" + options + "EOF\n";
    if (one.machines > 1 && !software.across.empty())
        text += "mpirun -n " + exactText(one.devices) + " " + std::string(software.across) + " ";
    text += std::string(software.command) + " " + shellQuoted(line.text(F::Model));
    const auto isOurs = [&](const std::string& word) { // what the script's reader sets
        return word == line.text(F::Rank) || word == line.text(F::Head);
    };
    for (const auto& argument : arguments)
        text += (argument.starts_with("--") ? " \\\n    " : " ") +
                (argument.starts_with('$') && isOurs(argument) ? argument : shellQuoted(argument));
    return text;
}

} // namespace

std::string launchScript(const Scenario& design, const Catalog& catalog) {
    const auto started = startedBy(design, catalog);
    double commands = 0;
    for (const auto& one : started)
        commands += one.copies;
    if (commands > kMostCommands)
        throwInvalid("nodes",
                     "it has " + exactText(commands) + " copies to start, more than " +
                         exactText(kMostCommands),
                     "Take the manifest for Kubernetes, or fewer copies");
    auto text = "#!/bin/sh\n" + commentOf(design.name + ": " + design.model.name);
    int port = kFirstPort;
    for (const auto& one : started) {
        text += "\n" + commentOf(one.node->id.value + ": " + placeOf(one)) + remarksOf(design, one);
        if (one.machines > 1)
            text += commentOf("On each of " + exactText(one.machines) +
                              " machines; RANK is its number from 0, HEAD the address of the first.");
        for (double copy = 0; copy < one.copies; ++copy)
            text += commandOf(one, port++) + (commands > 1 ? " &\n" : "\n");
    }
    return text + (commands > 1 ? "wait\n" : "");
}

std::string launchManifest(const Scenario& design, const Catalog& catalog) {
    std::string text;
    for (const auto& one : startedBy(design, catalog)) {
        if (one.machines > 1)
            throwInvalid("nodes." + one.node->id.value,
                         "a copy of it needs " + exactText(one.machines) +
                             " machines, and a deployment starts one",
                         "Take the script for a shell, or fewer devices a copy");
        std::string options;
        auto line = one.line;
        line.values[F::Port] = std::to_string(kFirstPort);
        const auto arguments = launchArguments(line, "/options/options.yaml", options);
        auto name = design.model.id + "-" + one.node->id.value;
        for (auto& c : name) // as names are there
            c = std::isalnum(static_cast<unsigned char>(c))
                    ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
                    : '-';
        if (!options.empty()) {
            text += "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name +
                    "\ndata:\n  options.yaml: |\n";
            for (std::size_t begin = 0; begin < options.size();) {
                const auto end = options.find('\n', begin);
                text += "    " + options.substr(begin, end - begin) + "\n";
                begin = end + 1;
            }
            text += "---\n";
        }
        text += commentOf(placeOf(one)) + remarksOf(design, one);
        text += "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: " + name +
                "\nspec:\n  replicas: " + exactText(one.copies) +
                "\n  selector:\n    matchLabels:\n      app: " + name +
                "\n  template:\n    metadata:\n      labels:\n        app: " + name +
                "\n    spec:\n      containers:\n        - name: server\n          image: " +
                std::string(line.software->image) + ":latest " +
                commentOf("take one of " + one.node->server->software) + "          command:\n";
        const auto add = [&](const std::string& word) { text += "            - " + yamlText(word) + "\n"; };
        const ShellText command(std::string(line.software->command), "command");
        for (const auto& word : command.commands().front())
            add(word);
        add(line.text(F::Model));
        text += "          args:\n";
        for (const auto& argument : arguments)
            add(argument);
        text += "          ports:\n            - containerPort: " + std::to_string(kFirstPort) +
                "\n          resources:\n            limits:\n              nvidia.com/gpu: " +
                exactText(one.devices) +
                "\n          volumeMounts:\n            - name: shm\n              mountPath: /dev/shm\n";
        if (!options.empty())
            text += "            - name: options\n              mountPath: /options\n";
        text += "      volumes:\n        - name: shm\n          emptyDir:\n            medium: Memory\n";
        if (!options.empty())
            text += "        - name: options\n          configMap:\n            name: " + name + "\n";
        text += "---\napiVersion: v1\nkind: Service\nmetadata:\n  name: " + name +
                "\nspec:\n  selector:\n    app: " + name +
                "\n  ports:\n    - port: " + std::to_string(kFirstPort) + "\n---\n";
    }
    return text.substr(0, text.size() - 4); // without the last mark
}

namespace {

// --- to a design

/// The model that a line names: by its repository, else the longest id or name of one that stands in it.
const Model& modelOf(const GpuServers& servers, const std::string& name, const std::string& where) {
    const auto& catalog = servers.catalog();
    for (const auto& model : catalog.models)
        if ((!name.empty() && isSameInAnyCase(model.repository, name)) || model.id == name ||
            isSameInAnyCase(model.name, name))
            return model;
    auto bare = name;
    while (bare.ends_with('/'))
        bare.pop_back();
    const auto letters = lettersOf(bare.substr(bare.rfind('/') == bare.npos ? 0 : bare.rfind('/') + 1));
    const Model* best = nullptr;
    std::size_t most = 0;
    const auto take = [&](const Model& model, const std::string& called) {
        if (called.size() > most && letters.find(called) != letters.npos) {
            best = &model;
            most = called.size();
        }
    };
    for (const auto& model : catalog.models) {
        take(model, lettersOf(model.id));
        take(model, lettersOf(model.name));
        take(model, lettersOf(model.repository.substr(model.repository.find('/') + 1)));
    }
    if (letters.find("distill") == letters.npos) {
        if (best)
            return *best;
        try {
            return catalog.model(servers.recipes().model(bare).model, where);
        } catch (const Error&) { // said below
        }
    }
    throw Error(ErrorCode::NotFound, where, "no model of the catalogue is \"" + name.substr(0, 120) + "\"",
                "Say which it is by its id, or import its config.json");
}

/// The format of the weights: as an option asks, else as the name says, else as the checkpoint has them.
std::string formatOf(const LaunchLine& line, const Model& model) {
    const auto asked = line.text(F::Quantization);
    const auto name = lowered(line.text(F::Model));
    const auto says = [&](std::initializer_list<const char*> marks) {
        return std::ranges::any_of(marks, [&](const char* mark) { return name.find(mark) != name.npos; });
    };
    if (asked == "nvfp4" || says({"nvfp4", "-fp4"}))
        return "fp4";
    if (asked == "int4" || says({"awq", "gptq", "int4", "w4a16"}))
        return "int4_g128";
    if (asked == "int8" || says({"w8a8", "int8"}))
        return "int8";
    if (asked == "fp8" || says({"fp8"}))
        return "fp8";
    const auto own = model.weights ? model.weights->of(ModelPart::Dense).id : std::string_view();
    return own.starts_with("fp8") ? "fp8" : own == "nvfp4" ? "fp4" : "bf16";
}

ServedWorkers workersOf(const LaunchLine& line, const Model& model, const std::string& where) {
    const auto number = [&](LaunchField field) { return line.number(field).value_or(1); };
    ServedWorkers workers;
    auto& layout = workers.layout;
    layout.tp = number(F::Tensor);
    layout.pp = number(F::Pipeline);
    const double data = number(F::Data);
    if (line.isOn(F::DataAttention)) {
        layout.dp = line.software->find(F::Data) ? data : layout.tp;
        layout.tp /= layout.dp;
    } else if (line.software->find(F::DataAttention) || !model.isMixture()) {
        workers.count = data;
    } else {
        layout.dp = data;
    }
    const double ranks = layout.tp * layout.dp;
    const auto* expert = line.software->find(F::Expert);
    if (model.isMixture() && line.values.contains(F::Expert))
        layout.expertEp = expert->isSwitch ? (line.isOn(F::Expert) ? ranks : 1) : number(F::Expert);
    layout.expertTp = ranks / layout.expertEp;
    for (const double each :
         {layout.tp, layout.dp, layout.pp, layout.expertEp, layout.expertTp, workers.count})
        if (each != std::floor(each))
            throwInvalid(where,
                         "its parallel ranks do not divide: " + exactText(ranks) + " ranks, experts over " +
                             exactText(layout.expertEp),
                         "Take numbers that divide each other");
    return workers;
}

/// What two lines of copies have alike.
LaunchLine withoutPlace(LaunchLine line) {
    for (const auto field : {F::Port, F::Rank, F::Head, F::Nodes})
        line.values.erase(field);
    return line;
}

} // namespace

Scenario launchedDesign(const GpuServers& servers, const std::string& text, const std::string& where,
                        const LaunchSurroundings& surroundings, std::vector<std::string>& leftAside) {
    struct Group {
        LaunchLine line;
        double copies = 0;
    };
    std::vector<Group> groups;
    for (const auto& read : readLaunchLines(text, where)) {
        if (read.values.contains(F::Rank) && read.text(F::Rank) != "0" &&
            !read.text(F::Rank).starts_with("$"))
            continue; // it joins another
        const auto line = withoutPlace(read);
        for (const auto& words : line.leftAside)
            if (std::ranges::find(leftAside, words) == leftAside.end())
                leftAside.push_back(words);
        const auto same = std::ranges::find_if(groups, [&](const Group& group) {
            return group.line.software == line.software && group.line.values == line.values;
        });
        if (same == groups.end())
            groups.push_back({line, 1});
        else
            ++same->copies;
    }
    const auto find = [&](const char* role) {
        return std::ranges::find_if(groups,
                                    [&](const Group& group) { return group.line.text(F::Role) == role; });
    };
    const auto prefill = find("prefill"), decode = find("decode");
    const bool apart = prefill != groups.end() && decode != groups.end();
    if (groups.size() != (apart ? 2U : 1U))
        throwInvalid(where, "it starts servers of " + std::to_string(groups.size()) + " kinds",
                     "Give those of one kind, or of prompts and of decodes apart");
    const auto& main = apart ? decode->line : groups.front().line;
    const auto& model = surroundings.model.empty() ? modelOf(servers, main.text(F::Model), where)
                                                   : servers.catalog().model(surroundings.model, "model");
    RecipeLabels labels;
    labels.model = model.id;
    labels.device = surroundings.device;
    labels.backend = std::string(main.software->server);
    labels.precision = labels.denseFormat = labels.expertFormat = formatOf(main, model);
    labels.script = "none"; // the server's own defaults, and what the line says
    labels.mode = apart ? "disagg" : "agg";
    labels.isl = surroundings.prompt;
    labels.osl = surroundings.output;
    labels.users = surroundings.users;
    auto workers = workersOf(main, model, where);
    auto plan = servers.plan(labels, workers.layout);
    plan.source = "launch line";
    plan.workers.count = workers.count * (apart ? decode->copies : groups.front().copies);
    if (apart) {
        plan.prefill = workersOf(prefill->line, model, where);
        plan.prefill->count *= prefill->copies;
        plan.prefill->layout.bigDomain = plan.workers.layout.bigDomain;
    }
    auto& recipe = plan.recipe;
    recipe.sequences = main.number(F::Sequences).value_or(recipe.sequences);
    recipe.budget = (apart ? prefill->line : main).number(F::Budget).value_or(recipe.budget);
    recipe.memory.share = main.number(F::MemoryShare).value_or(recipe.memory.share);
    recipe.formats.cacheBytes = main.text(F::Cache) == "fp8" ? 1 : 2;
    plan.drafts = main.values.contains(F::Drafts);
    auto design = servedScenario(servers, plan);
    if (plan.drafts)
        design.techniques[speculation()].quantity(kGuesses) = {*main.number(F::Drafts), Provenance::User,
                                                               "launch line"};
    if (const auto draft = main.text(F::Draft); !draft.empty() && main.text(F::Method) == "draft")
        design.draft = modelOf(servers, draft, where);
    return design;
}

} // namespace heteroscape::engine

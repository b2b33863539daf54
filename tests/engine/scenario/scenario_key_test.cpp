// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/scenario_key.h"

#include "engine/claims/claims.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/parameters.h"
#include "engine/scenario/scenario_json.h"
#include "engine/units/number_text.h"
#include "tests/engine/fixtures.h"
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// Designs of all papers: every timing model, kind of device, kind of link and technique is in one of them.
constexpr std::array kPresets{
    "glitches/a100-7u280",     "glitches/8u280",          "preserve/llama3-70b-4npu-measured",
    "preserve/llama3-405b-32", "inf2/opt-30b-a100-16csd", "inf2/opt-30b-a100-uvm"};

/// The file of a design without what is words alone: two designs are one to the evaluation where these are
/// the same. Made from the file, so that it knows nothing of keys.
void dropWords(Json& json, const std::string& parent) {
    if (json.is_array())
        for (auto& item : json)
            dropWords(item, parent);
    if (!json.is_object())
        return;
    if (json.contains("value") && json["value"].is_number()) {
        json = Json(json["value"]);
        return;
    }
    for (const auto* key :
         {"name", "about", "repository", "vendor", "ports", "more_ports", "x", "y", "own", "devices"})
        json.erase(key);
    if (parent == "device" || parent == "runtime" || parent == "model" || parent == "workload" ||
        parent == "type")
        json.erase("id");
    if (parent == "device")
        json.erase("runtime"); // what a freshly placed one gets
    if (parent == "type")
        json.erase("memory_channel"); // what it may join
    if (json.contains("replicas") && json["replicas"] == json["count"])
        json.erase("replicas");
    for (auto& [key, value] : json.items())
        dropWords(value, key);
}

/// A parameter of arrivals that are not chosen, which says nothing.
bool isOfOtherArrivals(const Scenario& scenario, std::string_view key) {
    const auto batching = batchingKinds().all();
    return scenario.serving.arrivals->indexOf(key) < 0 &&
           std::none_of(batching.begin(), batching.end(),
                        [&](const BatchingKind* kind) { return kind->indexOf(key) >= 0; });
}

Json plain(const Scenario& scenario) {
    auto json = writeScenario(scenario);
    if (!scenario.serving.isSimulated())
        json.erase("serving");
    else
        for (const auto& parameter : servingParameters())
            if (isOfOtherArrivals(scenario, parameter.spec.key))
                json["serving"].erase(std::string(parameter.spec.key));
    dropWords(json, {});
    return json;
}

/// Another value that the parameter may have, as text.
std::string anotherNumber(const Parameter& parameter, const std::string& now) {
    const auto& spec = parameter.spec;
    const double value = now.empty() ? spec.minimum : std::stod(now);
    double other = spec.integer ? value + 1.0 : value * 1.25 + 0.001;
    if (other > spec.maximum)
        other = spec.integer ? value - 1.0 : value * 0.75;
    return exactText(other);
}

std::vector<std::string> otherTexts(const Scenario& scenario, const Parameter& parameter) {
    const auto now = parameterText(scenario, parameter);
    if (parameter.kind == ParameterKind::Number)
        return {anotherNumber(parameter, now)};
    if (parameter.kind == ParameterKind::Boolean)
        return {now == "true" ? "false" : "true"};
    std::vector<std::string> others;
    for (const auto& choice : parameter.choices)
        if (choice != now && choice != "trace") // which needs a file
            others.push_back(choice);
    return others;
}

/// Checks every other text of every parameter; how many there were.
std::size_t checkAllParameters(const Scenario& base) {
    const auto key = scenarioKey(base);
    const auto words = plain(base);
    std::size_t checked = 0;
    for (const auto& parameter : listParameters(base, catalog()))
        for (const auto& text : otherTexts(base, parameter)) {
            CAPTURE(parameter.path);
            CAPTURE(text);
            const auto edited = with(base, parameter.path, text);
            const bool same = plain(edited) == words;
            CHECK((scenarioKey(edited) == key) == same);
            // Choices may be the same under another name; nothing else may, but for requests of nobody.
            const bool counts =
                !parameter.path.starts_with("serving.") ||
                (base.serving.isSimulated() &&
                 (parameter.path.ends_with("_limit_s") || !isOfOtherArrivals(base, parameter.spec.key)));
            if (parameter.kind != ParameterKind::Choice && counts && !parameter.path.ends_with(".replicas"))
                CHECK_FALSE(same);
            ++checked;
        }
    return checked;
}

/// "Allowed: a, b" of an error.
std::vector<std::string> allowedIn(const std::string& message) {
    std::vector<std::string> names;
    const auto start = message.find("Allowed");
    if (start == std::string::npos)
        return names;
    std::string name;
    for (const char c : message.substr(message.find(": ", start) + 2) + ",")
        if (c == ',') {
            names.push_back(std::exchange(name, {}));
        } else if (c != ' ') {
            name += c;
        }
    return names;
}

/// Every switch and every name of an enum that the JSON of `part` can have, one after the other. `key` gives
/// the key of a design with the part. Found by what the reader says is allowed, so that what is added later
/// is in it.
template <class Read, class Write, class Key>
void checkNames(const Json& part, const std::set<std::string>& words, Read read, Write write, Key key,
                std::set<std::string>& all, std::set<std::string>& seen) {
    auto odd = part;
    odd["no_such_key"] = 1;
    const auto base = read(part);
    for (const auto& name : allowedIn(errorOf([&] { read(odd); }))) {
        auto edited = part;
        edited[name] = Json::array(); // neither a number, nor a name, nor a switch
        std::string message;
        try {
            read(edited);
        } catch (const Error& error) {
            message = error.what();
        }
        std::vector<Json> values;
        if (message.find("true or false") != std::string::npos) {
            values = {true, false};
        } else if (message.find("expected a string") != std::string::npos && !words.contains(name)) {
            edited[name] = "no_such_name";
            for (const auto& allowed : allowedIn(errorOf([&] { read(edited); })))
                values.emplace_back(allowed);
        }
        if (values.empty())
            continue;
        all.insert(name);
        for (const auto& value : values) {
            edited[name] = value;
            try {
                const auto other = read(edited);
                if (write(other) == write(base))
                    continue;
                CAPTURE(name);
                CAPTURE(value.dump());
                CHECK(key(other) != key(base));
                seen.insert(name);
            } catch (const Error&) { // not together with the rest of this part; with another one's
            }
        }
    }
}

} // namespace

TEST_CASE("key: every parameter, switch and choice of a design demands another one") {
    std::size_t checked = 0, turn = 0;
    for (const auto* id : kPresets) {
        CAPTURE(id);
        checked += checkAllParameters(preset(id));
        if (turn++ % stride() == 0)
            checked += checkAllParameters(presetWith(id, {{"serving.arrivals", "poisson"}}));
    }
    CHECK(checked > 1500);
}

TEST_CASE("key: every switch and enum of a runtime demands another one") {
    std::set<std::string> all, seen;
    for (const auto* id : kPresets)
        for (const auto& node : preset(id).nodes) {
            if (!node.runtime)
                continue;
            auto scenario = preset(id);
            checkNames(
                writeRuntime(*node.runtime), {"id", "name", "about", "source", "kind"},
                [](const Json& json) { return readRuntime(json, "r"); }, writeRuntime,
                [&](const Runtime& runtime) {
                    scenario.findNode(node.id)->runtime = runtime;
                    return scenarioKey(scenario);
                },
                all, seen);
        }
    CHECK(all.size() >= 5);
    CHECK(seen == all);
}

namespace {

/// Checks every kind in a place of a runtime, and everything that each can be told.
template <class Part, class Kinds>
void checkKinds(const Kinds& kinds, Part Runtime::*part) {
    auto scenario = preset("glitches/a100-7u280");
    auto& place = (*scenario.findNode({"gpu"})->runtime).*part;
    std::set<std::string> keys;
    std::size_t tried = 0;
    const auto checkNew = [&] {
        CHECK(keys.insert(scenarioKey(scenario)).second);
        ++tried;
    };
    for (const auto* kind : kinds.all()) {
        CAPTURE(kind->id());
        place = Part(*kind);
        checkNew();
        for (std::size_t i = 0; i < kind->parameters().size(); ++i) {
            place = Part(*kind);
            place.settings.quantity(i).value = 0.123;
            checkNew();
        }
        for (std::size_t i = 0; i < kind->options().size(); ++i) {
            place = Part(*kind);
            place.settings.switchOn(i, !place.settings.isOn(i));
            checkNew();
        }
    }
    CHECK(tried > kinds.size());
}

} // namespace

TEST_CASE("key: every timing model and every way of offloading demands another one, and all it is told") {
    checkKinds(timingKinds(), &Runtime::prefill);
    checkKinds(timingKinds(), &Runtime::decode);
    checkKinds(offloadKinds(), &Runtime::offload);
    auto scenario = preset("glitches/a100-7u280"); // the phases are told apart
    auto& runtime = *scenario.findNode({"gpu"})->runtime;
    runtime.prefill = Timing(*timingKinds().all()[0]);
    runtime.decode = Timing(*timingKinds().all()[1]);
    const auto key = scenarioKey(scenario);
    std::swap(runtime.prefill, runtime.decode);
    CHECK(scenarioKey(scenario) != key);
}

TEST_CASE("key: every switch and enum of a device demands another one") {
    std::set<std::string> all, seen;
    auto scenario = preset("inf2/opt-30b-a100-16csd");
    for (auto& node : scenario.nodes) {
        const auto before = node.device;
        checkNames(
            writeDevice(before), {"id", "name", "about", "source", "kind", "vendor", "runtime", "kernels"},
            [](const Json& json) { return readDevice(json, "d"); }, writeDevice,
            [&](const Device& device) {
                node.device = device;
                return scenarioKey(scenario);
            },
            all, seen);
        node.device = before;
    }
    CHECK(all == std::set<std::string>{"type"});
    CHECK(seen == all);
}

TEST_CASE("key: a runtime that does not run on its device is another design") {
    auto scenario = preset("glitches/a100-7u280");
    const auto key = scenarioKey(scenario);
    scenario.findNode({"gpu"})->runtime->kinds = {DeviceKind::Fpga};
    CHECK(scenarioKey(scenario) != key);
}

TEST_CASE("key: which nodes and links there are, their ids, order and ends count") {
    const auto base = preset("glitches/a100-7u280");
    REQUIRE(base.nodes.size() >= 3);
    REQUIRE(base.links.size() >= 2);
    std::set<std::string> keys{scenarioKey(base)};
    const auto isNew = [&](const auto& change) {
        auto scenario = base;
        change(scenario);
        return keys.insert(scenarioKey(scenario)).second;
    };
    CHECK(isNew([](Scenario& s) { s.nodes.pop_back(); }));
    CHECK(isNew([](Scenario& s) { s.nodes.front().id.value += "2"; }));
    CHECK(isNew([](Scenario& s) { std::swap(s.nodes[0], s.nodes[1]); }));
    CHECK(isNew([](Scenario& s) { s.findNode({"gpu"})->runtime.reset(); }));
    CHECK(isNew([](Scenario& s) { s.links.pop_back(); }));
    CHECK(isNew([](Scenario& s) { s.links.front().id.value += "2"; }));
    CHECK(isNew([](Scenario& s) { std::swap(s.links[0], s.links[1]); }));
    CHECK(isNew([](Scenario& s) { std::swap(s.links[0].from, s.links[0].to); }));
    CHECK(isNew([](Scenario& s) {
        s.links[0].from = s.links[1].from == s.links[0].from ? s.links[1].to : s.links[1].from;
    }));
    CHECK(isNew([](Scenario& s) { s.links[0].to.value += "2"; }));
}

TEST_CASE("key: names, words, positions and sources do not count") {
    for (const auto* id : kPresets) {
        CAPTURE(id);
        const auto base = preset(id);
        auto moved = base;
        moved.name = moved.about = "other";
        moved.model.id = moved.model.name = moved.model.about = "other";
        moved.workload.id = moved.workload.name = "other";
        for (auto& node : moved.nodes) {
            node.name = "other";
            node.position = {17.0, 4.0};
            node.device.id = node.device.name = node.device.about = node.device.vendor = "other";
            node.device.ports = node.device.morePorts = {"other"};
            node.device.runtime = "other";
            if (node.runtime)
                node.runtime->id = node.runtime->name = node.runtime->about = "other";
        }
        for (auto& link : moved.links)
            link.type.id = link.type.name = "other";
        for (const auto& parameter : listParameters(base, catalog())) {
            if (parameter.kind != ParameterKind::Number)
                continue;
            auto& quantity = resolveQuantity(moved, parameter.path).access(moved);
            quantity.source = "elsewhere";
            quantity.provenance = Provenance::Assumed;
            quantity.uncertainty = 0.25;
        }
        moved.own.devices.push_back(base.nodes.front().device);
        CHECK_FALSE(moved == base);
        CHECK(scenarioKey(moved) == scenarioKey(base));
    }
}

TEST_CASE("key: 16 bytes; -0 is 0") {
    auto scenario = preset("glitches/a100-7u280");
    CHECK(scenarioKey(scenario).size() == 16);
    scenario.links.front().type.latency.value = 0.0;
    const auto key = scenarioKey(scenario);
    scenario.links.front().type.latency.value = -0.0;
    CHECK(scenarioKey(scenario) == key);
}

namespace {

/// A device as a later version may have it.
struct LaterDevice : Device {
    Quantity novelty;
};

std::vector<Field<LaterDevice>> laterFields() {
    std::vector<Field<LaterDevice>> fields;
    for (const auto& field : deviceFields())
        fields.push_back({field.spec, field.member});
    fields.insert(fields.begin() + 5,
                  {{"novelty", "Novelty", "", 1, 0, 1, false, false, "New."}, &LaterDevice::novelty});
    return fields;
}

template <class T>
std::string bytesOf(const T& object, std::span<const Field<T>> fields) {
    std::string bytes;
    FieldKeys<T>(fields).append(bytes, object);
    return bytes;
}

const std::array<KindParameter, 2> kToyParameters{{
    {{"height", "Height", "m", 1, 0, 9, false, true, "How high."}, 2.0},
    {{"width", "Width", "m", 1, 0, 9, false, true, "How wide."}, 3.0},
}};
const std::array<KindParameter, 3> kLaterParameters{{
    {{"depth", "Depth", "m", 1, 0, 9, false, false, "How deep."}},
    kToyParameters[1],
    kToyParameters[0],
}};
const std::array<KindOption, 1> kToyOptions{{{"round", "Round", "Without corners.", true}}};
const std::array<KindOption, 2> kLaterOptions{
    {{"hollow", "Hollow", "Nothing inside.", false}, kToyOptions[0]}};

struct Toy : Kind {
    Toy(std::span<const KindParameter> parameters, std::span<const KindOption> options)
        : Kind("toy", "Toy", "For a test."), m_parameters(parameters), m_options(options) {}
    std::span<const KindParameter> parameters() const override { return m_parameters; }
    std::span<const KindOption> options() const override { return m_options; }

    std::span<const KindParameter> m_parameters;
    std::span<const KindOption> m_options;
};

std::string bytesOf(const Kind& kind, const Settings& settings, bool off = false) {
    std::string bytes;
    appendSettings(bytes, kind, settings, "technique", off);
    return bytes;
}

} // namespace

TEST_CASE("key: a property that is new and not set leaves it alone, wherever its row stands") {
    LaterDevice later;
    static_cast<Device&>(later) = preset("glitches/a100-7u280").nodes.front().device;
    const auto fields = laterFields();
    const auto before = bytesOf<Device>(later, deviceFields());
    CHECK_FALSE(before.empty());
    CHECK(bytesOf<LaterDevice>(later, fields) == before);
    auto reversed = fields;
    std::reverse(reversed.begin(), reversed.end());
    CHECK(bytesOf<LaterDevice>(later, reversed) == before);
    later.novelty.value = 0.5;
    CHECK(bytesOf<LaterDevice>(later, fields) != before);
}

TEST_CASE("key: settings of a kind count by name, new ones that are not set leave it alone") {
    const Toy toy(kToyParameters, kToyOptions), later(kLaterParameters, kLaterOptions);
    const Settings settings(toy);
    Settings more(later);
    CHECK(bytesOf(later, more) == bytesOf(toy, settings));
    more.quantity(0).value = 1.0;
    CHECK(bytesOf(later, more) != bytesOf(toy, settings));
    more = Settings(later);
    more.switchOn(0, true);
    CHECK(bytesOf(later, more) != bytesOf(toy, settings));
    for (std::size_t i = 0; i < toy.parameters().size(); ++i)
        for (const bool off : {false, true}) {
            auto other = settings;
            other.quantity(i).value += 1.0;
            CHECK(bytesOf(toy, other, off) != bytesOf(toy, settings, off));
        }
    auto other = settings;
    other.switchOn(0, false);
    CHECK(bytesOf(toy, other) != bytesOf(toy, settings));
    // One that is off and as it was made is not there at all.
    CHECK(bytesOf(toy, settings, true).empty());
    CHECK_FALSE(bytesOf(toy, settings).empty());
}

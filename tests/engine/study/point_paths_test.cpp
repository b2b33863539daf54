// SPDX-License-Identifier: GPL-3.0-or-later
// A point has one answer, whoever asks and in whatever order: evaluated by itself, swept alone, forwards and
// backwards, and searched; over all parameters of all shipped designs and of random ones, alone and in pairs.
// And the answer survives being saved, whatever the digits of its numbers.
#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/simulate.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/scenario_json.h"
#include "engine/search/search_method.h"
#include "engine/study/point_validity.h"
#include "engine/study_run/evaluate_study.h"
#include "engine/units/number_text.h"
#include "tests/engine/fixtures.h"
#include "tests/engine/random_edits.h"

#include <algorithm>
#include <bit>
#include <random>
#include <set>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// What an answer says, as bits: whether it runs, then every metric.
using Answer = std::vector<std::uint64_t>;

std::uint64_t bitsOfValue(double value) {
    return std::bit_cast<std::uint64_t>(std::isfinite(value) ? value : kUnset);
}

Answer answerOf(const Evaluation& evaluation) {
    Answer answer{evaluation.feasible ? 1U : 0U};
    for (const auto& spec : metricSpecs())
        answer.push_back(bitsOfValue(toEdge(evaluation.metric(spec.metric), spec.scale)));
    return answer;
}

/// The answer to a design asked by itself.
Answer answerTo(const Scenario& design) {
    auto evaluation = evaluate(design, Detail::Metrics);
    if (!hasErrors(validate(design)))
        simulateInto(design, evaluation);
    return answerOf(evaluation);
}

Answer answerAt(const StudyTable& table, std::size_t row) {
    Answer answer{table.find("feasible")->at(row) != 0.0 ? 1U : 0U};
    for (const auto& spec : metricSpecs())
        answer.push_back(bitsOfValue(table.find(std::string(spec.key))->at(row)));
    return answer;
}

/// The design at a point, set as a person does: choices first.
Scenario designAt(const Study& study, std::size_t ordinal) {
    auto scenario = *study.base;
    std::vector<std::size_t> positions(study.axes.size());
    for (std::size_t i = study.axes.size(); i-- > 0;) {
        positions[i] = ordinal % study.axes[i].values.size();
        ordinal /= study.axes[i].values.size();
    }
    for (const bool choices : {true, false})
        for (std::size_t i = 0; i < study.axes.size(); ++i)
            if (const auto& axis = study.axes[i]; axis.isChoice() == choices)
                applyEdit(scenario, choices
                                        ? axis.edits[positions[i]]
                                        : setEdit(scenario, catalog(), axis.path, axis.text(positions[i])));
    return scenario;
}

Study reversed(Study study) {
    for (auto& axis : study.axes) {
        if (axis.isChoice()) {
            std::reverse(axis.names.begin(), axis.names.end());
            std::reverse(axis.edits.begin(), axis.edits.end());
        } else {
            std::reverse(axis.values.begin(), axis.values.end());
        }
    }
    return study;
}

Study alone(Study study, std::size_t ordinal) {
    for (std::size_t i = study.axes.size(); i-- > 0;) {
        auto& axis = study.axes[i];
        const auto at = ordinal % axis.values.size();
        ordinal /= axis.values.size();
        axis.values = {axis.isChoice() ? 0.0 : axis.values[at]};
        if (axis.isChoice()) {
            axis.names = {axis.names[at]};
            axis.edits = {axis.edits[at]};
        }
    }
    return study;
}

/// Every way to ask says the same.
void checkPaths(const Study& study) {
    std::string axes;
    for (const auto& axis : study.axes) {
        axes += " --axis " + axis.path + "=";
        for (std::size_t i = 0; i < axis.values.size(); ++i)
            axes += (i == 0 ? "" : ",") + axis.text(i);
    }
    CAPTURE(axes);
    const auto count = study.pointCount();
    const auto forwards = evaluateStudy(study);
    const auto backwards = evaluateStudy(reversed(study));
    const auto goal = isSimulatedStudy(study) ? Metric::ServedThroughput : Metric::Throughput;
    const SearchProblem problem{study, {{std::string(metricSpec(goal).key)}}};
    const SearchSpace space(problem);
    SearchWalker walker(problem, space, {});
    for (std::size_t i = 0; i < count; ++i) {
        CAPTURE(i);
        const auto answer = answerTo(designAt(study, i));
        CHECK(answerAt(forwards, i) == answer);
        CHECK(answerAt(backwards, count - 1 - i) == answer);
        CHECK(answerAt(evaluateStudy(alone(study, i)), 0) == answer);
        const auto& found = walker.at(space.placeOf(i));
        CHECK(found.runs == (answer[0] != 0));
        if (found.runs)
            CHECK(bitsOfValue(found.goals[0]) == answer[1 + static_cast<std::size_t>(goal)]);
    }
}

/// Some values of a parameter; none where it has no two.
std::optional<Axis> axisOver(const Scenario& base, const Parameter& parameter, std::mt19937& random) {
    Axis axis{parameter.path, {}};
    if (parameter.kind == ParameterKind::Number) {
        const auto& spec = parameter.spec;
        const double own =
            shownValue(resolveQuantity(base, parameter.path).in(base).valueOr(8 * spec.scale), spec.scale);
        std::set<double> values;
        for (const double value : {own, own / 2, own * 2, 1.0, 2.0, 8.0, 16.0, 72.0})
            values.insert(
                std::clamp(spec.integer ? std::round(value) : cleaned(value), spec.minimum, spec.maximum));
        axis.values.assign(values.begin(), values.end());
        std::shuffle(axis.values.begin(), axis.values.end(), random);
        axis.values.resize(std::min<std::size_t>(axis.values.size(), 3));
        return axis;
    }
    try {
        axis = parseAxis(base, catalog(), parameter.path + "=*");
    } catch (const Error&) {
        return std::nullopt; // nothing can be chosen
    }
    while (axis.names.size() > 3) {
        const auto one = static_cast<std::ptrdiff_t>(random() % axis.names.size());
        axis.names.erase(axis.names.begin() + one);
        axis.edits.erase(axis.edits.begin() + one);
        axis.values.pop_back();
    }
    return axis;
}

/// Whether it can be swept at all.
bool isStudy(const Study& study) {
    try {
        checkStudy(study);
        return true;
    } catch (const Error&) {
        return false;
    }
}

Study studyOver(const Scenario& base, const std::vector<std::string>& texts) {
    Study study{"points", base, {}};
    for (const auto& text : texts)
        study.axes.push_back(parseAxis(study.base, catalog(), text));
    return study;
}

} // namespace

TEST_CASE("points: an answer does not hang on the order of an axis, nor on who asks") {
    const std::pair<const char*, std::vector<std::string>> cases[] = {
        {"inf2/opt-175b-8a100", {"workload.batch=8,16"}},
        {"inf2/opt-175b-8a100", {"workload.batch=16,8"}},
        {"served/deepseek-v3-gb300-nvl72", {"links.gpu-nvswitch.domain=18,72"}},
        {"served/deepseek-v3-gb300-nvl72", {"links.gpu-nvswitch.domain=72,18"}},
        {"served/deepseek-v3-8h200-tp8", {"nodes.gpu.runtime.weight_bits=16"}},
        {"served/deepseek-v3-8h200-tp8", {"workload.batch=16,32", "nodes.gpu.runtime.weight_bits=16,8"}},
        {"served/llama3-1-405b-16h100-tp8-pp2", {"nodes.gpu.runtime.weight_bits=16,8,4"}},
        {"served/llama3-1-405b-16h100-tp8-pp2",
         {"nodes.gpu.runtime.activation_bits=16,8", "nodes.gpu.runtime.weight_bits=16,8,4"}},
    };
    for (const auto& [id, texts] : cases) {
        CAPTURE(id);
        checkPaths(studyOver(preset(id), texts));
    }
}

namespace {

/// Asks every way over some parameters at once; false where they cannot be swept together.
bool checkTogether(const Scenario& base, const std::vector<const Parameter*>& over, std::mt19937& random) {
    Study study{"points", base, {}};
    for (const auto* parameter : over)
        if (auto axis = axisOver(base, *parameter, random))
            study.axes.push_back(std::move(*axis));
    if (study.axes.size() != over.size() || !isStudy(study))
        return false;
    checkPaths(study);
    return true;
}

/// The same over pairs that are drawn; how many could be swept.
int checkPairs(const Scenario& base, const std::vector<Parameter>& parameters, int pairs,
               std::mt19937& random) {
    int tried = 0;
    for (int pair = 0; pair < pairs; ++pair) {
        const auto first = random() % parameters.size();
        const auto second = random() % parameters.size();
        tried += first != second && checkTogether(base, {&parameters[first], &parameters[second]}, random);
    }
    return tried;
}

/// So few requests that a simulation is quick.
Scenario withFewRequests(Scenario design) {
    for (const auto& [key, most] : {std::pair{"requests", 24.0}, std::pair{"users", 6.0}}) {
        auto& quantity = design.serving[key];
        quantity.value = std::min(quantity.valueOr(most), most);
    }
    return design;
}

/// A shipped design after edits of every kind, arrivals and batching drawn from all there are, of which it
/// keeps those that leave it one that can be asked.
Scenario editedDesign(const std::string& id, std::uint32_t seed) {
    RandomEdits edits(catalog(), seed);
    auto design = withFewRequests(preset(id));
    for (auto count = 4 + edits.below(12); count > 0; --count) {
        auto other = design;
        try {
            if (edits.chance(0.1)) {
                other.serving.arrivals = arrivalKinds().all()[edits.below(arrivalKinds().all().size())];
                other.serving.batching = batchingKinds().all()[edits.below(batchingKinds().all().size())];
            } else {
                applyEdit(other, edits.next(other, other.nodes.size() + 1));
            }
        } catch (const Error&) {
            continue; // edits as people and files ask for them
        }
        other = withFewRequests(std::move(other));
        if (!hasErrors(validate(other)))
            design = std::move(other);
    }
    return design;
}

} // namespace

TEST_CASE("points: every parameter of every shipped design, alone and in pairs, has one answer a point") {
    std::mt19937 random(11);
    std::size_t tried = 0;
    const auto presets = listPresets(catalog());
    for (std::size_t p = 0; p < presets.size(); ++p) {
        const auto base = withFewRequests(preset(presets[p].id));
        CAPTURE(presets[p].id);
        const auto parameters = listParameters(base, catalog());
        for (auto i = p % stride(); i < parameters.size(); i += stride())
            tried += checkTogether(base, {&parameters[i]}, random);
        tried += static_cast<std::size_t>(checkPairs(base, parameters, rounds(20, 1), random));
    }
    CHECK(tried > presets.size());
}

TEST_CASE("points: parameters of random designs, alone and in pairs, have one answer a point") {
    std::mt19937 random(12);
    int tried = 0, edited = 0, simulated = 0;
    const auto presets = listPresets(catalog());
    for (int trial = 0; trial < rounds(400); ++trial) {
        const auto& id = presets[random() % presets.size()].id;
        const auto seed = static_cast<std::uint32_t>(random());
        CAPTURE(id);
        CAPTURE(seed);
        const auto base = editedDesign(id, seed);
        if (hasErrors(validate(base)))
            continue;
        edited += base != preset(id);
        simulated += base.serving.isSimulated();
        const auto parameters = listParameters(base, catalog());
        for (int one = 0; one < 2; ++one)
            tried += checkTogether(base, {&parameters[random() % parameters.size()]}, random);
        tried += checkPairs(base, parameters, 2, random);
    }
    CHECK(edited > scaled(300));
    CHECK(simulated > scaled(50));
    CHECK(tried > scaled(600));
}

TEST_CASE("points: what is saved and opened again is the same to the last bit, whatever its digits") {
    std::mt19937_64 random(5);
    std::size_t numbers = 0;
    for (const auto& info : listPresets(catalog())) {
        CAPTURE(info.id);
        auto scenario = preset(info.id);
        for (const auto& parameter : listParameters(scenario, catalog())) {
            const auto& spec = parameter.spec;
            if (parameter.kind != ParameterKind::Number || spec.integer)
                continue;
            const auto quantity = resolveQuantity(scenario, parameter.path).in(scenario);
            if (!quantity.isSet())
                continue;
            const double own = toEdge(quantity.value, spec.scale);
            const double odd = own * (1.0 + static_cast<double>(random() % 1000003) * 1e-9);
            if (!(odd >= spec.minimum && odd <= spec.maximum))
                continue;
            try {
                applyEdit(scenario, setEdit(scenario, catalog(), parameter.path, exactText(odd)));
                ++numbers;
            } catch (const Error&) { // shares of a whole, which do not fit beside each other any more
            }
        }
        const auto text = writeScenario(scenario).dump();
        const auto opened = readScenario(parseJson(text, "saved"), catalog(), "saved");
        for (const auto& parameter : listParameters(scenario, catalog()))
            if (parameter.kind == ParameterKind::Number) {
                const auto access = resolveQuantity(scenario, parameter.path);
                CAPTURE(parameter.path);
                CHECK(bitsOfValue(access.in(opened).value) == bitsOfValue(access.in(scenario).value));
            }
        CHECK(scenarioKeyBytes(opened) == scenarioKeyBytes(scenario));
        if (!scenario.serving.isSimulated())
            CHECK(answerOf(evaluate(opened)) == answerOf(evaluate(scenario)));
    }
    CHECK(numbers > 1000);
}

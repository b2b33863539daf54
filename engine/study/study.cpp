// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/study.h"

#include "engine/base/error.h"
#include "engine/evaluation/step_cache.h"
#include "engine/scenario/layout_choices.h"
#include "engine/units/number_text.h"

#include "engine/study/study_table.h"
#include <algorithm>
#include <limits>
#include <utility>

namespace heteroscape::engine {

namespace {

void checkDistinct(const Axis& axis) {
    auto sorted = axis.values;
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
        throwInvalid(axis.path, exactText(*twice) + " is given twice", "Give each value once");
}

void checkChoices(const Scenario& base, const Axis& axis, bool isList) {
    auto sorted = axis.names;
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
        throwInvalid(axis.path, *twice + " is given twice", "Give each choice once");
    if (axis.edits.size() != axis.names.size() || (axis.values.size() != axis.names.size() && !isList))
        throwInvalid(axis.path, "the choices are not resolved", "Read the axis against a catalogue");
    for (std::size_t i = 0; isList && i < axis.values.size(); ++i)
        if (!(axis.values[i] >= 0.0 && axis.values[i] < static_cast<double>(axis.names.size())))
            throwInvalid(axis.path, "a value is no position among its names", "Read the list from text");
    if (isPointPath(axis.path)) // whole designs: they fit
        return;
    auto scenario = base;
    for (const auto& edit : axis.edits)
        applyEdit(scenario, edit); // throws where it does not fit
}

/// The node whose device and runtime a choice replaces as a whole; empty for any other axis.
std::string replacedPart(const Axis& axis) {
    if (!axis.isChoice() || !axis.path.starts_with("nodes.") || axis.path.ends_with(".role") ||
        isLayoutPath(axis.path) || isWorkersPath(axis.path))
        return {};
    return axis.path.substr(0, axis.path.find('.', 6));
}

/// A choice may replace a part by one without a property that another axis sets: a host has no runtime.
void checkTogether(const Study& study) {
    for (const auto& choice : study.axes)
        for (std::size_t k = 0; k < choice.edits.size() && !isPointPath(choice.path); ++k) {
            auto scenario = *study.base;
            applyEdit(scenario, choice.edits[k]);
            for (const auto& axis : study.axes) {
                if (axis.isChoice())
                    continue;
                try {
                    resolveQuantity(scenario, axis.path);
                } catch (const Error&) {
                    throwInvalid(axis.path,
                                 "cannot be swept together with " + choice.path + "=" + choice.names[k],
                                 "That choice has no such property: leave one of them out");
                }
            }
        }
}

/// A layout is of so many devices, and its degrees are of it; workers are so many copies, each laid out as it
/// is.
void checkLayouts(const std::vector<Axis>& axes) {
    for (const auto& axis : axes) {
        const bool laysOut = isLayoutPath(axis.path);
        if (!laysOut && !isWorkersPath(axis.path))
            continue;
        const auto node = axis.path.substr(0, axis.path.rfind('.') + 1);
        for (const auto& other : axes) {
            bool takes = other.path == node + "count" || other.path == node + "replicas" ||
                         (!laysOut && other.path == node + "layout");
            for (const auto& degree : layoutDegrees())
                takes |= laysOut && other.path == node + std::string(degree.key);
            if (takes)
                throwInvalid(other.path, "cannot be swept together with " + axis.path,
                             laysOut
                                 ? "A layout sets the replicas and degrees of so many devices: leave one of "
                                   "them out"
                                 : "Workers set count and replicas of a layout: leave one of them out");
        }
    }
}

} // namespace

std::string Axis::text(std::size_t position) const {
    return isChoice() ? names.at(choice(position)) : exactText(values.at(position));
}

void resolveChoices(Axis& axis, const Scenario& base, const Catalog& catalog) {
    if (isPointPath(axis.path)) {
        axis.edits = pointEdits(base, catalog, axis.path, axis.names);
        return;
    }
    axis.edits.clear();
    if (isLayoutPath(axis.path)) // however they were written: results know one spelling
        for (auto& name : axis.names)
            name = layoutWords(parseLayout(name, axis.path));
    for (const auto& name : axis.names)
        axis.edits.push_back(setEdit(base, catalog, axis.path, name));
}

bool sweepsSystems(const std::vector<Axis>& axes) {
    return std::any_of(axes.begin(), axes.end(),
                       [](const Axis& axis) { return axis.path == "system" || isPointPath(axis.path); });
}

bool isSimulatedStudy(const Study& study) {
    return study.base->serving.isSimulated() ||
           std::any_of(study.axes.begin(), study.axes.end(), [](const Axis& axis) {
               return axis.path == "serving.arrivals" || isPointPath(axis.path);
           });
}

std::size_t Study::pointCount() const {
    if (isList)
        return axes.empty() ? 0 : axes.front().values.size();
    std::size_t count = 1;
    for (const auto& axis : axes) {
        const auto length = axis.values.size();
        if (length != 0 && count > std::numeric_limits<std::size_t>::max() / length)
            return std::numeric_limits<std::size_t>::max();
        count *= length;
    }
    return count;
}

ResolvedQuantity resolveAxis(const Scenario& scenario, const std::string& path) {
    // Without a catalogue its choices are not known, but that it is one.
    const auto kind = findParameter(scenario, {}, path).kind;
    if (kind != ParameterKind::Number)
        throwInvalid(path,
                     kind == ParameterKind::Boolean ? "a switch, not a number" : "a choice, not a number",
                     "Sweep it by names: path=a,b");
    return resolveQuantity(scenario, path);
}

void checkAxes(const Study& study) {
    if (study.axes.size() > kMaxAxes)
        throwInvalid("axes", std::to_string(study.axes.size()) + " axes", "Give at most 8");
    if (study.nodeMetrics.size() > kMaxNodeMetrics)
        throwInvalid("metrics", std::to_string(study.nodeMetrics.size()) + " metrics of nodes",
                     "Give at most " + std::to_string(kMaxNodeMetrics));
    if (study.name.size() > kMaxNameBytes)
        throwInvalid("name", "the name of the study is longer than 64 KiB", "Give it a shorter one");
    if (study.isList && (study.axes.size() < 2 || study.pointCount() < 2))
        throwInvalid("points", "a list of one axis or one point", "Make it a grid");
    for (std::size_t i = 0; i < study.axes.size(); ++i) {
        const auto& axis = study.axes[i];
        if (study.isList && axis.values.size() != study.pointCount())
            throwInvalid(axis.path, "not as many values as points", "Give one for each point");
        for (std::size_t j = 0; j < i; ++j) {
            if (study.axes[j].path == axis.path)
                throwInvalid(axis.path, "swept by two axes", "Put all its values into one");
            if (const auto part = replacedPart(axis); !part.empty() && part == replacedPart(study.axes[j]))
                throwInvalid(axis.path, "cannot be swept together with " + study.axes[j].path,
                             "Each would take the other's choice back: use two studies");
        }
        if (axis.isChoice()) {
            checkChoices(study.base, axis, study.isList);
            continue;
        }
        const auto spec = resolveAxis(study.base, axis.path).spec;
        if (axis.values.empty())
            throwInvalid(axis.path, "the axis has no values", "Give at least one");
        if (axis.values.size() > kMaxAxisValues)
            throwInvalid(axis.path, "more than 1,000,000 values", "Use a larger step");
        for (const double value : axis.values)
            checkRange(spec, value, axis.path);
        if (!study.isList)
            checkDistinct(axis);
    }
    if (sweepsSystems(study.axes))
        for (const auto& axis : study.axes)
            for (const auto* part : {"nodes.", "links.", "techniques."})
                if (axis.path.starts_with(part))
                    throwInvalid(axis.path, "cannot be swept together with system",
                                 "Each system has its own parts: leave one of the axes out");
    checkLayouts(study.axes);
    checkTogether(study);
}

void checkStudy(const Study& study) {
    checkAxes(study);
    if (study.pointCount() > kMaxStudyPoints)
        throwInvalid("axes", "more than 10,000,000 points", "Use larger steps or fewer axes");
}

namespace {

std::string_view labelOf(const Scenario& scenario, const std::string& path) {
    return findParameter(scenario, {}, path).spec.label;
}

} // namespace

std::string axisLabel(const Scenario& scenario, const std::string& path) {
    const auto label = labelOf(scenario, path);
    const auto first = path.find('.');
    const auto id = path.substr(first + 1, path.find('.', first + 1) - first - 1);
    if (path.starts_with("nodes."))
        return propertyOf(scenario.findNode(NodeId{id})->shownName(), label);
    if (path.starts_with("links."))
        return propertyOf(scenario.findLink(LinkId{id})->type.name, label);
    return std::string(label);
}

namespace {

/// The largest number: nothing is kept, as no two points are alike.
constexpr auto kNeverAgain = std::numeric_limits<std::uint64_t>::max();

} // namespace

PointSetter::PointSetter(const Study& study)
    : m_nodes(study.base->nodes.size()), m_keys((1 + kPhaseCount) * m_nodes),
      m_firstKeys(m_keys.size(), kNeverAgain), m_scenario(study.base) {
    auto slots = std::make_shared<std::vector<Slot>>(study.axes.size());
    std::vector<std::uint64_t> weights(m_keys.size(), 1); // of the next axis that reaches each node
    std::size_t stride = 1;
    for (std::size_t i = study.axes.size(); i-- > 0;) {
        const auto& axis = study.axes[i];
        auto& slot = (*slots)[i];
        slot.stride = stride;
        slot.length = axis.values.size();
        if (axis.isChoice()) {
            slot.edits = axis.edits;
            for (std::size_t k = 0; k < slot.length; ++k)
                slot.values.push_back(static_cast<double>(axis.choice(k)));
        } else {
            auto resolved = resolveAxis(study.base, axis.path);
            slot.access = std::move(resolved.access);
            slot.values.reserve(slot.length);
            for (const double value : axis.values)
                slot.values.push_back(value * resolved.spec.scale);
        }
        if (!study.isList)
            stride *= slot.length;
        const auto reach = stepReach(study.base, axis.path);
        if (reach.of == StepReach::Of::Nothing)
            continue;
        slot.weights.assign(m_keys.size(), 0);
        for (std::size_t key = 0; key < m_keys.size(); ++key)
            if (key < m_nodes ? reach.reaches(key)
                              : reach.reachesGraph((key - m_nodes) / kPhaseCount,
                                                   static_cast<Phase>((key - m_nodes) % kPhaseCount)))
                // In a list the place of a point stands for all of its values.
                slot.weights[key] =
                    std::exchange(weights[key], study.isList ? 0 : weights[key] * slot.length);
    }
    // What every axis reaches has no two points alike; in a list what any of them does.
    for (std::size_t key = 0; key < m_keys.size(); ++key) {
        const auto isFree = [&](const Slot& slot) { return slot.weights.empty() || slot.weights[key] == 0; };
        const bool repeats = study.isList ? std::all_of(slots->begin(), slots->end(), isFree)
                                          : std::any_of(slots->begin(), slots->end(), [&](const Slot& slot) {
                                                return slot.length > 1 && isFree(slot);
                                            });
        if (repeats)
            m_firstKeys[key] = 0;
    }
    m_isList = study.isList;
    m_changesSystem = sweepsSystems(study.axes);
    m_positions.assign(slots->size(), 0);
    m_chosen.assign(slots->size(), kNone); // of a number for ever
    m_inverses.resize(slots->size());
    m_slots = std::move(slots);
}

/// Finds the positions of a point, and returns the first axis that is at another one than before.
std::size_t PointSetter::move(std::size_t ordinal) {
    const auto& slots = *m_slots;
    const bool next = m_ordinal != kNone && ordinal == m_ordinal + 1;
    m_ordinal = ordinal;
    std::size_t first = slots.size();
    if (next && !m_isList) {
        for (auto i = slots.size(); i-- > 0;) {
            first = i;
            if (++m_positions[i] < slots[i].length)
                break;
            m_positions[i] = 0;
        }
        return first;
    }
    for (auto i = slots.size(); i-- > 0;) {
        const auto position = ordinal / slots[i].stride % slots[i].length;
        if (std::exchange(m_positions[i], position) != position)
            first = i;
    }
    return first;
}

void PointSetter::choose() {
    const auto positionOf = [&](std::size_t slot) {
        const auto& one = (*m_slots)[slot];
        return one.edits.empty() ? kNone : static_cast<std::size_t>(one.values[m_positions[slot]]);
    };
    std::size_t first = 0;
    while (first < m_slots->size() && positionOf(first) == m_chosen[first])
        ++first;
    if (first == m_slots->size())
        return;
    m_places.values.clear(); // numbers may lie elsewhere
    // Back to before it: a choice can change more than its own, as a device does the role of its node.
    for (auto i = m_slots->size(); i-- > first;) {
        m_chosen[i] = kNone;
        if (const auto inverse = std::exchange(m_inverses[i], std::nullopt))
            applyEdit(m_scenario, *inverse);
    }
    for (auto i = first; i < m_slots->size(); ++i)
        if (const auto position = positionOf(i); position != kNone) {
            m_inverses[i] = applyEdit(m_scenario, (*m_slots)[i].edits[position]);
            m_chosen[i] = position;
        }
}

void PointSetter::setKeys() {
    std::copy(m_firstKeys.begin(), m_firstKeys.end(), m_keys.begin());
    for (std::size_t i = 0; i < m_slots->size(); ++i) {
        const auto& weights = (*m_slots)[i].weights;
        for (std::size_t key = 0; key < weights.size(); ++key)
            if (m_keys[key] != kNeverAgain)
                m_keys[key] += m_positions[i] * weights[key];
    }
}

const Scenario& PointSetter::at(std::size_t ordinal) {
    if (ordinal == m_ordinal && !m_places.values.empty())
        return m_scenario;
    const auto& slots = *m_slots;
    auto first = move(ordinal);
    choose();
    if (m_places.values.empty()) {
        for (const auto& slot : slots) {
            auto* quantity = slot.edits.empty() ? &slot.access(m_scenario) : nullptr;
            if (quantity)
                quantity->provenance = Provenance::User; // as an edit sets it
            m_places.values.push_back(quantity ? &quantity->value : nullptr);
        }
        first = 0;
    }
    bool keys = first == 0;
    for (auto i = first; i < slots.size(); ++i) {
        keys |= !slots[i].weights.empty();
        if (slots[i].edits.empty())
            *m_places.values[i] = slots[i].values[m_positions[i]];
    }
    if (keys)
        setKeys();
    return m_scenario;
}

void PointSetter::coordinates(const std::vector<Axis>& axes, std::size_t ordinal, std::vector<double>& out,
                              bool isList) {
    out.resize(axes.size());
    for (std::size_t i = axes.size(); i-- > 0;) {
        const auto length = axes[i].values.size();
        out[i] = axes[i].values[ordinal % length];
        if (!isList)
            ordinal /= length;
    }
}

double StudyColumn::at(std::size_t row) const {
    return values.empty() ? std::numeric_limits<double>::quiet_NaN() : values[row];
}

std::string StudyColumn::text(double value) const {
    if (!isChoice() || !(value >= 0 && value < static_cast<double>(names.size())))
        return exactText(value);
    return names[static_cast<std::size_t>(value)];
}

const StudyColumn* StudyTable::find(const std::string& name) const {
    const auto it =
        std::find_if(columns.begin(), columns.end(), [&](const auto& c) { return c.name == name; });
    return it == columns.end() ? nullptr : &*it;
}

} // namespace heteroscape::engine

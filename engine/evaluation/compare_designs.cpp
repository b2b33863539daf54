// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/compare_designs.h"

#include "engine/evaluation/evaluate.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/node_fields.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace heteroscape::engine {

namespace {

constexpr Metric kCompared[] = {
    Metric::Throughput,     Metric::TimeToFirstToken, Metric::TimePerToken, Metric::Latency,
    Metric::EnergyPerToken, Metric::CostPerToken,     Metric::Power,        Metric::Price};

std::vector<double> figures(std::span<const Evaluation> evaluations, Metric metric) {
    std::vector<double> values;
    for (const auto& evaluation : evaluations)
        values.push_back(evaluation.feasible ? evaluation.metric(metric) : kUnset);
    return values;
}

std::vector<Evaluation> evaluated(std::span<const Scenario> designs) {
    std::vector<Evaluation> evaluations;
    for (const auto& design : designs)
        evaluations.push_back(evaluate(design));
    return evaluations;
}

} // namespace

bool isNoResult(Truth truth, Metric metric, double ratio) {
    constexpr double kWithin = 1.5;
    const auto unit = metricSpec(metric).unit; // a time, a rate, or what is told per token
    const bool ofSpeed = unit.ends_with("s") || unit.find("tok") != unit.npos;
    return truth == Truth::Class && ofSpeed && ratio < kWithin && ratio > 1.0 / kWithin;
}

bool ComparedDesigns::saysNothing(const ComparedMetric& metric, std::size_t design) const {
    return design > 0 && isNoResult(alike.value_or(*std::min_element(truths.begin(), truths.end())),
                                    metric.metric, metric.held()[design] / metric.held().front());
}

ComparedDesigns compareDesigns(std::span<const Scenario> designs, const Catalog& catalog) {
    ComparedDesigns compared;
    Truths truths;
    for (const auto& design : designs) {
        compared.truths.push_back(truthOf(design));
        truths.add(compared.truths.back());
    }
    const auto own = evaluated(designs);
    std::vector<Evaluation> alike;
    if (truths.areMixed()) {
        const auto edits = likeForLike(designs, catalog);
        compared.unlike = edits.empty();
        std::vector<Scenario> made(designs.begin(), designs.end());
        for (std::size_t i = 0; i < edits.size(); ++i)
            applyEdit(made[i], edits[i]);
        if (!edits.empty()) {
            compared.alike = truthOf(made.front());
            alike = evaluated(made);
        }
    }
    for (const auto metric : kCompared)
        compared.metrics.push_back({metric, figures(own, metric), figures(alike, metric)});
    return compared;
}

namespace {

constexpr std::array<std::string_view, 8> kGroupLabels{"System",   "Links",      "Model",    "Workload",
                                                       "Requests", "Techniques", "Runtimes", "Cost"};

std::string quantityText(const Quantity& quantity, const FieldSpec& spec) {
    return quantity.isSet() ? exactText(shownValue(quantity.value, spec.scale)) : std::string();
}

/// What stands in one place of several designs: a node or link each, or nothing.
template <class T>
struct Slot {
    std::vector<const T*> parts;
    explicit Slot(std::size_t designs) : parts(designs, nullptr) {}
    /// The first design that has it.
    std::size_t first() const {
        return static_cast<std::size_t>(
            std::find_if(parts.begin(), parts.end(), [](const T* part) { return part != nullptr; }) -
            parts.begin());
    }
    const T& any() const { return *parts[first()]; }
};

/// Puts the parts of all designs into slots: each rule in turn matches what the ones before left over.
template <class T>
std::vector<Slot<T>>
matched(std::span<const Scenario> designs, std::vector<T> Scenario::*list,
        const std::vector<std::function<bool(std::size_t, const T&, const Slot<T>&)>>& rules) {
    std::vector<Slot<T>> slots;
    for (std::size_t d = 0; d < designs.size(); ++d) {
        std::vector<const T*> left;
        for (const auto& part : designs[d].*list)
            left.push_back(&part);
        const auto before = slots.size(); // parts of one design never match each other
        for (const auto& rule : rules)
            std::erase_if(left, [&](const T* part) {
                for (std::size_t s = 0; s < before; ++s)
                    if (!slots[s].parts[d] && rule(d, *part, slots[s])) {
                        slots[s].parts[d] = part;
                        return true;
                    }
                return false;
            });
        for (const auto* part : left) {
            slots.emplace_back(designs.size());
            slots.back().parts[d] = part;
        }
    }
    return slots;
}

class PropertyRows {
public:
    explicit PropertyRows(std::span<const Scenario> designs) : m_designs(designs) {}

    std::vector<PropertyComparison> rows() {
        nodes();
        links();
        demand();
        techniques();
        std::stable_sort(m_rows.begin(), m_rows.end(),
                         [](const auto& a, const auto& b) { return a.group < b.group; });
        return std::move(m_rows);
    }

private:
    std::span<const Scenario> m_designs;
    std::vector<PropertyComparison> m_rows;

    /// `text(design)`; a row that no design fills is left out.
    template <class Text>
    void row(PropertyGroup group, const std::string& subject, std::string_view label, std::string_view unit,
             Text text) {
        PropertyComparison added{group, subject, std::string(label), std::string(unit), {}, false};
        bool any = false;
        for (std::size_t d = 0; d < m_designs.size(); ++d) {
            added.values.push_back(text(d));
            any = any || !added.values.back().empty();
            added.differs = added.differs || added.values.back() != added.values.front();
        }
        if (any)
            m_rows.push_back(std::move(added));
    }

    /// Rows of all fields of T; `part(design)` may be null.
    template <class T, class Part>
    void fields(PropertyGroup group, const std::string& subject, std::span<const Field<T>> fields,
                Part part) {
        for (const auto& field : fields)
            row(group, subject, field.spec.label, field.spec.unit, [&](std::size_t d) {
                const T* object = part(d);
                return object ? quantityText(object->*field.member, field.spec) : std::string();
            });
    }

    void nodes() {
        using Rule = std::function<bool(std::size_t, const Node&, const Slot<Node>&)>;
        const auto role = [this](const Slot<Node>& slot) {
            return effectiveRole(m_designs[slot.first()], slot.any());
        };
        const std::vector<Rule> rules{[](std::size_t, const Node& node, const Slot<Node>& slot) {
                                          return slot.any().id == node.id &&
                                                 slot.any().device.kind == node.device.kind;
                                      },
                                      [&](std::size_t d, const Node& node, const Slot<Node>& slot) {
                                          return slot.any().device.id == node.device.id &&
                                                 role(slot) == effectiveRole(m_designs[d], node);
                                      },
                                      [&](std::size_t d, const Node& node, const Slot<Node>& slot) {
                                          return slot.any().device.kind == node.device.kind &&
                                                 role(slot) == effectiveRole(m_designs[d], node);
                                      }};
        for (const auto& slot : matched<Node>(m_designs, &Scenario::nodes, rules))
            node(slot);
    }

    void node(const Slot<Node>& slot) {
        const auto& subject = slot.any().shownName();
        const auto group = PropertyGroup::System;
        const auto at = [&](std::size_t d) { return slot.parts[d]; };
        row(group, subject, "Device", "",
            [&](std::size_t d) { return at(d) ? at(d)->device.name : std::string("not there"); });
        row(group, subject, "Role", "", [&](std::size_t d) {
            return at(d) ? std::string(roleName(shownRole(m_designs[d], *at(d)))) : std::string();
        });
        fields<Node>(group, subject, nodeFields(), at);
        if (std::find(slot.parts.begin(), slot.parts.end(), nullptr) != slot.parts.end())
            return; // the rest of a node that others lack says nothing about a difference
        fields<Device>(group, subject, deviceFields(),
                       [&](std::size_t d) { return at(d) ? &at(d)->device : nullptr; });
        runtime(slot, subject);
        const auto server = [&](std::size_t d) {
            return slot.parts[d] && slot.parts[d]->server ? &*slot.parts[d]->server : nullptr;
        };
        row(PropertyGroup::Runtimes, subject, "Server", "",
            [&](std::size_t d) { return server(d) ? server(d)->name : std::string("none"); });
        fields<Server>(PropertyGroup::Runtimes, subject, serverFields(), server);
    }

    void runtime(const Slot<Node>& slot, const std::string& subject) {
        const auto at = [&](std::size_t d) -> const Runtime* {
            return slot.parts[d] && slot.parts[d]->runtime ? &*slot.parts[d]->runtime : nullptr;
        };
        const auto text = [&](std::string_view label, auto read) {
            row(PropertyGroup::Runtimes, subject, label, "",
                [&](std::size_t d) { return at(d) ? std::string(read(*at(d))) : std::string(); });
        };
        const auto yes = [](bool on) { return on ? "yes" : "no"; };
        text("Runtime", [](const Runtime& r) { return r.name; });
        text("Timing of prefill", [](const Runtime& r) { return r.prefill.kind->label(); });
        text("Timing of decode", [](const Runtime& r) { return r.decode.kind->label(); });
        text("Operators",
             [](const Runtime& r) { return operatorStyleNames()[static_cast<std::size_t>(r.operators)]; });
        text("Allreduce", [](const Runtime& r) {
            return allReduceConventionNames()[static_cast<std::size_t>(r.allReduce)];
        });
        text("Offloading",
             [](const Runtime& r) { return r.offload ? r.offload.kind->label() : std::string_view("none"); });
        text("Constants of kernels",
             [](const Runtime& r) { return r.ownKernels ? r.ownKernels->text() : std::string(); });
        text("Merges loads", [&](const Runtime& r) { return yes(r.mergesLoads); });
        text("Attention near storage", [&](const Runtime& r) { return yes(r.nearStorage); });
        text("Keeps whole scores", [&](const Runtime& r) { return yes(r.holdsScores); });
        quantities(slot, subject);
    }

    /// Quantities of the runtimes, their timing models and what they offload, by their paths.
    void quantities(const Slot<Node>& slot, const std::string& subject) {
        std::vector<std::map<std::string, std::string>> texts(m_designs.size());
        std::vector<std::pair<std::string, FieldSpec>> order;
        for (std::size_t d = 0; d < m_designs.size(); ++d) {
            if (!slot.parts[d] || !slot.parts[d]->runtime)
                continue;
            for (const auto& known : runtimeQuantities(*slot.parts[d]->runtime)) {
                if (std::none_of(order.begin(), order.end(),
                                 [&](const auto& at) { return at.first == known.path; }))
                    order.emplace_back(known.path, known.spec);
                texts[d][known.path] = quantityText(*known.quantity, known.spec);
            }
        }
        for (const auto& entry : order)
            row(PropertyGroup::Runtimes, subject, entry.second.label, entry.second.unit, [&](std::size_t d) {
                const auto at = texts[d].find(entry.first);
                return at == texts[d].end() ? std::string() : at->second;
            });
    }

    /// What a link joins, as its nodes are called.
    static std::string joined(const Scenario& design, const Link& link) {
        std::vector<std::string> names;
        for (const auto& node : design.nodes)
            if (node.id == link.from || node.id == link.to)
                names.push_back(node.shownName());
        std::sort(names.begin(), names.end());
        return names.size() == 2 ? names[0] + " \u2013 " + names[1] : std::string();
    }

    void links() {
        using Rule = std::function<bool(std::size_t, const Link&, const Slot<Link>&)>;
        const auto ends = [](const Link& link) { return std::minmax(link.from.value, link.to.value); };
        const std::vector<Rule> rules{
            [&](std::size_t, const Link& link, const Slot<Link>& slot) {
                return slot.any().id == link.id && ends(slot.any()) == ends(link);
            },
            [&](std::size_t, const Link& link, const Slot<Link>& slot) {
                return ends(slot.any()) == ends(link);
            },
            [&](std::size_t, const Link& link, const Slot<Link>& slot) { return slot.any().id == link.id; }};
        for (const auto& slot : matched<Link>(m_designs, &Scenario::links, rules)) {
            const auto& link = slot.any();
            const auto subject = link.from.value + " \u2013 " + link.to.value;
            row(PropertyGroup::Links, subject, "Type", "", [&](std::size_t d) {
                return slot.parts[d] ? slot.parts[d]->type.name : std::string("not there");
            });
            row(PropertyGroup::Links, subject, "Joins", "", [&](std::size_t d) {
                return slot.parts[d] ? joined(m_designs[d], *slot.parts[d]) : std::string();
            });
            if (std::find(slot.parts.begin(), slot.parts.end(), nullptr) == slot.parts.end())
                fields<LinkType>(PropertyGroup::Links, subject, linkTypeFields(),
                                 [&](std::size_t d) { return &slot.parts[d]->type; });
        }
    }

    void demand() {
        row(PropertyGroup::Model, {}, "Model", "", [&](std::size_t d) { return m_designs[d].model.name; });
        row(PropertyGroup::Model, {}, "Draft model", "",
            [&](std::size_t d) { return m_designs[d].draft ? m_designs[d].draft->name : std::string(); });
        fields<Model>(PropertyGroup::Model, {}, modelFields(),
                      [&](std::size_t d) { return &m_designs[d].model; });
        fields<Workload>(PropertyGroup::Workload, {}, workloadFields(),
                         [&](std::size_t d) { return &m_designs[d].workload; });
        row(PropertyGroup::Requests, {}, "Arrivals", "",
            [&](std::size_t d) { return std::string(m_designs[d].serving.arrivals->id()); });
        row(PropertyGroup::Requests, {}, "Batching", "",
            [&](std::size_t d) { return std::string(m_designs[d].serving.batching->id()); });
        row(PropertyGroup::Requests, {}, "Trace", "",
            [&](std::size_t d) { return m_designs[d].serving.trace.path; });
        const auto parameters = servingParameters();
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            const auto& spec = parameters[i].spec;
            row(PropertyGroup::Requests, {}, spec.label, spec.unit,
                [&](std::size_t d) { return quantityText(m_designs[d].serving.quantities[i], spec); });
        }
        fields<Serving>(PropertyGroup::Requests, {}, servingFields(),
                        [&](std::size_t d) { return &m_designs[d].serving; });
        fields<Economics>(PropertyGroup::Cost, {}, economicsFields(),
                          [&](std::size_t d) { return &m_designs[d].cost; });
    }

    void techniques() {
        const auto onOff = [](bool on) { return std::string(on ? "on" : "off"); };
        for (const auto* kind : techniqueKinds().all()) {
            const std::string subject(kind->label());
            const auto settings = [&](std::size_t d) -> const TechniqueSettings& {
                return m_designs[d].techniques[*kind];
            };
            row(PropertyGroup::Techniques, subject, "Switched", "",
                [&](std::size_t d) { return onOff(settings(d).enabled); });
            // What a technique is set to counts only where it is on.
            const auto options = kind->options();
            for (std::size_t i = 0; i < options.size(); ++i)
                row(PropertyGroup::Techniques, subject, options[i].label, "", [&](std::size_t d) {
                    return settings(d).enabled ? onOff(settings(d).isOn(i)) : std::string();
                });
            const auto parameters = kind->parameters();
            for (std::size_t i = 0; i < parameters.size(); ++i) {
                const auto& spec = parameters[i].spec;
                row(PropertyGroup::Techniques, subject, spec.label, spec.unit, [&](std::size_t d) {
                    return settings(d).enabled ? quantityText(settings(d).quantity(i), spec) : std::string();
                });
            }
        }
    }
};

} // namespace

std::string_view propertyGroupLabel(PropertyGroup group) {
    return kGroupLabels[static_cast<std::size_t>(group)];
}

std::vector<PropertyComparison> compareProperties(std::span<const Scenario> designs) {
    return designs.empty() ? std::vector<PropertyComparison>{} : PropertyRows(designs).rows();
}

} // namespace heteroscape::engine

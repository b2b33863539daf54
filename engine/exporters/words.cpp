// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/exporters/words.h"

#include "engine/catalog/attention_kind.h"
#include "engine/catalog/device.h"
#include "engine/catalog/link_type.h"
#include "engine/catalog/model.h"
#include "engine/catalog/runtime.h"
#include "engine/evaluation/metric.h"
#include "engine/scenario/node_fields.h"
#include "engine/scenario/parameters.h"
#include "engine/scenario/serving.h"
#include "engine/scenario/technique.h"
#include "engine/search/search_method.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace heteroscape::engine {

namespace {

std::string firstLarge(std::string_view text) {
    std::string large(text);
    large.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(large.front())));
    return large;
}

/// "From 0 to 1, whole."
std::string allowedText(const FieldSpec& spec) {
    if (!(spec.minimum < spec.maximum))
        return {};
    return "From " + exactText(spec.minimum) + " to " + exactText(spec.maximum) +
           (spec.integer ? ", whole." : ".");
}

class WordList {
public:
    /// Where the words that follow stand.
    void under(std::string_view page, std::string_view group) {
        m_page = page;
        m_group = group;
    }
    /// `owner` stands before the key in a path, `of` behind a label that another word has.
    void add(std::string_view owner, std::string_view of, const FieldSpec& spec) {
        std::vector<std::string> keys{std::string(spec.key)};
        if (!owner.empty())
            keys.insert(keys.begin(), std::string(owner).append(".").append(spec.key));
        auto told = std::string(spec.key).append("\n").append(spec.label).append("\n").append(spec.about);
        if (const auto known = std::find(m_told.begin(), m_told.end(), told); known != m_told.end()) {
            auto& shared = m_words[static_cast<std::size_t>(known - m_told.begin())].keys;
            shared.insert(shared.begin(), std::move(keys.front()));
            return;
        }
        std::string label(spec.label);
        if (std::any_of(m_words.begin(), m_words.end(),
                        [&](const Word& word) { return word.label == label; }))
            label.append(" (").append(of).append(")");
        m_words.push_back(
            {std::move(label), std::move(keys), std::string(spec.unit), std::string(spec.about)});
        auto& word = m_words.back();
        word.allowed = allowedText(spec);
        word.page = m_page;
        word.group = m_group.empty() ? word.label : m_group;
        m_told.push_back(std::move(told));
    }
    void add(std::string_view owner, std::string_view of, std::string_view key, std::string_view label,
             std::string_view about) {
        add(owner, of, FieldSpec{key, label, {}, 1.0, 0.0, 0.0, false, false, about});
    }

    template <class T>
    void addFields(std::string_view owner, std::string_view group, std::span<const Field<T>> fields) {
        under("parameters.md", group);
        for (const auto& field : fields)
            add(owner, owner, field.spec);
    }

    /// Under a heading of their own each, with what it is told; where there is `group` all under that.
    template <class K, class Label>
    void addKinds(std::string_view sort, std::string_view page, std::string_view group,
                  const Registry<K>& kinds, Label label) {
        under(page, group);
        for (const auto* kind : kinds.all())
            add(sort, sort, kind->id(), label(*kind), kind->about());
        for (const auto* kind : kinds.all()) {
            if (group.empty())
                under(page, labelOf(std::string(sort) + "." + std::string(kind->id())));
            const auto of = [&](std::string_view said) {
                return said.starts_with(kind->label()) ? sort : kind->label();
            };
            for (const auto& parameter : kind->parameters())
                add(kind->id(), of(parameter.spec.label), parameter.spec);
            for (const auto& option : kind->options())
                add(kind->id(), of(option.label), option.key, option.label, option.about);
        }
    }
    template <class K>
    void addKinds(std::string_view sort, std::string_view page, std::string_view group,
                  const Registry<K>& kinds) {
        addKinds(sort, page, group, kinds, [](const K& kind) { return kind.label(); });
    }

    void tellLast(std::string allowed) { m_words.back().allowed = std::move(allowed); }
    std::vector<Word> take() { return std::move(m_words); }

private:
    std::vector<Word> m_words;
    std::vector<std::string> m_told; ///< key, label and text of each, to know what kinds share
    std::string m_page, m_group;

    std::string labelOf(const std::string& key) const {
        for (const auto& word : m_words)
            if (std::find(word.keys.begin(), word.keys.end(), key) != word.keys.end())
                return word.label;
        return {};
    }
};

} // namespace

std::vector<Word> words() {
    WordList list;
    for (const auto& metric : metricSpecs()) {
        list.under("metrics.md", isSimulated(metric.metric)      ? "Of simulated requests"
                                 : isOfOffloading(metric.metric) ? "Of offloading"
                                                                 : "In steady state");
        list.add({}, "metric",
                 FieldSpec{metric.key, metric.label, metric.unit, 1.0, 0.0, 0.0, false, false, metric.about});
        if (metric.better != 0)
            list.tellLast(metric.better > 0 ? "More is better." : "Less is better.");
    }
    list.addFields("device", "Devices", deviceFields());
    list.addFields("model", "Models", modelFields());
    list.addFields("runtime", "Runtimes", runtimeFields());
    list.addFields("server", "Servers", serverFields());
    list.addFields("workload", "Workloads", workloadFields());
    list.addFields("link", "Links", linkTypeFields());
    list.addFields("node", "Nodes", nodeFields());
    list.addFields("serving", "Requests", servingFields());
    list.addFields("cost", "Cost", economicsFields());
    list.under("parameters.md", "Choices");
    for (const auto& choice : choiceSpecs())
        list.add({}, "choice", choice);
    list.addKinds("timing", "timing-models.md", {}, timingKinds());
    list.addKinds("offloading", "kinds.md", "Ways of offloading", offloadKinds());
    list.addKinds("runtime", "kinds.md", "Fixed times of runtimes", costKinds());
    list.addKinds("techniques", "techniques.md", {}, techniqueKinds());
    list.addKinds("arrivals", "kinds.md", "Arrivals", arrivalKinds());
    list.addKinds("batching", "kinds.md", "Ways to batch", batchingKinds(),
                  [](const BatchingKind& kind) { return firstLarge(kind.noun()); });
    list.addKinds("attention", "kinds.md", "Attention", attentionKinds());
    list.addKinds("search", "kinds.md", "Search methods", searchMethods());
    list.under("kinds.md", "Formats of weights");
    for (const auto& recipe : weightRecipes())
        list.add("weights", "weights", recipe.id, recipe.label, recipe.about);
    return list.take();
}

} // namespace heteroscape::engine

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

namespace heteroscape::engine {

namespace {

std::string firstLarge(std::string_view text) {
    std::string large(text);
    large.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(large.front())));
    return large;
}

class WordList {
public:
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
        m_told.push_back(std::move(told));
    }
    void add(std::string_view owner, std::string_view of, std::string_view key, std::string_view label,
             std::string_view about) {
        add(owner, of, FieldSpec{key, label, {}, 1.0, 0.0, 0.0, false, false, about});
    }

    template <class T>
    void addFields(std::string_view owner, std::span<const Field<T>> fields) {
        for (const auto& field : fields)
            add(owner, owner, field.spec);
    }

    template <class K, class Label>
    void addKinds(std::string_view sort, const Registry<K>& kinds, Label label) {
        for (const auto* kind : kinds.all())
            add(sort, sort, kind->id(), label(*kind), kind->about());
        for (const auto* kind : kinds.all()) {
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
    void addKinds(std::string_view sort, const Registry<K>& kinds) {
        addKinds(sort, kinds, [](const K& kind) { return kind.label(); });
    }

    std::vector<Word> take() { return std::move(m_words); }

private:
    std::vector<Word> m_words;
    std::vector<std::string> m_told; ///< key, label and text of each, to know what kinds share
};

} // namespace

std::vector<Word> words() {
    WordList list;
    for (const auto& metric : metricSpecs())
        list.add({}, "metric",
                 FieldSpec{metric.key, metric.label, metric.unit, 1.0, 0.0, 0.0, false, false, metric.about});
    list.addFields("device", deviceFields());
    list.addFields("model", modelFields());
    list.addFields("runtime", runtimeFields());
    list.addFields("server", serverFields());
    list.addFields("workload", workloadFields());
    list.addFields("link", linkTypeFields());
    list.addFields("node", nodeFields());
    list.addFields("serving", servingFields());
    list.addFields("cost", economicsFields());
    for (const auto& choice : choiceSpecs())
        list.add({}, "choice", choice);
    list.addKinds("timing", timingKinds());
    list.addKinds("offloading", offloadKinds());
    list.addKinds("runtime", costKinds());
    list.addKinds("techniques", techniqueKinds());
    list.addKinds("arrivals", arrivalKinds());
    list.addKinds("batching", batchingKinds(),
                  [](const BatchingKind& kind) { return firstLarge(kind.noun()); });
    list.addKinds("attention", attentionKinds());
    list.addKinds("search", searchMethods());
    for (const auto& recipe : weightRecipes())
        list.add("weights", "weights", recipe.id, recipe.label, recipe.about);
    return list.take();
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/exporters/words.h"

#include "engine/catalog/attention_kind.h"
#include "engine/catalog/device.h"
#include "engine/catalog/link_type.h"
#include "engine/catalog/model.h"
#include "engine/catalog/offload_kind.h"
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
    /// `owner` stands before the key in a path, `ownerLabel` behind a label that another word has.
    void add(std::string_view owner, std::string_view ownerLabel, const FieldSpec& spec) {
        auto keys = keysOf(owner, spec.key);
        for (std::size_t i = 0; i < m_specs.size(); ++i)
            if (m_specs[i].key == spec.key && m_specs[i].label == spec.label &&
                m_specs[i].about == spec.about) {
                m_words[i].keys.insert(m_words[i].keys.begin(), std::move(keys.front()));
                return;
            }
        add(std::string(spec.label), ownerLabel, std::move(keys), spec.unit, spec.about);
        m_specs.back() = spec;
    }

    template <class T>
    void addFields(std::string_view owner, std::span<const Field<T>> fields) {
        for (const auto& field : fields)
            add(owner, owner, field.spec);
    }

    /// `sort`: what they are, behind a label that another word has.
    template <class K, class Label>
    void addKinds(std::string_view sort, const Registry<K>& kinds, Label label) {
        for (const auto* kind : kinds.all())
            add(label(*kind), sort, {std::string(kind->id())}, {}, kind->about());
        for (const auto* kind : kinds.all()) {
            for (const auto& parameter : kind->parameters())
                add(kind->id(), kind->label(), parameter.spec);
            for (const auto& option : kind->options())
                add(std::string(option.label), kind->label(), keysOf(kind->id(), option.key), {},
                    option.about);
        }
    }
    template <class K>
    void addKinds(std::string_view sort, const Registry<K>& kinds) {
        addKinds(sort, kinds, [](const K& kind) { return std::string(kind.label()); });
    }

    void add(std::string label, std::string_view ownerLabel, std::vector<std::string> keys,
             std::string_view unit, std::string_view about) {
        if (std::any_of(m_words.begin(), m_words.end(),
                        [&](const Word& word) { return word.label == label; }))
            label.append(" (").append(ownerLabel).append(")");
        m_words.push_back({std::move(label), std::move(keys), std::string(unit), std::string(about)});
        m_specs.push_back({});
    }

    std::vector<Word> take() { return std::move(m_words); }

private:
    static std::vector<std::string> keysOf(std::string_view owner, std::string_view key) {
        if (owner.empty())
            return {std::string(key)};
        return {std::string(owner).append(".").append(key), std::string(key)};
    }

    std::vector<Word> m_words;
    std::vector<FieldSpec> m_specs; ///< parallel to the words; of what is no number: empty
};

} // namespace

std::vector<Word> words() {
    WordList list;
    for (const auto& metric : metricSpecs())
        list.add(std::string(metric.label), "metric", {std::string(metric.key)}, metric.unit, metric.about);
    list.addFields("device", deviceFields());
    list.addFields("model", modelFields());
    list.addFields("runtime", runtimeFields());
    list.addFields("workload", workloadFields());
    list.addFields("link", linkTypeFields());
    list.addFields("node", nodeFields());
    list.addFields("serving", servingFields());
    list.addFields("cost", economicsFields());
    for (const auto& choice : choiceSpecs())
        list.add({}, "choice", choice);
    list.addKinds("timing", timingKinds());
    list.addKinds("offloading", offloadKinds());
    list.addKinds("technique", techniqueKinds());
    list.addKinds("arrivals", arrivalKinds());
    list.addKinds("batching", batchingKinds(),
                  [](const BatchingKind& kind) { return firstLarge(kind.noun()); });
    list.addKinds("attention", attentionKinds());
    list.addKinds("search", searchMethods());
    for (const auto& recipe : weightRecipes())
        list.add(std::string(recipe.label), "weights", {std::string(recipe.id)}, {}, recipe.about);
    return list.take();
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/choice_name.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/evaluation/compare_designs.h"
#include "widgets/document/serving_view.h"
#include "widgets/theme/plain_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

namespace heteroscape::widgets {

namespace {

/// The first rows of what belongs together: where one differs, those after it follow from it.
constexpr std::array<std::string_view, 6> kNamingLabels{"Device",  "Type",     "Model",
                                                        "Runtime", "Switched", "Arrivals"};

bool isNaming(const engine::PropertyComparison& row) {
    return std::find(kNamingLabels.begin(), kNamingLabels.end(), row.label) != kNamingLabels.end();
}

std::vector<engine::PropertyComparison> decisiveRows(std::span<const engine::Scenario> designs) {
    std::vector<engine::PropertyComparison> rows;
    for (auto& row : engine::compareProperties(designs)) {
        const bool follows = std::any_of(rows.begin(), rows.end(), [&row](const auto& before) {
            return isNaming(before) && before.group == row.group && before.subject == row.subject;
        });
        if (row.differs && !follows)
            rows.push_back(std::move(row));
    }
    return rows;
}

/// "Batch" within a name, but "KV cache".
QString withinName(const std::string& label) {
    auto text = QString::fromStdString(label);
    if (text.size() > 1 && text[1].isLower())
        text[0] = text[0].toLower();
    return text;
}

QString partOf(const engine::PropertyComparison& row, std::size_t design) {
    const auto value = QString::fromStdString(row.values[design]);
    if (value.isEmpty())
        return {};
    if (row.group == engine::PropertyGroup::Techniques && isNaming(row))
        return QString::fromStdString(row.subject) + u' ' + value;
    if (isNaming(row))
        return value;
    return (withinName(row.label) + u' ' + value + u' ' + QString::fromStdString(row.unit)).trimmed();
}

} // namespace

std::vector<QString> differenceNames(std::span<const engine::Scenario> designs, std::size_t most) {
    std::vector<QString> texts(designs.size());
    const auto rows = decisiveRows(designs);
    if (rows.size() > most)
        return texts;
    for (std::size_t i = 0; i < designs.size(); ++i) {
        QStringList parts;
        for (const auto& row : rows)
            parts << partOf(row, i);
        parts.removeAll(QString());
        texts[i] = parts.join(QStringLiteral(", "));
    }
    return texts;
}

namespace {

struct ChoiceText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::Choice)
public:
    static constexpr Word<std::string_view> kRoles[]{
        {"both", QT_TR_NOOP("Prefill and decode")}, {"prefill", QT_TR_NOOP("Prefill")},
        {"decode", QT_TR_NOOP("Decode")},           {"attention", QT_TR_NOOP("Attention near storage")},
        {"storage", QT_TR_NOOP("Storage")},         {"fabric", QT_TR_NOOP("Carries data only")}};
};

template <class Entries>
QString nameIn(const Entries& entries, const std::string& id) {
    for (const auto& entry : entries)
        if (entry.id == id)
            return QString::fromStdString(entry.name.empty() ? entry.id : entry.name);
    return QString::fromStdString(id);
}

/// "8 × A100 (glitches)": a shipped design by its name and where it comes from. Names are read once, from any
/// thread.
QString systemName(const engine::Catalog& catalog, const std::string& id) {
    static std::mutex mutex;
    static std::map<std::string, QString> names;
    const std::lock_guard lock(mutex);
    const auto [entry, isNew] = names.try_emplace(catalog.folder + '/' + id, QString::fromStdString(id));
    if (isNew)
        try {
            const auto file = catalog.designFile(id, id);
            const auto design = engine::parseJson(engine::readFile(file), file);
            if (const auto name = design.find("name"); name != design.end() && name->is_string())
                entry->second =
                    QStringLiteral("%1 (%2)").arg(QString::fromStdString(name->get<std::string>()),
                                                  QString::fromStdString(id.substr(0, id.find('/'))));
        } catch (const engine::Error&) {
            // The axis itself says what is wrong with the design; its id names it.
        }
    return entry->second;
}

QString roleText(const std::string& role) {
    return ChoiceText::tr(lookUp(ChoiceText::kRoles, role, ChoiceText::kRoles[5].value));
}

QString allReduceText(const std::string& convention) {
    return convention == "ring" ? ChoiceText::tr("Ring: 2 (n \u2212 1) / n of the payload")
                                : ChoiceText::tr("Literal: the payload once");
}

/// "Poisson: at random".
template <class K>
QString kindName(const engine::Registry<K>& kinds, const std::string& id) {
    const auto* kind = kinds.find(id);
    return kind ? QStringLiteral("%1: %2").arg(words(kind->label()), words(kind->gist()))
                : QString::fromStdString(id);
}

} // namespace

QString choiceName(const engine::Catalog& catalog, const std::string& path, const std::string& id) {
    if (id == "true")
        return ChoiceText::tr("on");
    if (id == "false")
        return ChoiceText::tr("off");
    if (path == "model")
        return nameIn(catalog.models, id);
    if (path == "draft_model")
        return id == engine::kNoDraft ? ChoiceText::tr("Its own layers") : nameIn(catalog.models, id);
    if (path == "system")
        return systemName(catalog, id);
    if (path == "workload")
        return nameIn(catalog.workloads, id);
    if (engine::isPointPath(path) && !path.ends_with(".server"))
        return path.ends_with(".weights") && id.size() <= 4 ? QString::fromStdString(id).toUpper()
                                                            : QString::fromStdString(id);
    if (path.ends_with(".type"))
        return nameIn(catalog.linkTypes, id);
    if (path.ends_with(".role"))
        return roleText(id);
    if (path.ends_with(".allreduce"))
        return allReduceText(id);
    if (path == "serving.arrivals")
        return kindName(engine::arrivalKinds(), id);
    if (path == "serving.batching")
        return kindName(engine::batchingKinds(), id);
    if (path.ends_with(".server"))
        return id == engine::kNoServer ? ChoiceText::tr("None: kernels alone") : nameIn(catalog.servers, id);
    if (path.ends_with(".device"))
        return nameIn(catalog.devices, id);
    for (const auto& entry : catalog.runtimes)
        if (entry.base.id == id)
            return QString::fromStdString(entry.base.name);
    return QString::fromStdString(id);
}

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/card_extras.h"

#include "engine/units/number_text.h"
#include "widgets/canvas/node_problems.h"
#include "widgets/canvas/part_edits.h"

#include <QCoreApplication>

namespace heteroscape::widgets {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("CardExtras", text);
}

QString number(const engine::Figure& figure) {
    return QString::fromStdString(engine::plainText(figure.value));
}

QString withShare(const QString& name, const engine::Figure& share) {
    return share.isSet() ? tr("%1 %2").arg(name, percentText(share.value)) : name;
}

QString chipText(const engine::Techniques& techniques, std::string_view id) {
    if (id == "load_merging")
        return tr("Merge M=%1").arg(number(techniques.loadMerging.ratio));
    if (id == "gpu_assist")
        return tr("Assist");
    if (id == "attention_near_storage")
        return tr("Near storage");
    if (id == "delayed_writeback")
        return tr("Writeback c=%1").arg(number(techniques.delayedWriteback.interval));
    if (id == "x_cache")
        return withShare(tr("X-cache"), techniques.xCache.share);
    if (id == "host_kv")
        return withShare(tr("Host KV"), techniques.hostKv.share);
    return techniqueLabel(id);
}

} // namespace

std::vector<TechniqueChip> techniqueChips(const engine::Scenario& scenario,
                                          const std::vector<std::string_view>& ids) {
    std::vector<TechniqueChip> chips;
    for (const auto id : ids)
        chips.push_back({std::string(id), chipText(scenario.techniques, id), techniqueLabel(id)});
    return chips;
}

void addProblems(NodeCard& card, const Document& document, const engine::Node& node) {
    QStringList notes;
    for (const auto& problem : problemsAt(document, node.id)) {
        if (problem.severity == engine::Severity::Note) {
            notes << problem.sentence();
        } else if (card.problem.isEmpty()) {
            card.problem = problem.isShortfall ? problem.message : problem.sentence();
            card.problemIsError = problem.severity == engine::Severity::Error;
        }
    }
    card.note = notes.join(QLatin1Char('\n'));
}

} // namespace heteroscape::widgets

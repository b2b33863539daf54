// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/design_tables.h"

#include "engine/evaluation/breakdown.h"
#include "engine/scenario/parameters.h"
#include "engine/study/study.h"
#include "engine/units/number_text.h"

#include <QCoreApplication>

#include <cmath>

namespace heteroscape::widgets {

namespace {

QString words(const char* text) {
    return QCoreApplication::translate("heteroscape::widgets::ReportTable", text);
}

QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QString exact(double value) {
    return std::isnan(value) ? QStringLiteral("–") : text(engine::exactText(value));
}

ReportTable systemTable(const engine::Scenario& design) {
    ReportTable table{QStringLiteral("system"),
                      words("System"),
                      {words("Part"), words("Device or link"), words("Count"), words("Role or ends"),
                       words("Runtime or bandwidth")},
                      {false, false, true, false, false},
                      {}};
    for (const auto& node : design.nodes)
        table.rows.push_back({text(node.shownName()), text(node.device.name), exact(node.count.value),
                              text(engine::roleName(engine::shownRole(design, node))),
                              node.runtime ? text(node.runtime->name) : QString()});
    for (const auto& link : design.links) {
        const auto* from = design.findNode(link.from);
        const auto* to = design.findNode(link.to);
        table.rows.push_back({words("Link"), text(link.type.name), exact(engine::parallelLinks(design, link)),
                              words("%1 to %2").arg(text(from->shownName()), text(to->shownName())),
                              words("%1 GB/s").arg(exact(engine::toEdge(link.type.bandwidth.value, 1e9)))});
    }
    return table;
}

ReportTable workloadTable(const engine::Scenario& design) {
    ReportTable table{QStringLiteral("workload"),
                      words("Model, workload and techniques"),
                      {words("What"), words("Value")},
                      {false, false},
                      {}};
    const auto& load = design.workload;
    table.rows = {{words("Model"), text(design.model.name)},
                  {words("Batch"), exact(load.batch.value)},
                  {words("Prompt (tokens)"), exact(load.promptTokens.value)},
                  {words("Output (tokens)"), exact(load.outputTokens.value)}};
    for (const auto* kind : engine::techniqueKinds().all())
        if (design.techniques.isOn(*kind))
            table.rows.push_back({text(kind->label()), words("on")});
    return table;
}

ReportTable metricsTable(const engine::Evaluation& evaluation) {
    ReportTable table{QStringLiteral("metrics"),
                      words("Metrics"),
                      {words("Metric"), words("Value"), words("Unit"), words("Key")},
                      {false, true, false, false},
                      {}};
    for (const auto& spec : engine::metricSpecs())
        if (const double value = evaluation.metric(spec.metric); !std::isnan(value))
            table.rows.push_back({text(spec.label), exact(engine::toEdge(value, spec.scale)), text(spec.unit),
                                  text(spec.key)});
    return table;
}

ReportTable operatorsTable(const engine::Scenario& design) {
    ReportTable table{QStringLiteral("operators"),
                      words("Where the time of a step goes"),
                      {words("Node"), words("Phase"), words("Operator"), words("Time (ms)"),
                       words("Share (%)"), words("Compute (GFLOP)"), words("Bytes (GB)")},
                      {false, false, false, true, true, true, true},
                      {}};
    for (const auto& roof : engine::rooflines(design))
        for (const auto& row : roof.detail.operators)
            if (row.seconds > 0)
                table.rows.push_back(
                    {text(roof.name),
                     roof.phase == engine::Phase::Decode ? words("decode") : words("prefill"),
                     text(row.label), exact(engine::toEdge(row.seconds, 1e-3)),
                     text(engine::shortText(100 * row.seconds / roof.detail.seconds, 3)),
                     exact(engine::toEdge(row.flops, 1e9)), exact(engine::toEdge(row.bytes, 1e9))});
    return table;
}

ReportTable sourcesTable(const engine::Scenario& design) {
    ReportTable table{QStringLiteral("sources"),
                      words("Figures and where they come from"),
                      {words("Figure"), words("Value"), words("Unit"), words("Kind"), words("Source")},
                      {false, true, false, false, false},
                      {}};
    for (const auto& parameter : engine::listParameters(design, {})) {
        if (parameter.kind != engine::ParameterKind::Number)
            continue;
        const auto resolved = engine::resolveQuantity(design, parameter.path);
        const auto& figure = resolved.in(design);
        if (figure.isSet() && !figure.source.empty())
            table.rows.push_back({text(engine::axisLabel(design, parameter.path)),
                                  exact(engine::toEdge(figure.value, resolved.spec.scale)),
                                  text(resolved.spec.unit), text(engine::provenanceName(figure.provenance)),
                                  text(figure.source)});
    }
    return table;
}

} // namespace

std::vector<ReportTable> designTables(const engine::Scenario& design, const engine::Evaluation& evaluation) {
    return {systemTable(design), workloadTable(design), metricsTable(evaluation), operatorsTable(design),
            sourcesTable(design)};
}

} // namespace heteroscape::widgets

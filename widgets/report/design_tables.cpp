// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/design_tables.h"

#include "engine/evaluation/breakdown.h"
#include "engine/evaluation/expected_error.h"
#include "engine/scenario/parameters.h"
#include "engine/study/study.h"
#include "engine/units/number_text.h"

#include <QCoreApplication>

#include <cmath>

namespace heteroscape::widgets {

namespace {

struct ReportTableText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::ReportTable)
};

QString exact(double value) {
    return std::isnan(value) ? QStringLiteral("–") : QString::fromUtf8(engine::exactText(value));
}

ReportTable systemTable(const engine::Scenario& design) {
    ReportTable table{QStringLiteral("system"),
                      ReportTableText::tr("System"),
                      {ReportTableText::tr("Part"), ReportTableText::tr("Device or link"),
                       ReportTableText::tr("Count"), ReportTableText::tr("Role or ends"),
                       ReportTableText::tr("Runtime or bandwidth")},
                      {false, false, true, false, false},
                      {}};
    for (const auto& node : design.nodes)
        table.rows.push_back({QString::fromUtf8(node.shownName()), QString::fromUtf8(node.device.name),
                              exact(node.count.value),
                              QString::fromUtf8(engine::roleName(engine::shownRole(design, node))),
                              node.runtime ? QString::fromUtf8(node.runtime->name) : QString()});
    for (const auto& link : design.links) {
        const auto* from = design.findNode(link.from);
        const auto* to = design.findNode(link.to);
        table.rows.push_back(
            {ReportTableText::tr("Link"), QString::fromUtf8(link.type.name),
             exact(engine::parallelLinks(design, link)),
             ReportTableText::tr("%1 to %2")
                 .arg(QString::fromUtf8(from->shownName()), QString::fromUtf8(to->shownName())),
             ReportTableText::tr("%1 GB/s").arg(exact(engine::toEdge(link.type.bandwidth.value, 1e9)))});
    }
    return table;
}

ReportTable workloadTable(const engine::Scenario& design) {
    ReportTable table{QStringLiteral("workload"),
                      ReportTableText::tr("Model, workload and techniques"),
                      {ReportTableText::tr("What"), ReportTableText::tr("Value")},
                      {false, false},
                      {}};
    const auto& load = design.workload;
    table.rows = {{ReportTableText::tr("Model"), QString::fromUtf8(design.model.name)},
                  {ReportTableText::tr("Batch"), exact(load.batch.value)},
                  {ReportTableText::tr("Prompt (tokens)"), exact(load.promptTokens.value)},
                  {ReportTableText::tr("Output (tokens)"), exact(load.outputTokens.value)}};
    for (const auto* kind : engine::techniqueKinds().all())
        if (design.techniques.isOn(*kind))
            table.rows.push_back({QString::fromUtf8(kind->label()), ReportTableText::tr("on")});
    return table;
}

ReportTable metricsTable(const engine::Scenario& design, const engine::Evaluation& evaluation) {
    const bool sure = engine::hasExpectedErrors(design);
    const engine::ExpectedErrors errors(design, evaluation);
    ReportTable table{QStringLiteral("metrics"),
                      ReportTableText::tr("Metrics"),
                      {ReportTableText::tr("Metric"), ReportTableText::tr("Value"),
                       ReportTableText::tr("Unit"), ReportTableText::tr("Key")},
                      {false, true, false, false},
                      {}};
    if (sure) {
        table.headers.push_back(ReportTableText::tr("Expected error"));
        table.numeric.push_back(false);
    }
    for (const auto& spec : engine::metricSpecs())
        if (const double value = evaluation.metric(spec.metric); !std::isnan(value)) {
            table.rows.push_back({QString::fromUtf8(spec.label), exact(engine::toEdge(value, spec.scale)),
                                  QString::fromUtf8(spec.unit), QString::fromUtf8(spec.key)});
            if (sure)
                table.rows.back().push_back(QString::fromStdString(errors.of(spec.metric).text()));
        }
    return table;
}

ReportTable operatorsTable(const engine::Scenario& design) {
    ReportTable table{QStringLiteral("operators"),
                      ReportTableText::tr("Where the time of a step goes"),
                      {ReportTableText::tr("Node"), ReportTableText::tr("Phase"),
                       ReportTableText::tr("Operator"), ReportTableText::tr("Time (ms)"),
                       ReportTableText::tr("Share (%)"), ReportTableText::tr("Compute (GFLOP)"),
                       ReportTableText::tr("Bytes (GB)")},
                      {false, false, false, true, true, true, true},
                      {}};
    for (const auto& roof : engine::rooflines(design))
        for (const auto& row : roof.detail.operators)
            if (row.seconds > 0)
                table.rows.push_back(
                    {QString::fromUtf8(roof.name),
                     roof.phase == engine::Phase::Decode ? ReportTableText::tr("decode")
                                                         : ReportTableText::tr("prefill"),
                     QString::fromUtf8(row.label), exact(engine::toEdge(row.seconds, 1e-3)),
                     QString::fromUtf8(engine::shortText(100 * row.seconds / roof.detail.seconds, 3)),
                     exact(engine::toEdge(row.flops, 1e9)), exact(engine::toEdge(row.bytes, 1e9))});
    return table;
}

ReportTable sourcesTable(const engine::Scenario& design) {
    ReportTable table{QStringLiteral("sources"),
                      ReportTableText::tr("Figures and where they come from"),
                      {ReportTableText::tr("Figure"), ReportTableText::tr("Value"),
                       ReportTableText::tr("Unit"), ReportTableText::tr("Kind"),
                       ReportTableText::tr("Source")},
                      {false, true, false, false, false},
                      {}};
    for (const auto& parameter : engine::listParameters(design, {})) {
        if (parameter.kind != engine::ParameterKind::Number)
            continue;
        const auto resolved = engine::resolveQuantity(design, parameter.path);
        const auto& figure = resolved.in(design);
        if (figure.isSet() && !figure.source.empty())
            table.rows.push_back({QString::fromUtf8(engine::axisLabel(design, parameter.path)),
                                  exact(engine::toEdge(figure.value, resolved.spec.scale)),
                                  QString::fromUtf8(resolved.spec.unit),
                                  QString::fromUtf8(engine::provenanceName(figure.provenance)),
                                  QString::fromUtf8(figure.source.str())});
    }
    return table;
}

} // namespace

std::vector<ReportTable> designTables(const engine::Scenario& design, const engine::Evaluation& evaluation) {
    return {systemTable(design), workloadTable(design), metricsTable(design, evaluation),
            operatorsTable(design), sourcesTable(design)};
}

} // namespace heteroscape::widgets

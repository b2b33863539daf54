// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/design_report.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/evaluation/breakdown.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/expected_error.h"
#include "engine/evaluation/simulate.h"
#include "engine/scenario/parameters.h"
#include "engine/scenario/scenario_key.h"
#include "engine/study/study.h"
#include "engine/units/number_text.h"
#include "engine/version.h"
#include "widgets/plots/chart.h"
#include "widgets/report/design_pictures.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QImage>
#include <QPageSize>
#include <QPdfWriter>
#include <QTextDocument>
#include <QUrl>
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
                                  exact(engine::shownValue(figure.value, resolved.spec.scale)),
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

ReportWriter::ReportWriter(QObject* parent) : QObject(parent) {
    m_turn.setInterval(0);
    connect(&m_turn, &QTimer::timeout, this, &ReportWriter::drawNext);
    connect(&m_job, &Job::failed, this, &ReportWriter::failed);
}

void ReportWriter::write(DesignReport report, const QString& path) {
    m_format = reportFormat(path);
    m_job.drop();
    m_report = std::move(report);
    m_path = path;
    m_drawings.clear();
    m_turn.start();
}

void ReportWriter::drawNext() {
    const auto at = m_drawings.size();
    if (at == m_report.pictures.size()) {
        m_turn.stop();
        writeFile();
        return;
    }
    m_drawings.push_back(reportDrawing(m_report.pictures[at], m_format));
    emit drawn(static_cast<int>(at) + 1, static_cast<int>(m_report.pictures.size()));
}

void ReportWriter::writeFile() {
    m_job.start([this, report = m_report, path = m_path, format = m_format,
                 drawings = std::move(m_drawings)](JobRun&) -> Job::Show {
        const auto bytes = reportFile(report, format, drawings);
        engine::writeFileAtomically(path.toStdString(),
                                    {bytes.constData(), static_cast<std::size_t>(bytes.size())});
        return [this, path] { emit written(path); };
    });
}

namespace {

constexpr double kPageMm = 178.0; ///< of an A4 page, within its margins
constexpr int kPdfDpi = 300;

struct DesignReportText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::DesignReport)
};

QString colour(ColorRole role) {
    return ChartColor::role(role).resolve(true).name();
}

/// The look of a report; the light palette, whatever is shown.
QString styleSheet() {
    return QStringLiteral("body { font-family: Inter, 'Segoe UI', 'Noto Sans', sans-serif; font-size: 10pt;"
                          " color: %1; max-width: 178mm; margin: 12mm auto; }"
                          " h1 { font-size: 18pt; } h2 { font-size: 13pt; margin-top: 8mm; }"
                          " p.note { color: %2; } table { border-collapse: collapse; width: 100%; }"
                          " th { text-align: left; border-bottom: 1pt solid %3; padding: 1mm 2mm; }"
                          " td { border-bottom: 0.5pt solid %3; padding: 1mm 2mm; vertical-align: top; }"
                          " .n { text-align: right; } figure { margin: 4mm 0; }"
                          " figcaption { font-weight: 600; margin-bottom: 2mm; } img { width: 100%; }")
        .arg(colour(ColorRole::Text), colour(ColorRole::Muted), colour(ColorRole::Border));
}

QString tableHtml(const ReportTable& table) {
    auto html = QStringLiteral("<table><tr>");
    const auto cell = [&](const QString& tag, std::size_t column, const QString& text) {
        const auto right = column < table.numeric.size() && table.numeric[column];
        return QStringLiteral("<%1%2>%3</%1>")
            .arg(tag, right ? QStringLiteral(" class=\"n\" align=\"right\"") : QString(),
                 text.toHtmlEscaped());
    };
    for (std::size_t i = 0; i < table.headers.size(); ++i)
        html += cell(QStringLiteral("th"), i, table.headers[i]);
    html += QStringLiteral("</tr>\n");
    for (const auto& row : table.rows) {
        html += QStringLiteral("<tr>");
        for (std::size_t i = 0; i < row.size(); ++i)
            html += cell(QStringLiteral("td"), i, row[i]);
        html += QStringLiteral("</tr>\n");
    }
    return html + QStringLiteral("</table>\n");
}

/// The page; `image` gives the element of each picture, by its number.
QString page(const DesignReport& report, const std::function<QString(std::size_t)>& image) {
    auto html =
        QStringLiteral("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>%1</title>"
                       "<style>%2</style></head><body>\n<h1>%1</h1>\n<p>%3</p>\n<p class=\"note\">%4</p>\n")
            .arg(report.title.toHtmlEscaped(), styleSheet(), report.about.toHtmlEscaped(),
                 report.made.toHtmlEscaped());
    for (const auto& table : report.tables)
        html += QStringLiteral("<h2>%1</h2>\n").arg(table.title.toHtmlEscaped()) + tableHtml(table);
    if (!report.pictures.empty())
        html += QStringLiteral("<h2>%1</h2>\n").arg(DesignReportText::tr("Plots").toHtmlEscaped());
    for (std::size_t i = 0; i < report.pictures.size(); ++i)
        html += QStringLiteral("<figure><figcaption>%1</figcaption>%2</figure>\n")
                    .arg(report.pictures[i].title.toHtmlEscaped(), image(i));
    return html + QStringLiteral("</body></html>\n");
}

QByteArray htmlFile(const DesignReport& report, const std::vector<QByteArray>& drawings) {
    return page(report,
                [&](std::size_t i) {
                    return QStringLiteral("<img alt=\"%1\" src=\"data:image/svg+xml;base64,%2\">")
                        .arg(report.pictures[i].title.toHtmlEscaped(),
                             QString::fromLatin1(drawings[i].toBase64()));
                })
        .toUtf8();
}

QByteArray pdfFile(const DesignReport& report, const std::vector<QByteArray>& drawings) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(report.title);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setPageMargins(QMarginsF(16, 14, 16, 14), QPageLayout::Millimeter);
    writer.setResolution(kPdfDpi);
    QTextDocument document;
    document.documentLayout()->setPaintDevice(&writer);
    document.setDocumentMargin(0);
    document.setPageSize(QSizeF(writer.width(), writer.height()));
    const auto html = page(report, [&](std::size_t i) {
        const auto image = QImage::fromData(drawings[i]);
        const auto name = QStringLiteral("picture-%1").arg(i);
        document.addResource(QTextDocument::ImageResource, QUrl(name), image);
        const double scale = std::min(1.0, 0.45 * writer.height() / std::max(1, image.height()) *
                                               image.width() / std::max(1, writer.width()));
        return QStringLiteral("<img src=\"%1\" width=\"%2\">")
            .arg(name, QString::number(std::floor(writer.width() * scale)));
    });
    document.setHtml(html);
    document.print(&writer);
    return bytes;
}

} // namespace

DesignReport designReport(const engine::Scenario& design, std::vector<Picture> further) {
    DesignReport report;
    report.title =
        design.name.empty() ? DesignReportText::tr("Untitled design") : QString::fromStdString(design.name);
    report.about = QString::fromStdString(design.about);
    report.made = DesignReportText::tr("Heteroscape %1, %2, design %3")
                      .arg(QString::fromUtf8(engine::kVersion), QString::fromUtf8(engine::kEquationsVersion),
                           QString::fromStdString(engine::keyText(engine::scenarioKeyBytes(design))));
    report.pictures = designPictures(design); // refuses what cannot run
    auto evaluation = engine::evaluate(design);
    engine::simulateInto(design, evaluation);
    report.tables = designTables(design, evaluation);
    for (auto& one : further)
        report.pictures.push_back(std::move(one));
    return report;
}

ReportFormat reportFormat(const QString& path) {
    const auto suffix = QFileInfo(path).suffix().toLower();
    if (suffix == QLatin1String("html"))
        return ReportFormat::Html;
    if (suffix == QLatin1String("pdf"))
        return ReportFormat::Pdf;
    throw engine::Error(engine::ErrorCode::InvalidInput, path.toStdString(),
                        "no report ends in \"." + suffix.toStdString() + "\"", "Use .html or .pdf");
}

QByteArray reportDrawing(const Picture& picture, ReportFormat format) {
    return format == ReportFormat::Html
               ? picture.render(ImageFormat::Svg, {.widthMm = kPageMm})
               : picture.render(ImageFormat::Png, {.widthMm = kPageMm, .dpi = kPdfDpi});
}

QByteArray reportFile(const DesignReport& report, ReportFormat format,
                      const std::vector<QByteArray>& drawings) {
    return format == ReportFormat::Html ? htmlFile(report, drawings) : pdfFile(report, drawings);
}

void writeReportFile(const DesignReport& report, const QString& path) {
    const auto format = reportFormat(path);
    std::vector<QByteArray> drawings;
    for (const auto& picture : report.pictures)
        drawings.push_back(reportDrawing(picture, format));
    const auto bytes = reportFile(report, format, drawings);
    engine::writeFileAtomically(path.toStdString(),
                                {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

} // namespace heteroscape::widgets

#include "moc_design_report.cpp"

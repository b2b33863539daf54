// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of measured kernels as rows of the page.
#include "engine/base/error.h"
#include "engine/units/number_text.h"
#include "engine/validation/row_detail.h"
#include "engine/validation/validation.h"
#include "widgets/validation/measured_reader.h"
#include "widgets/validation/validation_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <limits>
#include <utility>

namespace heteroscape::widgets {

namespace {

class KernelRowWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::ValidationPage)
};

constexpr std::size_t kChunk = 20000; // rows
constexpr double kMicro = 1e-6;
constexpr std::array<const char*, kMeasuredKeys> kKeys{"op", "device", "framework", "precision", "bound"};

/// One name for what tables name differently.
std::string canonical(std::string label) {
    if (label == "bfloat16")
        return "bf16";
    if (label == "half")
        return "fp16";
    return label;
}

class KernelOrigin : public MeasuredOrigin {
public:
    explicit KernelOrigin(engine::MeasuredTable table) : m_table(std::move(table)) {}

    const engine::MeasuredTable& table() const { return m_table; }

    RowDetail detail(std::size_t at) const override {
        const auto& row = m_table.rows.at(at);
        const auto& kernels = engine::shippedKernels();
        const auto validated = engine::validateRow(kernels, row);
        const auto text = [&](MeasuredKey key) {
            return measuredLabelText(
                key, canonical(engine::validationLabel(validated, kKeys[static_cast<std::size_t>(key)])));
        };
        RowDetail detail;
        detail.title = text(MeasuredKey::Kind);
        QStringList about{text(MeasuredKey::Device)};
        if (row.has("kernel"))
            about << QString::fromStdString(std::string(row.text("kernel")));
        else
            about << (text(MeasuredKey::Framework) + u' ' +
                      QString::fromStdString(std::string(row.text("version"))))
                         .trimmed();
        about << text(MeasuredKey::Precision);
        if (row.has("kv_dtype"))
            about << KernelRowWords::tr("%1 cache").arg(measuredColumnText(row.text("kv_dtype")));
        if (row.has("routing"))
            about << QString::fromStdString(std::string(row.text("routing"))).replace(u'_', u' ');
        detail.about = about.join(QStringLiteral(", "));
        for (const auto& [column, number] : engine::shapeOf(row))
            detail.shape.emplace_back(measuredColumnText(column),
                                      QString::fromStdString(engine::plainText(row.number(column))));
        if (row.text("odd") == "1")
            detail.note =
                KernelRowWords::tr("The table marks this row as odd: no constant was fitted on it.");
        if (!validated.answered()) {
            detail.note = QString::fromStdString(validated.why);
            return detail;
        }
        for (const auto& share : engine::timeShares(kernels, row))
            detail.shares.emplace_back(measuredColumnText(share.figure), share.percent);
        detail.series = seriesChart(engine::seriesOf(kernels, m_table.rows, row));
        return detail;
    }

private:
    engine::MeasuredTable m_table;

    static Chart seriesChart(const engine::RowSeries& series) {
        Chart chart;
        const auto column = measuredColumnText(series.column);
        chart.title = KernelRowWords::tr("Time over %1, everything else as it is").arg(column);
        chart.x.label = column.left(1).toUpper() + column.mid(1);
        chart.x.log = chart.y.log = true;
        chart.y.label = quantityLabel(KernelRowWords::tr("Time"), QStringLiteral("µs"));
        ChartLine model{.name = KernelRowWords::tr("Model"),
                        .x = series.at,
                        .y = series.modelUs,
                        .color = ChartColor::series(0),
                        .width = 2.2};
        chart.lines.push_back(std::move(model));
        for (std::size_t i = 0; i < series.measuredAt.size(); ++i) {
            ChartMark mark;
            mark.name = KernelRowWords::tr("Measured");
            mark.x = series.measuredAt[i];
            mark.y = series.measuredUs[i];
            mark.diameter = 8;
            mark.shape = ChartMarker::Diamond;
            mark.color = ChartColor::series(1);
            mark.readOut = {
                {chart.x.label, QString::fromStdString(engine::plainText(mark.x))},
                {KernelRowWords::tr("Time"),
                 withUnit(QString::fromStdString(engine::plainText(mark.y)), QStringLiteral("µs"))}};
            chart.marks.push_back(std::move(mark));
        }
        return chart;
    }
};

QString formWord(engine::MeasuredForm form) {
    return form == engine::MeasuredForm::Kernels ? KernelRowWords::tr("Kernels")
                                                 : KernelRowWords::tr("Experts and latent attention");
}

bool acceptsKernels(const std::vector<std::string>& columns) {
    const auto has = [&](const char* name) {
        return std::find(columns.begin(), columns.end(), name) != columns.end();
    };
    return has("op") || has("measured_us");
}

void readKernels(const QString& path, const QString& source, const MeasuredReader::Found& found,
                 const std::stop_token& stop) {
    const auto& kernels = engine::shippedKernels();
    std::vector<engine::UnreadRow> unread;
    const auto origin =
        std::make_shared<const KernelOrigin>(engine::readMeasured(path.toStdString(), &unread));
    const auto& rows = origin->table().rows;
    for (std::size_t first = 0; first < rows.size() && !stop.stop_requested(); first += kChunk) {
        auto chunk = std::make_shared<MeasuredChunk>();
        chunk->source = source.isEmpty() ? formWord(origin->table().form) : source;
        chunk->origin = origin;
        chunk->first = first;
        chunk->unread = std::exchange(unread, {});
        for (std::size_t i = first; i < std::min(first + kChunk, rows.size()); ++i) {
            const auto validated = engine::validateRow(kernels, rows[i]);
            chunk->lines.push_back(rows[i].line());
            chunk->measured.push_back(validated.measuredUs * kMicro);
            const double factor = validated.answered() ? kMicro : std::numeric_limits<double>::quiet_NaN();
            chunk->predicted.push_back(validated.predictedUs * factor);
            chunk->roofline.push_back(validated.rooflineUs * factor);
            for (std::size_t key = 0; key < kMeasuredKeys; ++key)
                chunk->labels[key].add(canonical(engine::validationLabel(validated, kKeys[key])));
            chunk->reasons.add(validated.why);
        }
        found(std::move(chunk));
    }
}

} // namespace

extern const MeasuredReader kernelReader;
const MeasuredReader kernelReader{.accepts = acceptsKernels, .read = readKernels};

} // namespace heteroscape::widgets

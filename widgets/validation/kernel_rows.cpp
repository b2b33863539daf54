// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of measured kernels as rows of the page.

#include "engine/base/error.h"
#include "engine/catalog/catalog.h"
#include "engine/servers/served_plan.h"
#include "engine/timing/kernels/kernel_catalog.h"
#include "engine/units/number_text.h"
#include "engine/validation/metric_validation.h"
#include "engine/validation/row_detail.h"
#include "engine/validation/serving_validation.h"
#include "engine/validation/validation.h"
#include "widgets/validation/measured_chunk.h"
#include "widgets/validation/validation_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <limits>
#include <utility>

// Tables of measured servers as rows of the page: two of each measurement, TTFT and TPOT.
namespace heteroscape::widgets {

namespace {

class ServingRowWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::ValidationPage)
};

constexpr double kMilli = 1e-3;
constexpr std::size_t kServedAtOnce = 16; // measurements that are simulated before they are shown
constexpr std::size_t kTimes = 2;         ///< of a measurement: TTFT, TPOT
constexpr std::array<const char*, kTimes> kTimeKinds{"server_ttft", "server_tpot"};

/// What servers are simulated with, read when it is first asked for. Any thread.
struct ServedParts {
    engine::Catalog catalog = engine::loadCatalog(engine::findPresetsFolder());
    engine::GpuServers servers{catalog, engine::shippedKernels()};
};
const ServedParts& servedParts() {
    static const ServedParts parts;
    return parts;
}

class ServingOrigin : public MeasuredOrigin {
public:
    explicit ServingOrigin(engine::ServingTable table) : m_table(std::move(table)) {}

    const engine::ServingTable& table() const { return m_table; }
    const engine::ServingRow& rowAt(std::size_t at) const { return m_table.rows.at(at / kTimes); }

    RowDetail detail(std::size_t at) const override {
        const auto& row = rowAt(at);
        RowDetail detail;
        detail.title = measuredLabelText(MeasuredKey::Kind, kTimeKinds[at % kTimes]);
        detail.about = QStringList{QString::fromStdString(row.modelPath.empty() ? row.model : row.modelPath),
                                   measuredLabelText(MeasuredKey::Device, row.system),
                                   (measuredLabelText(MeasuredKey::Framework, row.backend) + u' ' +
                                    QString::fromStdString(row.version))
                                       .trimmed(),
                                   QString::fromStdString(row.precision)}
                           .join(QStringLiteral(", "));
        const auto number = [&](const QString& name, double value) {
            detail.shape.emplace_back(name, QString::fromStdString(engine::plainText(value)));
        };
        number(ServingRowWords::tr("users"), row.users);
        number(ServingRowWords::tr("prompt tokens"), row.isl);
        number(ServingRowWords::tr("output tokens"), row.osl);
        try {
            const auto plan = engine::servedPlan(servedParts().servers, row);
            detail.shape.emplace_back(ServingRowWords::tr("layout"), QString::fromStdString(plan.words()));
            number(ServingRowWords::tr("token budget"), plan.recipe.budget);
            number(ServingRowWords::tr("sequences at most"), plan.recipe.sequences);
        } catch (const engine::Error& error) {
            detail.note = QString::fromStdString(error.what());
        }
        if (row.contradicts)
            detail.note = ServingRowWords::tr("The table marks this row as one that contradicts itself.");
        return detail;
    }

    std::optional<engine::Scenario> design(std::size_t at) const override {
        try {
            const auto& [catalog, servers] = servedParts();
            return engine::servedScenario(servers, engine::servedPlan(servers, rowAt(at)));
        } catch (const engine::Error&) {
            return {}; // the detail says why
        }
    }

private:
    engine::ServingTable m_table;
};

void addTime(MeasuredChunk& chunk, const engine::ValidatedServing& validated, std::size_t time) {
    const auto& row = *validated.row;
    const double measured = time == 0 ? row.ttftMs : row.tpotMs;
    const double predicted = time == 0 ? validated.ttftMs : validated.tpotMs;
    const bool told = measured > 0;
    const bool answered = told && !row.contradicts && validated.answered() && predicted > 0;
    chunk.lines.push_back(row.line);
    chunk.measured.push_back(measured * kMilli);
    chunk.predicted.push_back(answered ? predicted * kMilli : std::numeric_limits<double>::quiet_NaN());
    chunk.roofline.push_back(std::numeric_limits<double>::quiet_NaN());
    const std::array<std::string, kMeasuredKeys> labels{kTimeKinds[time], row.system, row.backend,
                                                        row.precision, "-"};
    for (std::size_t key = 0; key < kMeasuredKeys; ++key)
        chunk.labels[key].add(labels[key]);
    chunk.reasons.add(answered                ? std::string()
                      : !told                 ? "it was not measured"
                      : !validated.answered() ? validated.why
                      : row.contradicts       ? "it contradicts itself, as its table marks it"
                                              : "a request of one output token");
}

void readServers(const QString& path, const QString& source, const MeasuredReader::Found& found,
                 const std::stop_token& stop) {
    const auto origin = std::make_shared<const ServingOrigin>(engine::readServing(path.toStdString()));
    const auto& parts = servedParts();
    const auto& rows = origin->table().rows;
    for (std::size_t first = 0; first < rows.size(); first += kServedAtOnce) {
        const auto past = std::min(first + kServedAtOnce, rows.size());
        engine::ServingTable some;
        some.rows.assign(rows.begin() + static_cast<std::ptrdiff_t>(first),
                         rows.begin() + static_cast<std::ptrdiff_t>(past));
        const auto validated = engine::validateServing(parts.servers, std::span(&some, 1), 1, stop);
        if (stop.stop_requested())
            return;
        auto chunk = std::make_shared<MeasuredChunk>();
        chunk->source = source.isEmpty() ? serversSource() : source;
        chunk->origin = origin;
        chunk->first = first * kTimes;
        for (const auto& row : validated)
            for (std::size_t time = 0; time < kTimes; ++time)
                addTime(*chunk, row, time);
        found(std::move(chunk));
    }
}

/// Metrics of servers: times as they are, rates as the time of a token. Power and energy have no place on the
/// page's axes of time and say so.
class MetricOrigin : public MeasuredOrigin {
public:
    explicit MetricOrigin(engine::MetricTable table) : m_table(std::move(table)) {}

    const engine::MetricTable& table() const { return m_table; }

    RowDetail detail(std::size_t at) const override {
        const auto& row = m_table.rows.at(at);
        RowDetail detail;
        detail.title = QString::fromStdString(row.metric);
        const auto text = [](const std::string& one) { return QString::fromStdString(one); };
        detail.about =
            QStringList{text(row.model), text(row.device), text(row.framework), text(row.weightFormat)}.join(
                QStringLiteral(", "));
        detail.shape.emplace_back(ServingRowWords::tr("load"), text(row.load));
        detail.shape.emplace_back(ServingRowWords::tr("layout"), text(row.layout));
        const auto number = [&](const QString& name, double value) {
            detail.shape.emplace_back(name, QString::fromStdString(engine::plainText(value)));
        };
        number(ServingRowWords::tr("GPUs"), row.count);
        number(ServingRowWords::tr("prompt tokens"), row.isl);
        number(ServingRowWords::tr("output tokens"), row.osl);
        try {
            engine::servedPlan(servedParts().servers, row);
            if (!engine::servedMetric(row).isTime())
                detail.note = ServingRowWords::tr("Rates are shown as the time of a token.");
        } catch (const engine::Error& error) {
            detail.note = QString::fromStdString(error.what());
        }
        return detail;
    }

    std::optional<engine::Scenario> design(std::size_t at) const override {
        try {
            const auto& [catalog, servers] = servedParts();
            return engine::servedScenario(servers, engine::servedPlan(servers, m_table.rows.at(at)));
        } catch (const engine::Error&) {
            return {}; // the detail says why
        }
    }

private:
    engine::MetricTable m_table;
};

void addMetric(MeasuredChunk& chunk, const engine::ValidatedMetric& validated) {
    const auto& row = *validated.row;
    const auto* metric = validated.metric;
    const bool timed = metric && !metric->isApart();
    const auto seconds = [&](double value) { return metric->isTime() ? value * kMilli : 1.0 / value; };
    const bool answered = timed && validated.answered();
    chunk.lines.push_back(row.line);
    chunk.measured.push_back(timed ? seconds(row.measured) : 0.0);
    chunk.predicted.push_back(answered ? seconds(validated.predicted)
                                       : std::numeric_limits<double>::quiet_NaN());
    chunk.roofline.push_back(std::numeric_limits<double>::quiet_NaN());
    const auto told = [](const std::string& label) { return label.empty() ? std::string("-") : label; };
    const std::array<std::string, kMeasuredKeys> labels{told(row.metric), told(row.device),
                                                        told(row.framework), told(row.weightFormat), "-"};
    for (std::size_t key = 0; key < kMeasuredKeys; ++key)
        chunk.labels[key].add(labels[key]);
    chunk.reasons.add(answered           ? std::string()
                      : metric && !timed ? "power and energy are told by heteroscape-cli validate alone"
                                         : validated.why);
}

void readMetricRows(const QString& path, const QString& source, const MeasuredReader::Found& found,
                    const std::stop_token& stop) {
    const auto origin = std::make_shared<const MetricOrigin>(engine::readMetrics(path.toStdString()));
    const auto& rows = origin->table().rows;
    for (std::size_t first = 0; first < rows.size(); first += kServedAtOnce) {
        const auto past = std::min(first + kServedAtOnce, rows.size());
        engine::MetricTable some;
        some.rows.assign(rows.begin() + static_cast<std::ptrdiff_t>(first),
                         rows.begin() + static_cast<std::ptrdiff_t>(past));
        const auto validated = engine::validateMetrics(servedParts().servers, std::span(&some, 1), 1, stop);
        if (stop.stop_requested())
            return;
        auto chunk = std::make_shared<MeasuredChunk>();
        chunk->source = source.isEmpty() ? serversSource() : source;
        chunk->origin = origin;
        chunk->first = first;
        for (const auto& row : validated)
            addMetric(*chunk, row);
        found(std::move(chunk));
    }
}

} // namespace

extern const MeasuredReader servingReader;
const MeasuredReader servingReader{.accepts = engine::isServingHeader, .read = readServers};
extern const MeasuredReader metricReader;
const MeasuredReader metricReader{.accepts = engine::isMetricHeader, .read = readMetricRows};

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

/// What the rows of a shipped table are.
QString tableWord(const engine::MeasuredTable& table) {
    if (table.name.ends_with("_own.csv"))
        return KernelRowWords::tr("Measured by ourselves");
    switch (table.form) {
    case engine::MeasuredForm::Kernels:
        return KernelRowWords::tr("Kernels");
    case engine::MeasuredForm::Modules:
        return KernelRowWords::tr("Sparse attention, states and encoders");
    case engine::MeasuredForm::Experts:
        break;
    }
    return KernelRowWords::tr("Experts and latent attention");
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
        chunk->source = source.isEmpty() ? tableWord(origin->table()) : source;
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

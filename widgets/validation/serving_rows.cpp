// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of measured servers as rows of the page: two of each measurement, TTFT and TPOT.
#include "engine/base/error.h"
#include "engine/catalog/catalog.h"
#include "engine/serving/servers/served_scenario.h"
#include "engine/timing/kernels/kernel_catalog.h"
#include "engine/units/number_text.h"
#include "engine/validation/serving_validation.h"
#include "widgets/validation/measured_reader.h"
#include "widgets/validation/validation_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <limits>

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
            return engine::servedScenario(servers, catalog, engine::servedPlan(servers, rowAt(at)));
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

} // namespace

extern const MeasuredReader servingReader;
const MeasuredReader servingReader{.accepts = engine::isServingHeader, .read = readServers};

} // namespace heteroscape::widgets

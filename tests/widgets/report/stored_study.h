// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/claims.h"
#include "engine/claims/figure_study.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/metric_path.h"
#include "engine/study_run/run_study.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/report/csv_reader.h"
#include "widgets/explore/loaded_study.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heteroscape::widgets::test {

/// Where a point stands: values on axes.
using At = std::vector<std::pair<std::string, double>>;

/// A study of three axes, its points read from SQLite: x, one with a curve each, one that is held.
class StoredStudy {
public:
    StoredStudy(engine::Store& store, const engine::Catalog& catalog, const std::string& preset,
                const std::vector<std::string>& axes, std::vector<std::string> nodeMetrics = {}) {
        engine::Study study{preset, engine::loadPreset(catalog, preset, "test"), {}};
        for (const auto& axis : axes)
            study.axes.push_back(engine::parseAxis(study.base, catalog, axis));
        study.nodeMetrics = std::move(nodeMetrics);
        id = engine::runStudy(study, store, {}).study.id;
        loaded = readStudy(store, id, catalog);
        m_evaluated.resize(loaded->table.rows());
    }

    std::int64_t id = 0;
    std::shared_ptr<const LoadedStudy> loaded;

    const engine::StudyTable& table() const { return loaded->table; }
    const std::string& x() const { return table().info.axes[0].path; }
    const std::string& curve() const { return table().info.axes[1].path; }
    const std::string& held() const { return table().info.axes[2].path; }
    std::vector<double> values(const std::string& axis) const {
        auto all = loaded->axis(axis)->values;
        std::sort(all.begin(), all.end());
        return all;
    }

    /// The one row with these values.
    std::size_t rowAt(const At& at) const {
        std::optional<std::size_t> found;
        for (std::size_t row = 0; row < table().rows(); ++row)
            if (std::all_of(at.begin(), at.end(), [&](const auto& one) {
                    return table().find(one.first)->values.at(row) == one.second;
                })) {
                if (found)
                    throw std::runtime_error("several rows stand there");
                found = row;
            }
        if (!found)
            throw std::runtime_error("no row stands there");
        return *found;
    }

    /// A metric or figure of a row: NaN where it is infeasible. Throws where SQLite and evaluate() differ.
    double value(const std::string& metric, std::size_t row) const {
        const auto& evaluation = evaluated(row);
        if (evaluation.feasible != (table().find("feasible")->at(row) == 1.0))
            throw std::runtime_error("feasible differs in row " + std::to_string(row));
        if (!evaluation.feasible)
            return std::nan("");
        const double stored = table().find(metric)->at(row);
        const double now = engine::findMetric(loaded->scenarioOf(row), evaluation, metric).value;
        if (stored != now && !(std::isnan(stored) && std::isnan(now)))
            throw std::runtime_error(metric + " differs in row " + std::to_string(row));
        return stored;
    }
    double value(const std::string& metric, const At& at) const { return value(metric, rowAt(at)); }
    QString cell(const std::string& metric, const At& at) const { return exact(value(metric, at)); }

    const engine::Evaluation& evaluated(std::size_t row) const {
        auto& one = m_evaluated[row];
        if (!one)
            one = engine::evaluate(loaded->scenarioOf(row));
        return *one;
    }

    /// "Latency (s)"
    QString label(const std::string& column) const {
        const auto& found = *table().find(column);
        return QString::fromStdString(found.unit.empty() ? found.label
                                                         : found.label + " (" + found.unit + ")");
    }

private:
    mutable std::vector<std::optional<engine::Evaluation>> m_evaluated;
};

/// What is exported from: a design whose points all run, one some of whose points do not fit, one that is
/// offloaded to near-storage devices.
struct StoredStudies {
    QTemporaryDir folder;
    engine::Catalog catalog = *shippedCatalog();
    QString path = folder.filePath(QStringLiteral("s.sqlite"));
    engine::Store store{path.toStdString()};
    std::map<std::string, StoredStudy> all;

    StoredStudies() {
        all.emplace("preserve", StoredStudy(store, catalog, "preserve/llama3-405b-32",
                                            {"nodes.npu.count=8:64:*2", "workload.batch=1,4,16",
                                             "techniques.l2_prefetch.enabled=false,true"},
                                            {"nodes.npu.decode_ms"}));
        all.emplace("infeasible", StoredStudy(store, catalog, "glitches/a100-7u280",
                                              {"workload.prompt_tokens=64,512,1536",
                                               "workload.batch=1,8,4096", "workload.output_tokens=128,1500"},
                                              {"nodes.fpga.decode_ms"}));
        all.emplace("offloaded", StoredStudy(store, catalog, "inf2/opt-30b-h100-16csd",
                                             {"nodes.storage.count=4,8,16", "workload.batch=8,32",
                                              "techniques.x_cache.enabled=false,true"}));
    }
    const StoredStudy& at(const QString& name) const { return all.at(name.toStdString()); }
    /// The one that this row of a test is about.
    const StoredStudy& fetched() const {
        QFETCH(QString, name);
        return at(name);
    }
};

/// A row of a test for each of them.
inline void addStudies() {
    QTest::addColumn<QString>("name");
    for (const auto* name : {"preserve", "infeasible", "offloaded"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

inline engine::StudyPlot plotOf(engine::PlotKind kind, const StoredStudy& study,
                                std::vector<std::string> metrics) {
    engine::StudyPlot plot;
    plot.kind = kind;
    plot.query.x = study.x();
    plot.query.curve = study.curve();
    plot.query.metric = metrics.empty() ? std::string() : metrics.front();
    plot.metrics = std::move(metrics);
    return plot;
}

} // namespace heteroscape::widgets::test

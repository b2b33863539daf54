// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/expected_error.h"
#include "engine/store/store.h"
#include "engine/study/truths.h"
#include "engine/units/number_text.h"

#include <QCoreApplication>
#include <QString>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heteroscape::widgets {

/// A study read back from the store: its points, the design it starts from, and what its choices put in.
/// A value: any thread.
struct LoadedStudy : std::enable_shared_from_this<LoadedStudy> {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::LoadedStudy)
public:
    engine::StudyTable table;                  ///< labels of axes as short as the design allows
    engine::Study definition;                  ///< axes as in table.info, with their edits
    std::vector<std::vector<QString>> choices; ///< names for people, of each axis; empty for numbers
    engine::Truths truths;                     ///< of its points; none of scrubbed ones
    std::string store;                         ///< the file that it was read from; empty: from none
    std::vector<double> decisive;              ///< value of each column by which its unit is chosen; else 0

    /// What somebody measured of what a point stands for: of a frontier, published servers.
    struct Measured {
        QString name;
        std::string group;                    ///< name on the first axis
        std::map<std::string, double> values; ///< by column
        std::vector<std::pair<QString, QString>> facts;
    };
    std::vector<Measured> measured;

    /// Finds `decisive` (decidesUnit()), of the points of `table`. O(rows x columns).
    void findUnits();
    /// The design of one row.
    engine::Scenario scenarioOf(std::size_t row) const;
    /// Where 80 % lie around the metrics of a point, by columns of the table; empty where it is not known.
    /// Evaluates the point.
    std::vector<QString> bandTexts(std::size_t row, const std::vector<std::size_t>& columns) const;
    /// How far a metric of a point is expected to be off. Evaluates it the first time.
    engine::ExpectedError errorOf(std::size_t row, const std::string& column) const;
    /// The same where it was asked for before, else none.
    std::optional<engine::ExpectedError> knownError(std::size_t row, const std::string& column) const;
    /// Its values on the axes, for people: "Devices 7, L2 capacity 88 MB".
    QString nameOf(std::size_t row) const;
    /// Why a row is not feasible: what is needed, what is there. Empty when it is feasible.
    struct Obstacle {
        QString reason;
        bool memory = false; ///< it does not fit: something is too large for where it must lie
    };
    Obstacle obstacle(std::size_t row) const; ///< evaluates the row
    QString whyNot(std::size_t row) const { return obstacle(row).reason; }

    /// A point of an ideal design in a study that has others too: it is shown pale.
    bool isIdeal(std::size_t row) const;

    /// All its points have steady arrivals: no request is simulated.
    bool isSteady() const;

    /// Its points are designs of their own, which axes name (engine::isPointPath()).
    bool isOfDesigns() const;

    const engine::Axis* axis(const std::string& path) const; ///< null when there is none
    /// A value of an axis column for people: "16", "Llama3-70B", "on".
    QString text(const engine::StudyColumn& column, double value) const;
    /// The same with its unit: "88 MB"; of a metric in the unit that it is read best in: "35 ms".
    QString textWithUnit(const engine::StudyColumn& column, double value) const;
    /// What a metric is shown in, wherever several of its points are: by all that are feasible, of these
    /// columns together; what a TTFT or TPOT among them needs comes first, so that it reads as it does alone.
    /// An axis is shown in the unit that it is edited in.
    engine::ShownUnit shownUnit(const std::vector<std::string>& columns) const;
    engine::ShownUnit shownUnit(const engine::StudyColumn& column) const; ///< one of `table`

private:
    mutable std::mutex m_errorMutex;
    mutable std::map<std::pair<std::size_t, std::string>, engine::ExpectedError> m_errors;
};

/// Whether a column says something else than numbers of what is measured and swept: "feasible", "truth".
inline bool isMetric(const engine::StudyColumn& column) {
    return !column.isAxis && !column.isChoice() && column.name != "feasible";
}

/// A study with its points so far, with all metrics or only those named (Store::read()). Throws Error from
/// the store, or when the catalogue lacks a choice.
std::shared_ptr<const LoadedStudy> readStudy(engine::Store& store, std::int64_t id,
                                             const engine::Catalog& catalog,
                                             const std::vector<std::string>& metrics = {});

/// The same for a study that was evaluated in memory: `definition` has its choices resolved.
std::shared_ptr<const LoadedStudy> asLoaded(engine::StudyTable table, engine::Study definition,
                                            const engine::Catalog& catalog, std::string store = {},
                                            engine::Truths truths = {});

/// Whether a metric is one of simulated requests, which steady arrivals do not have.
bool isSimulated(const std::string& metric);

/// Whether an axis or column is a technique's switch: "false" and "true".
bool isSwitch(const std::vector<std::string>& names);

} // namespace heteroscape::widgets

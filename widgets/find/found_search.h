// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/catalog/term.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/search/search_record.h"
#include "widgets/document/pins.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace heteroscape::widgets {

/// What comes nearest to limits that no design keeps.
struct NearestDesign {
    QString words;                      ///< "61 ms of 50 ms a token, at $0.98 M"
    std::vector<engine::Limit> relaxed; ///< the limits that it breaks, so far off that it keeps them
    QString remedy;                     ///< "Relax to 61 ms"
};

/// What a search came to, so far or in the end. A value that nothing changes: any thread.
struct FoundSearch {
    engine::SearchRecord record; ///< with a state
    std::shared_ptr<const engine::Catalog> catalog;
    std::vector<engine::SearchEntry> front; ///< best first in the first goal
    /// The front, then samples: of the other points within the limits, of those outside.
    std::vector<engine::SearchEntry> cloud;
    std::size_t within = 0;          ///< of the cloud
    std::vector<std::uint8_t> ideal; ///< 1: of an ideal design among others, parallel to the cloud
    engine::Truths truths;           ///< of what of the cloud is within
    /// The best of the first goal that each value of the group axis reaches, and its band
    /// (ExpectedError::band()).
    std::vector<engine::SearchTally::Best> reached;
    std::vector<engine::ExpectedError> reachedErrors;
    QString unmet;                        ///< why nothing is within the limits; only in the end
    std::optional<NearestDesign> nearest; ///< likewise; none where no design runs

    const engine::SearchProblem& problem() const { return record.problem; }
    const engine::SearchTally& tally() const { return record.state->tally; }
    bool isDone() const { return record.isDone(); }
    bool idealLeads() const; ///< one on the front, where others are within the limits too

    /// The position of a point on an axis of the problem.
    std::size_t positionOf(std::uint64_t ordinal, std::size_t axis) const;
    /// The value of an axis at a position, for people: "H100", "8", "2.5 TB/s".
    QString valueText(std::size_t axis, std::size_t position) const;
    QString axisName(std::size_t axis) const; ///< "Batch"
    QString nameOf(std::uint64_t ordinal) const;
    engine::Scenario designAt(std::uint64_t ordinal) const; ///< with no searches of its own
    /// What colours and bars are about: the first choice, else the axis with the fewest values, at most 8;
    /// none without.
    std::optional<std::size_t> groupAxis() const;
};

/// Searches of older equations and unfinished ones too. Asks the engine what cannot be met.
std::shared_ptr<const FoundSearch> foundSearch(engine::SearchRecord record,
                                               std::shared_ptr<const engine::Catalog> catalog);

/// A goal, a limit or an axis as people read it.
struct ColumnWords {
    QString label;
    QString unit;
    int better = 0; ///< as of metrics
};
ColumnWords columnWords(const engine::Scenario& base, const std::string& column);
QString columnValue(const engine::Scenario& base, const std::string& column, double value); ///< "1.2 s"
/// The same without a unit where that tells what it is: "30,400" and "tok/s", "0.62 s" and "Time to first
/// token".
std::pair<QString, QString> columnFigure(const engine::Scenario& base, const std::string& column,
                                         double value);
/// "Most throughput, least price": what a search is called until it is given a name.
QString searchName(const engine::SearchProblem& problem);

/// One design that was found, as its card shows it.
struct FoundFacts {
    std::uint64_t ordinal = 0;
    QString name;                                   ///< all its variables
    QString system;                                 ///< "16 × B200"
    std::vector<std::pair<QString, QString>> chips; ///< variables that the system does not tell: name, value
    struct Figure {
        QString value;
        QString caption; ///< its unit or name, and how far it may lie off: "tok/s ±14 %"
        QString label;   ///< what it is
    };
    std::vector<Figure> figures; ///< three at most
    /// Of a limit; of a property of a device, which may be the device's own or a what-if, the share of the
    /// most that is looked at.
    struct Use {
        QString label;
        double share = 0.0; ///< NaN: no bar
        QString text;       ///< "$41,000 of $60,000", "12 TB/s, what-if"
    };
    std::vector<Use> uses;
    engine::Scenario design;
    Pins::Values metrics{};
    bool ideal = false;
    bool pale = false; ///< ideal among others
};
FoundFacts foundFacts(const FoundSearch& search, std::uint64_t ordinal, const std::stop_token& stop);

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/study_plot.h"

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace heteroscape::widgets::test {

/// What a point that is not feasible has.
inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// An axis of a study made by hand: numbers, or with names the positions 0, 1, ... of choices.
struct SmallAxis {
    std::string path;
    std::string label;
    std::vector<double> values;
    std::string unit{};
    std::vector<std::string> names{};
};

/// What each point has of a metric, in the order of the points: the last axis varies fastest.
struct SmallFigure {
    std::string name;
    std::string label;
    std::string unit;
    std::vector<double> values;
};

/// A study whose points are given by hand, of number 1 and without a design. `feasible`: 1 or 0 a point;
/// empty: all are. `choices`: for each axis what its names are for people; empty: no axis has names.
inline std::shared_ptr<LoadedStudy> studyOf(const std::vector<SmallAxis>& axes,
                                            std::vector<SmallFigure> figures,
                                            std::vector<double> feasible = {},
                                            std::vector<std::vector<QString>> choices = {}) {
    auto study = std::make_shared<LoadedStudy>();
    auto& table = study->table;
    table.info.id = 1;
    table.info.name = "small";
    std::size_t rows = 1;
    for (const auto& axis : axes)
        rows *= axis.values.size();
    table.info.points = table.info.done = rows;
    std::size_t repeats = rows; // of one value, before the next
    for (const auto& axis : axes) {
        const auto length = axis.values.size();
        repeats /= length;
        engine::StudyColumn column{axis.path, axis.label, axis.unit, true, std::vector<double>(rows),
                                   axis.names};
        for (std::size_t row = 0; row < rows; ++row)
            column.values[row] = axis.values[row / repeats % length];
        table.columns.push_back(std::move(column));
        table.info.axes.push_back({axis.path, axis.values, axis.names});
        study->definition.axes.push_back(table.info.axes.back());
        study->definition.axes.back().edits.resize(axis.names.size(), engine::SetModel{});
    }
    if (feasible.empty())
        feasible.assign(rows, 1.0);
    table.columns.push_back({"feasible", "Feasible", "", false, std::move(feasible)});
    for (auto& figure : figures)
        table.columns.push_back({figure.name, figure.label, figure.unit, false, std::move(figure.values)});
    table.boundNames = {"none"};
    table.bounds.assign(rows, 0);
    study->findUnits();
    study->choices = std::move(choices);
    study->choices.resize(axes.size());
    return study;
}

/// The plot as a tile shows it of this study: see settle().
inline engine::StudyPlot settled(engine::StudyPlot plot, const LoadedStudy& study) {
    HeldValues held;
    settle(plot, study.table, held);
    return plot;
}

/// The picture that a tile shows of it.
inline StudyChart drawn(const engine::StudyPlot& plot, const LoadedStudy& study,
                        const engine::RowMask* kept = nullptr) {
    return studyChart(study, settled(plot, study), kept);
}

} // namespace heteroscape::widgets::test

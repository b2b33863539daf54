// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/study_plot.h"

#include <QCoreApplication>
#include <QRectF>

#include <span>

namespace heteroscape::widgets {

/// What a plot is drawn of.
struct PlotDrawing {
    const LoadedStudy& study;
    const engine::StudyPlot& plot;
    const engine::RowMask* kept; ///< null: all
    const std::vector<engine::Limit>& limits;
    const std::stop_token& stop;
};

using Stretches = std::vector<engine::Limit>;

/// A kind of plot: an object in a file of its own, listed once in plotForms(). Its words are translated where
/// they are shown.
struct PlotForm {
    enum class Shows { Curves, Points, Designs }; ///< a cut, every point, or single designs, evaluated again
    enum class Page { Chart, Parallel, Timeline };
    const char* label = nullptr;
    const char* entry = nullptr; ///< in the menu of plots; null: the label
    const char* name = nullptr;  ///< of a plot without a title; null: what is plotted
    Shows shows = Shows::Curves;
    Page page = Page::Chart;
    const char* curves = nullptr;  ///< what the second axis is for; null: neither it nor a metric is chosen
    const char* by = nullptr;      ///< the word before it
    bool combines = false;         ///< curves of combinations of axes: cases
    const char* further = nullptr; ///< heading of the further metrics; null: there are none
    bool onRight = false;          ///< further metrics have an axis of their own
    std::size_t metrics = 1;       ///< it begins with
    bool crossovers = false;
    std::vector<bool engine::StudyPlot::*> marks{}; ///< what can be switched on

    using Plot = const engine::StudyPlot&;
    /// What such a plot without a title is called, where that takes more than a word.
    QString (*title)(const LoadedStudy&, Plot) = nullptr;
    /// Makes the plot fit beside what settle() does for all. May leave another kind.
    void (*settle)(engine::StudyPlot&, const engine::StudyTable&) = nullptr;
    /// Whether its lines are so many that a map of them says more.
    bool (*drawsMap)(const LoadedStudy&, Plot) = nullptr;
    /// Into a chart whose titles are set; null: as lines. Throws Error (Cancelled).
    void (*draw)(StudyChart&, const PlotDrawing&) = nullptr;
    /// Leaves other rows out of what is drawn; false: it has to be drawn anew.
    bool (*refilter)(StudyChart&, const PlotDrawing&) = nullptr;
    /// What a box in the values of its axes brushes; null: there is no column to brush.
    Stretches (*brushed)(const LoadedStudy&, Plot, const QRectF&) = nullptr;

    bool isCut() const { return shows == Shows::Curves; }
    bool isOfEveryPoint() const { return shows == Shows::Points; }
    bool isOfDesigns() const { return shows == Shows::Designs; }
    bool isChart() const { return page == Page::Chart; }
    bool isTimeline() const { return page == Page::Timeline; }
    bool isCloud() const { return isOfEveryPoint() && isChart(); }
    bool evaluates() const { return isOfDesigns() && isChart(); } ///< when it is drawn: not for the UI thread
    bool offers(bool engine::StudyPlot::*mark) const;
    static QString words(const char* text); ///< translated
};

struct ListedForm {
    engine::PlotKind kind;
    const PlotForm* form;
};
std::span<const ListedForm> plotForms(); ///< in the order of menus, the plainest first
const PlotForm& plotForm(engine::PlotKind kind);
engine::PlotKind kindOf(const PlotForm& form); ///< of the list

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document.h"
#include "widgets/plots/chart_painter.h"
#include "widgets/plots/note_look.h"

#include <QObject>
#include <QPointer>

#include <optional>
#include <string>

class QMenu;
class QMouseEvent;

namespace heteroscape::widgets {

class PlotView;

/// The notes of a design that stand on one plot, and what is done to them there: key N or the plot's menu
/// adds one, a drag moves it, a double click or Enter writes in it, Delete takes it away. Nothing until
/// keepIn().
class PlotNotes : public QObject {
    Q_OBJECT
public:
    PlotNotes(PlotView& view, QCustomPlot& plot, ChartPainter& painter);

    void keepIn(Document& document);                ///< which outlives the plot
    void setPlot(const std::string& plot);          ///< which plot is shown; empty: one that has no notes
    std::vector<ChartNote> shown() const;           ///< of the document, or as a drag has them
    void addAt(QPointF at);                         ///< within the view: what it points at
    void addTo(QMenu& menu, QPointF at);            ///< what can be done about notes there
    QRectF boxOf(const std::string& id) const;      ///< within the view
    NoteEditor* editor() const { return m_editor; } ///< null unless one is being written
    const std::string& chosen() const { return m_chosen; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    const engine::Note* noteAt(QPointF at) const;
    const engine::Note* find(const std::string& id) const;
    bool mouse(const QMouseEvent& event);
    bool key(int key);
    void choose(const std::string& id);
    void show();
    void write(const engine::Note& note);
    void end(bool keep);
    void remove(const std::string& id);

    /// A note on its way to another place.
    struct Move {
        QPointF from;
        engine::Note note;
        bool begun = false;
    };

    PlotView& m_view;
    QCustomPlot& m_plot;
    ChartPainter& m_painter;
    Document* m_document = nullptr;
    std::string m_name; ///< of the plot
    std::string m_chosen;
    std::optional<Move> m_move;
    QPointer<NoteEditor> m_editor;
    engine::Note m_written;
};

} // namespace heteroscape::widgets

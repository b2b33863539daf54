// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot_notes.h"

#include "widgets/plots/chart_overlay.h"
#include "widgets/plots/plot_view.h"

#include "engine/scenario/notes.h"

#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>

#include <qcustomplot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace heteroscape::widgets {

namespace {

constexpr double kNoteWidth = 180;
/// Where a new note stands, from what it points at: the first that hides no star and no note.
constexpr std::array kNotePlaces{QPointF(28, -56),    QPointF(28, 24),   QPointF(-208, -56),
                                 QPointF(-208, 24),   QPointF(28, -130), QPointF(28, 100),
                                 QPointF(-208, -130), QPointF(-208, 100)};
constexpr double kStarRoom = 10;
constexpr double kNoteMoves = 4; // px: a press that moves less is a click
constexpr QSize kNoteEditor(180, 64);

QPointF offsetOf(const engine::Note& note) {
    return {note.position.x, note.position.y};
}

ChartNote chartNote(const engine::Note& note, bool chosen) {
    return {note.id.value,  QString::fromStdString(note.text),
            note.plot->x,   note.plot->y,
            offsetOf(note), note.width,
            chosen};
}

} // namespace

PlotNotes::PlotNotes(PlotView& view, QCustomPlot& plot, ChartPainter& painter)
    : m_view(view), m_plot(plot), m_painter(painter) {}

void PlotNotes::keepIn(Document& document) {
    m_document = &document;
    m_view.installEventFilter(this);
    m_plot.installEventFilter(this);
    connect(&document, &Document::changed, this, &PlotNotes::show);
    connect(&document, &Document::reset, this, [this] { end(false); }); // it was of another design
    show();
}

void PlotNotes::setPlot(const std::string& plot) {
    if (plot == m_name)
        return;
    end(true);
    m_name = plot;
    m_chosen.clear();
    show();
}

std::vector<ChartNote> PlotNotes::shown() const {
    std::vector<ChartNote> notes;
    if (!m_document || m_name.empty())
        return notes;
    for (const auto& note : m_document->scenario().notes) {
        if (!note.plot || note.plot->plot != m_name || (m_editor && note.id == m_written.id))
            continue;
        const bool moves = m_move && m_move->note.id == note.id;
        notes.push_back(chartNote(moves ? m_move->note : note, note.id.value == m_chosen));
    }
    return notes;
}

void PlotNotes::show() {
    if (!m_chosen.empty() && !find(m_chosen))
        m_chosen.clear();
    m_painter.setNotes(shown());
}

const engine::Note* PlotNotes::find(const std::string& id) const {
    return m_document ? m_document->scenario().findNote({id}) : nullptr;
}

QRectF PlotNotes::boxOf(const std::string& id) const {
    for (const auto& note : m_painter.chart().notes)
        if (note.id == id)
            return m_painter.overlay().noteBox(note).translated(m_plot.pos());
    return {};
}

const engine::Note* PlotNotes::noteAt(QPointF at) const {
    const auto& notes = m_painter.chart().notes;
    const auto found = std::find_if(notes.rbegin(), notes.rend(),
                                    [&](const ChartNote& note) { return boxOf(note.id).contains(at); });
    return found == notes.rend() ? nullptr : find(found->id);
}

void PlotNotes::choose(const std::string& id) {
    m_chosen = id;
    show();
    m_view.setAccessibleDescription(id.empty() ? QString()
                                               : tr("Note: %1").arg(QString::fromStdString(find(id)->text)));
}

void PlotNotes::addAt(QPointF at) {
    if (!m_document || m_name.empty())
        return;
    const auto within = m_painter.plotArea();
    const auto pixel = at - QPointF(m_plot.pos());
    engine::Note note;
    note.id = engine::freshNoteId(m_document->scenario(), "note");
    note.width = kNoteWidth;
    note.plot = engine::PlotPlace{m_name, m_painter.xAt(std::clamp(pixel.x(), within.left(), within.right())),
                                  m_painter.yAt(std::clamp(pixel.y(), within.top(), within.bottom()))};
    const auto& chart = m_painter.chart();
    const auto isFree = [&](const QPointF& offset) {
        note.position = {offset.x(), offset.y()};
        auto box = m_painter.overlay().noteBox(chartNote(note, false));
        box.setHeight(kNoteEditor.height()); // it is not written yet
        return std::none_of(chart.stars.begin(), chart.stars.end(),
                            [&](const ChartStar& star) {
                                return box.adjusted(-kStarRoom, -kStarRoom, kStarRoom, kStarRoom)
                                    .contains(m_painter.pixel(star.x, star.y, star.onRight));
                            }) &&
               std::none_of(chart.notes.begin(), chart.notes.end(), [&](const ChartNote& other) {
                   return box.intersects(m_painter.overlay().noteBox(other));
               });
    };
    const auto free = std::find_if(kNotePlaces.begin(), kNotePlaces.end(), isFree);
    const auto& offset = free == kNotePlaces.end() ? kNotePlaces.front() : *free;
    note.position = {offset.x(), offset.y()};
    write(note);
}

void PlotNotes::addTo(QMenu& menu, QPointF at) {
    if (!m_document || m_name.empty())
        return;
    if (const auto* note = noteAt(at)) {
        choose(note->id.value);
        menu.addAction(tr("Write in the note"), this, [this, id = note->id.value] {
            if (const auto* there = find(id))
                write(*there);
        });
        menu.addAction(tr("Remove the note"), this, [this, id = note->id.value] { remove(id); });
    } else {
        menu.addAction(Theme::instance().icon(QStringLiteral("note")), tr("Add a note here"), this,
                       [this, at] { addAt(at); });
    }
    menu.addSeparator();
}

void PlotNotes::write(const engine::Note& note) {
    end(true);
    m_written = note;
    m_editor = new NoteEditor(QString::fromStdString(note.text), &m_view);
    connect(m_editor, &NoteEditor::finished, this, &PlotNotes::end);
    connect(m_editor, &NoteEditor::tooLong, m_document, &Document::refused);
    const auto box = m_painter.overlay().noteBox(chartNote(note, true)).translated(m_plot.pos());
    m_editor->setGeometry(QRect(box.topLeft().toPoint(), box.size().toSize().expandedTo(kNoteEditor)));
    m_editor->setZoom(1.0);
    m_editor->show();
    m_editor->setFocus();
    show(); // without it
}

void PlotNotes::end(bool keep) {
    if (!m_editor)
        return;
    auto* editor = m_editor.data();
    m_editor.clear(); // first: losing its focus ends it
    editor->deleteLater();
    editor->hide();
    m_view.setFocus();
    auto note = m_written;
    note.text = editor->toPlainText().trimmed().toStdString();
    if (keep && note.text.empty())
        remove(note.id.value);
    else if (keep && m_document->perform(engine::PutNote{note}))
        m_chosen = note.id.value;
    show();
}

void PlotNotes::remove(const std::string& id) {
    if (find(id))
        m_document->perform(engine::DropNote{{id}});
}

bool PlotNotes::key(int key) {
    const auto* chosen = m_chosen.empty() ? nullptr : find(m_chosen);
    switch (key) {
    case Qt::Key_N:
        addAt(m_view.pointer().walked() ? m_view.pixelOf(*m_view.pointer().walked())
                                        : m_view.pointer().plotArea().center());
        return true;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        if (chosen)
            remove(chosen->id.value);
        return chosen;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (chosen)
            write(*chosen);
        return chosen;
    case Qt::Key_Escape:
        if (chosen)
            choose({});
        return chosen;
    default:
        return false;
    }
}

/// True: it was a note's, and nobody else's.
bool PlotNotes::mouse(const QMouseEvent& event) {
    const auto at = event.position() + QPointF(m_plot.pos());
    switch (event.type()) {
    case QEvent::MouseButtonPress:
        if (const auto* note = event.button() == Qt::LeftButton ? noteAt(at) : nullptr) {
            m_view.setFocus(Qt::MouseFocusReason);
            m_move = Move{at, *note};
            choose(note->id.value);
            return true;
        }
        if (!m_chosen.empty())
            choose({});
        return false;
    case QEvent::MouseMove: {
        if (!m_move)
            return false;
        const auto way = at - m_move->from;
        m_move->begun = m_move->begun || way.manhattanLength() >= kNoteMoves;
        if (const auto* note = find(m_move->note.id.value); note && m_move->begun) {
            // From where it is seen, which may be pushed in from where it is kept.
            auto kept = chartNote(*note, true);
            const auto corner = m_painter.overlay().noteBox(kept).topLeft() + way -
                                m_painter.pixel(note->plot->x, note->plot->y);
            m_move->note.position = {std::round(corner.x()), std::round(corner.y())};
            show();
        }
        return true;
    }
    case QEvent::MouseButtonRelease: {
        if (!m_move)
            return false;
        const auto move = *std::exchange(m_move, std::nullopt);
        if (move.begun)
            m_document->perform(engine::PutNote{move.note});
        show();
        return true;
    }
    case QEvent::MouseButtonDblClick:
        if (const auto* note = noteAt(at)) {
            m_move.reset();
            write(*note);
            return true;
        }
        return false;
    default:
        return false;
    }
}

bool PlotNotes::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &m_plot && event->type() >= QEvent::MouseButtonPress && event->type() <= QEvent::MouseMove)
        return mouse(*static_cast<QMouseEvent*>(event));
    if (watched == &m_view && event->type() == QEvent::KeyPress) {
        const auto& press = *static_cast<QKeyEvent*>(event);
        return press.modifiers() == Qt::NoModifier && key(press.key());
    }
    return QObject::eventFilter(watched, event);
}

} // namespace heteroscape::widgets

#include "moc_plot_notes.cpp"

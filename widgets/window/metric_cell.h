// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/metric.h"
#include "widgets/theme/theme.h"

#include <QAbstractButton>
#include <QFrame>
#include <vector>

class QListWidget;

namespace heteroscape::widgets {

/// A popup with every metric that the strip could show: those chosen are ticked and stand first, in their
/// order; rows are ticked by a click or Space, and moved by dragging or with Alt and the arrow keys. UI
/// thread.
class MetricsChooser : public QFrame {
    Q_OBJECT
public:
    struct Row {
        engine::Metric metric;
        QString text;  ///< "Time to first token"
        QString value; ///< "4.19 s"; empty: none
        bool isChosen = false;
    };
    explicit MetricsChooser(const std::vector<Row>& rows, QWidget* parent = nullptr);

signals:
    void chosen(const std::vector<engine::Metric>& metrics); ///< another choice or order; never empty
    void resetRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void tell();
    void moveCurrent(int by);

    QListWidget* m_list;
};

/// One metric of the metrics strip: caption, value with unit, and a line below. A click asks how the metric
/// came about. UI thread.
class MetricCell : public QAbstractButton {
    Q_OBJECT
public:
    explicit MetricCell(const QString& caption, QWidget* parent = nullptr);

    struct Content {
        QString value;
        QString unit;
        QString note;        ///< the line below
        QString pill;        ///< in its place where there is none: what to know before one believes the value
        QString shortPill{}; ///< of the pill what is still said where there is no room for all of it
        ColorRole noteRole = ColorRole::Muted;
        QString icon; ///< before the value; the value is then a text in `valueRole`, not a large number
        ColorRole valueRole = ColorRole::Text;
        bool stale = false; ///< greyed: of the last design that could run
        bool operator==(const Content&) const = default;
    };
    void setContent(const Content& content);
    const Content& content() const { return m_content; }
    void setNoteVisible(bool visible);
    QString writtenPill() const; ///< of the pill what is drawn in words; empty: a mark, or there is none

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QFont valueFont() const;
    bool isUnitBelow() const; ///< in a narrow window: it takes the line of the note
    bool hasNote() const { return m_noteVisible && !m_content.note.isEmpty(); }

    QString m_caption;
    Content m_content;
    bool m_noteVisible = true;
};

} // namespace heteroscape::widgets

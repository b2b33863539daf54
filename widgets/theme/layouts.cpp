// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/layouts.h"

#include "widgets/theme/text_label.h"

#include <QEvent>
#include <QMenu>
#include <QWidgetAction>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

/// Keeps a widget at an edge of another, whatever size either takes.
class Floating : public QObject {
public:
    Floating(QWidget* widget, QWidget* view, Qt::Edge edge, int margin, int widest)
        : QObject(widget), m_widget(widget), m_view(view), m_edge(edge), m_margin(margin), m_widest(widest) {
        widget->setParent(view);
        widget->installEventFilter(this);
        view->installEventFilter(this);
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        const auto type = event->type();
        if (watched == m_view ? type == QEvent::Resize
                              : type == QEvent::LayoutRequest || type == QEvent::Show)
            place();
        return false;
    }

private:
    void place() {
        const int width = std::min(m_widest, m_view->width() - 2 * m_margin);
        const int needed = m_widget->heightForWidth(width);
        const int height = needed > 0 ? needed : m_widget->sizeHint().height();
        const int top = m_edge == Qt::TopEdge ? m_margin : m_view->height() - height - m_margin;
        m_widget->setGeometry((m_view->width() - width) / 2, top, width, height);
        m_widget->raise();
    }

    QWidget* m_widget;
    QWidget* m_view;
    Qt::Edge m_edge;
    int m_margin, m_widest;
};

} // namespace

void floatOver(QWidget* widget, QWidget* view, Qt::Edge edge, int margin, int widest) {
    new Floating(widget, view, edge, margin, widest);
}

QAction* addHeading(QMenu* menu, const QString& text) {
    menu->setSeparatorsCollapsible(false); // else the first one is left out
    auto* label = new TextLabel(text, TextSize::Caption, ColorRole::Muted, QFont::DemiBold);
    label->setContentsMargins(10, 7, 24, 3); // its words in line with those of the entries
    auto* heading = new QWidgetAction(menu);
    heading->setDefaultWidget(label);
    heading->setText(text);      // for whoever reads the menu aloud
    heading->setSeparator(true); // keys pass it by
    menu->addAction(heading);
    return heading;
}

} // namespace heteroscape::widgets

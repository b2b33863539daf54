// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/palette/palette_search.h"

#include "widgets/palette/palette_list.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>

namespace heteroscape::widgets {

PaletteSearch::PaletteSearch(PaletteList* list, QWidget* parent) : QLineEdit(parent), m_list(list) {}

void PaletteSearch::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Paste) &&
        QGuiApplication::clipboard()->text().trimmed().startsWith(QLatin1Char('{'))) {
        emit pasteRequested();
        return;
    }
    switch (event->key()) {
    case Qt::Key_Escape:
        if (text().isEmpty())
            break;
        clear();
        return;
    case Qt::Key_Down:
    case Qt::Key_Up:
    case Qt::Key_Return:
    case Qt::Key_Enter: {
        const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
        if (enter && text().simplified().isEmpty())
            return; // nothing was asked for
        const auto* current = m_list->row(m_list->currentRow());
        if (!current || current->isHeading())
            selectFirst();
        if (enter)
            m_list->choose(m_list->currentItem());
        else
            m_list->setFocus();
        return;
    }
    default:
        break;
    }
    QLineEdit::keyPressEvent(event);
}

/// The first whose name holds what was typed; others only speak of it.
void PaletteSearch::selectFirst() {
    const auto typed = soughtText(text().simplified());
    const auto isNamed = [&](int row) { return soughtText(m_list->row(row)->name).contains(typed); };
    int first = -1;
    for (int i = m_list->count() - 1; i >= 0; --i) {
        if (m_list->row(i)->isHeading())
            continue;
        if (isNamed(i) || first < 0 || !isNamed(first))
            first = i;
    }
    if (first >= 0)
        m_list->setCurrentRow(first);
}

} // namespace heteroscape::widgets

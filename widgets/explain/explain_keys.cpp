// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explain/explain_keys.h"

#include "widgets/explain/explanation_popup.h"

#include <QAbstractItemView>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>

namespace heteroscape::widgets {

namespace {

/// Sees the keys before the view takes letters for a search.
class ExplainKeys : public QObject {
public:
    ExplainKeys(QAbstractItemView* view, ExplainCell cell, bool enter)
        : QObject(view), m_view(view), m_cell(std::move(cell)), m_enter(enter) {
        view->installEventFilter(this);
        view->viewport()->installEventFilter(this);
        if (enter)
            connect(view, &QAbstractItemView::doubleClicked, this,
                    [this](const QModelIndex& index) { explain(index); });
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::ShortcutOverride && isMine(static_cast<QKeyEvent*>(event))) {
            event->accept(); // the key is a command of the window elsewhere
            return true;
        }
        if (event->type() == QEvent::KeyPress && isMine(static_cast<QKeyEvent*>(event)))
            return explain(m_view->currentIndex());
        if (event->type() == QEvent::ContextMenu)
            return menu(static_cast<QContextMenuEvent*>(event));
        return QObject::eventFilter(watched, event);
    }

private:
    QAbstractItemView* m_view;
    ExplainCell m_cell;
    bool m_enter;

    bool isMine(const QKeyEvent* event) const {
        if (event->modifiers() & ~Qt::KeypadModifier)
            return false;
        return event->key() == Qt::Key_E ||
               (m_enter && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter));
    }

    bool explain(const QModelIndex& index) {
        const auto target = index.isValid() ? m_cell(index) : std::nullopt;
        if (!target)
            return false;
        const auto rect = m_view->visualRect(index);
        ExplanationPopup::show(target->scenario, target->metric,
                               m_view->viewport()->mapToGlobal(rect.bottomLeft()), m_view);
        return true;
    }

    bool menu(const QContextMenuEvent* event) {
        const auto index = event->reason() == QContextMenuEvent::Mouse ? m_view->indexAt(event->pos())
                                                                       : m_view->currentIndex();
        if (!index.isValid() || !m_cell(index))
            return false;
        m_view->setCurrentIndex(index);
        QMenu menu(m_view);
        menu.addAction(tr("How it comes about"), this,
                       [this, at = QPersistentModelIndex(index)] { explain(at); });
        menu.exec(event->globalPos());
        return true;
    }
};

} // namespace

void explainCells(QAbstractItemView* view, ExplainCell cell, bool enter) {
    new ExplainKeys(view, std::move(cell), enter); // the view's child
}

} // namespace heteroscape::widgets

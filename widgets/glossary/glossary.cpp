// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/glossary/glossary.h"

#include "engine/exporters/guide.h"
#include "widgets/glossary/guide_window.h"
#include "widgets/theme/plain_text.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QCoreApplication>
#include <QCursor>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPointer>
#include <QTableWidgetItem>
#include <QWhatsThis>
#include <QWhatsThisClickedEvent>
#include <QWidget>

#include <optional>

namespace heteroscape::widgets {

void tellWhatThisIs() {
    auto* focused = QApplication::focusWidget();
    if (auto* table = qobject_cast<QAbstractItemView*>(focused); table && table->currentIndex().isValid())
        if (const auto text = table->currentIndex().data(Qt::WhatsThisRole).toString(); !text.isEmpty()) {
            QWhatsThis::showText(
                table->viewport()->mapToGlobal(table->visualRect(table->currentIndex()).bottomLeft()), text,
                table);
            return;
        }
    for (auto* widget = focused; widget; widget = widget->isWindow() ? nullptr : widget->parentWidget())
        if (!widget->whatsThis().isEmpty()) {
            QWhatsThis::showText(focused->mapToGlobal(focused->rect().bottomLeft()), widget->whatsThis(),
                                 focused);
            return;
        }
    QWhatsThis::enterWhatsThisMode();
}

namespace {

struct GlossaryText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::Glossary)
};

constexpr QLatin1String kLinkBegin("<p><a href=\"");

} // namespace

QString Term::html() const {
    auto html = QStringLiteral("<p>") + strongMarkup(term);
    if (!unit.isEmpty())
        html += QStringLiteral(" (%1)").arg(unit.toHtmlEscaped());
    html += QStringLiteral("</p><p>%1</p>").arg(text.toHtmlEscaped());
    if (!equation.isEmpty())
        html += QStringLiteral("<p>= %1</p>").arg(equation.toHtmlEscaped());
    if (!source.isEmpty())
        html += QStringLiteral("<p><i>%1</i></p>")
                    .arg(GlossaryText::tr("Source: %1").arg(source).toHtmlEscaped());
    return html + kLinkBegin + link.toHtmlEscaped() +
           QStringLiteral("\">%1</a></p>").arg(GlossaryText::tr("Open the guide (F1)"));
}

QString guideLink(const QString& whatsThis) {
    const auto begin = whatsThis.lastIndexOf(kLinkBegin);
    if (begin < 0)
        return {};
    const auto from = begin + kLinkBegin.size();
    return whatsThis.mid(from, whatsThis.indexOf(u'"', from) - from);
}

const Glossary& Glossary::instance() {
    static const Glossary glossary;
    return glossary;
}

Glossary::Glossary() {
    const auto text = [](const std::string& said) { return QString::fromStdString(said); };
    for (const auto& word : engine::Guide::shipped().words()) {
        m_terms.push_back({text(word.label),
                           text(word.about),
                           text(word.unit),
                           text(word.equation),
                           text(word.source),
                           text(word.link),
                           {}});
        for (const auto& key : word.keys)
            m_terms.back().names << text(key);
    }
}

const Term* Glossary::find(std::string_view name) const {
    const auto& guide = engine::Guide::shipped();
    const auto* word = guide.find(name);
    return word ? &m_terms[static_cast<std::size_t>(word - guide.words().data())] : nullptr;
}

QString Glossary::whatsThis(const QString& name) const {
    const auto* term = find(name);
    return term ? term->html() : QString();
}

void setTerm(QWidget* widget, std::string_view name) {
    if (const auto* term = Glossary::instance().find(name))
        widget->setWhatsThis(term->html());
}

void setTerm(QAction* action, std::string_view name) {
    if (const auto* term = Glossary::instance().find(name))
        action->setWhatsThis(term->html());
}

void setTerm(QTableWidgetItem* head, std::string_view name) {
    if (const auto* term = Glossary::instance().find(name))
        head->setWhatsThis(term->html());
}

namespace {

/// The link of a widget, or of what it lies in: of a table the cell or head at `at`, or the current cell.
QString linkOf(const QWidget* widget, std::optional<QPoint> at) {
    for (; widget; widget = widget->isWindow() ? nullptr : widget->parentWidget()) {
        QString said = widget->whatsThis();
        if (const auto* head = qobject_cast<const QHeaderView*>(widget); head && at && head->model()) {
            const int section = head->logicalIndexAt(head->viewport()->mapFromGlobal(*at));
            said = head->model()->headerData(section, head->orientation(), Qt::WhatsThisRole).toString();
        } else if (const auto* view = qobject_cast<const QAbstractItemView*>(widget)) {
            const auto index =
                at ? view->indexAt(view->viewport()->mapFromGlobal(*at)) : view->currentIndex();
            if (const auto cell = index.data(Qt::WhatsThisRole).toString(); !cell.isEmpty())
                said = cell;
        } else if (const auto* menu = qobject_cast<const QMenu*>(widget); menu && menu->activeAction())
            said = menu->activeAction()->whatsThis();
        if (const auto link = guideLink(said); !link.isEmpty())
            return link;
    }
    return {};
}

class GuideKey : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override {
        auto* widget = qobject_cast<QWidget*>(watched);
        if (!widget)
            return false;
        if (event->type() == QEvent::WhatsThisClicked) {
            showGuide(widget, static_cast<QWhatsThisClickedEvent*>(event)->href());
            return true;
        }
        if (event->type() != QEvent::KeyPress)
            return false;
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() != Qt::Key_F1 || key->modifiers() != Qt::NoModifier)
            return false;
        const auto* menu = qobject_cast<QMenu*>(widget);
        const auto link = menu ? linkOf(menu, {}) : linkOfWhatIsHere(widget);
        for (auto* popup = QApplication::activePopupWidget(); popup;
             popup = QApplication::activePopupWidget())
            popup->close();
        showGuide(widget, link);
        return true;
    }
};

} // namespace

QString linkOfWhatIsHere(const QWidget* focus) {
    const auto focused = linkOf(focus, {});
    if (focused.contains(u'#'))
        return focused;
    const auto place = QCursor::pos();
    const auto* window = focus ? focus->window() : QApplication::activeWindow();
    const auto under = window ? linkOf(window->childAt(window->mapFromGlobal(place)), place) : QString();
    return under.isEmpty() ? focused : under;
}

void installGuideKey() {
    static QPointer<GuideKey> key; // goes with the application
    if (key)
        return;
    key = new GuideKey(qApp);
    qApp->installEventFilter(key);
}

} // namespace heteroscape::widgets

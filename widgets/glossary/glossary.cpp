// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/glossary/glossary.h"

#include "engine/exporters/guide.h"
#include "widgets/theme/plain_text.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QCoreApplication>
#include <QTableWidgetItem>
#include <QWhatsThis>
#include <QWidget>

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

} // namespace heteroscape::widgets

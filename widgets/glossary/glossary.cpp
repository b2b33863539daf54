// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/glossary/glossary.h"

#include "engine/exporters/words.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/theme.h"

#include <QAction>
#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTableWidgetItem>
#include <QWidget>

namespace heteroscape::widgets {

namespace {

struct GlossaryText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::Glossary)
};

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
    return html;
}

const Glossary& Glossary::instance() {
    static const Glossary glossary;
    return glossary;
}

Glossary::Glossary() {
    Theme::instance(); // takes the resources in
    QFile file(QStringLiteral(":/heteroscape/glossary.json"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("The glossary is not built in");
    const auto glossary = QJsonDocument::fromJson(file.readAll()).object();
    for (const auto& value : glossary.value(QLatin1String("words")).toArray()) {
        const auto object = value.toObject();
        const auto text = [&](const char* key) { return object.value(QLatin1String(key)).toString(); };
        Term term{text("term"), text("text"), text("unit"), text("equation"), text("source"), {}};
        for (const auto& name : object.value(QLatin1String("names")).toArray())
            term.names << name.toString();
        m_terms.push_back(std::move(term));
    }
    for (const auto& word : engine::words()) {
        Term term{QString::fromStdString(word.label),
                  QString::fromStdString(word.about),
                  QString::fromStdString(word.unit),
                  {},
                  {},
                  {}};
        for (const auto& key : word.keys)
            term.names << QString::fromStdString(key);
        m_terms.push_back(std::move(term));
    }
    for (std::size_t i = 0; i < m_terms.size(); ++i)
        for (const auto& name : m_terms[i].names)
            know(name, i);
    for (std::size_t i = 0; i < m_terms.size(); ++i) // a name of another goes before
        know(m_terms[i].term, i);
    const auto others = glossary.value(QLatin1String("other_names")).toObject();
    for (auto other = others.begin(); other != others.end(); ++other) {
        const auto of = m_byName.value(other.value().toString());
        m_terms[of].names << other.key();
        know(other.key(), of);
    }
}

void Glossary::know(const QString& name, std::size_t term) {
    if (!m_byName.contains(name.toLower()))
        m_byName.insert(name.toLower(), term);
}

const Term* Glossary::find(const QString& name) const {
    auto wanted = name.toLower();
    if (wanted.endsWith(QStringLiteral(".enabled"))) // a technique's switch is the technique
        wanted.chop(8);
    for (;;) {
        if (const auto found = m_byName.constFind(wanted); found != m_byName.constEnd())
            return &m_terms[*found];
        const auto dot = wanted.indexOf(u'.');
        if (dot < 0)
            return nullptr;
        wanted = wanted.mid(dot + 1);
    }
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

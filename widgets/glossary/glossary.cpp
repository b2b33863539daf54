// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/glossary/glossary.h"

#include "engine/catalog/offload_kind.h"
#include "engine/catalog/timing_kind.h"
#include "engine/scenario/arrival_kind.h"
#include "engine/scenario/batching_kind.h"
#include "engine/scenario/node_fields.h"
#include "engine/scenario/scenario.h"
#include "engine/scenario/technique.h"
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
    const auto array = QJsonDocument::fromJson(file.readAll()).array();
    for (const auto& value : array) {
        const auto object = value.toObject();
        const auto text = [&](const char* key) { return object.value(QLatin1String(key)).toString(); };
        Term term{text("term"), text("text"), text("unit"), text("equation"), text("source"), {}};
        for (const auto& name : object.value(QLatin1String("names")).toArray())
            term.names << name.toString();
        m_terms.push_back(std::move(term));
    }
    for (std::size_t i = 0; i < m_terms.size(); ++i)
        for (const auto& name : m_terms[i].names)
            m_byName.insert(name.toLower(), i);
    for (std::size_t i = 0; i < m_terms.size(); ++i) // a name of another goes before
        if (!m_byName.contains(m_terms[i].term.toLower()))
            m_byName.insert(m_terms[i].term.toLower(), i);
    const auto takeFields = [this](auto fields) {
        for (const auto& field : fields)
            takeLabel(field.spec.key, field.spec.label);
    };
    takeFields(engine::deviceFields());
    takeFields(engine::modelFields());
    takeFields(engine::runtimeFields());
    takeFields(engine::workloadFields());
    takeFields(engine::linkTypeFields());
    takeFields(engine::nodeFields());
    takeFields(engine::servingFields());
    takeFields(engine::economicsFields());
    const auto takeKinds = [this](const auto& kinds) {
        for (const auto* kind : kinds.all()) {
            takeLabel(kind->id(), kind->label());
            for (const auto& parameter : kind->parameters())
                takeLabel(std::string(kind->id()) + '.' + std::string(parameter.spec.key),
                          parameter.spec.label);
        }
    };
    takeKinds(engine::timingKinds());
    takeKinds(engine::offloadKinds());
    takeKinds(engine::techniqueKinds());
    takeKinds(engine::arrivalKinds());
    takeKinds(engine::batchingKinds());
}

void Glossary::takeLabel(std::string_view key, std::string_view label) {
    const auto word = QString::fromUtf8(label.data(), static_cast<qsizetype>(label.size())).toLower();
    if (const auto* term = find(key); term && !m_byName.contains(word))
        m_byName.insert(word, static_cast<std::size_t>(term - m_terms.data()));
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

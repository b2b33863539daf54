// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/model_summary.h"

#include "engine/units/number_text.h"
#include "widgets/document/document.h"
#include "widgets/document/serving_view.h"
#include "widgets/parts/part_words.h"
#include "widgets/theme/text_label.h"

#include <QGridLayout>
#include <QLineEdit>
#include <QVBoxLayout>

namespace heteroscape::widgets {

namespace {

QString number(double value) {
    return QString::fromStdString(engine::plainText(value));
}

} // namespace

ModelSummary::ModelSummary(Document& document, PartLibrary& library, const PartStart& start, bool served,
                           QWidget* parent)
    : PartDialog(document, library, start, parent), m_model(std::get<engine::Model>(start.part)) {
    const auto title = QString::fromStdString(m_model.name);
    setWindowTitle(served ? tr("%1 is served now").arg(title) : tr("Edit %1").arg(title));
    if (served) {
        setWindowModality(Qt::NonModal); // the design with it is there to be looked at
        setButtonTexts(tr("Save"), tr("Close"));
    }
    addFact(tr("Parameters"), modelLine(m_model).section(QLatin1Char(','), 0, 0));
    addFact(tr("Layers"), number(m_model.layers.value));
    addFact(tr("Hidden size"), number(m_model.hidden.value));
    if (m_model.isUniform())
        addFact(tr("Heads"), tr("%1 for queries, %2 for keys and values, %3 elements each")
                                 .arg(number(m_model.heads.value), number(m_model.kvHeads.value),
                                      number(m_model.headDim.value)));
    for (const auto& group : m_model.groups)
        addFact(tr("%1 layers").arg(number(group.count)),
                words(group.attention->label()) + QStringLiteral(": ") +
                    QString::fromStdString(group.attention->words(group.figures)));
    if (m_model.ffn.isSet())
        addFact(tr("Feed-forward size"), number(m_model.ffn.value));
    if (m_model.weights)
        addFact(tr("Weights"), words(m_model.weights->label));
    if (m_model.isMixture())
        addFact(tr("Experts"),
                tr("%1, of which a token takes %2")
                    .arg(number(m_model.experts.value), number(m_model.expertsPerToken.valueOr(1.0))));
    addFact(tr("Vocabulary"), number(m_model.vocab.value));
    if (!m_model.about.empty())
        addFact(tr("About"), QString::fromStdString(m_model.about));
    body()->addStretch(1);
    if (!served)
        setUseText(tr("Serve it now"));
    refresh();
    resize(parent ? std::min(640, parent->width() - 40) : 640, 340);
    name()->setFocus();
    name()->selectAll();
}

void ModelSummary::addFact(const QString& label, const QString& value) {
    auto* row = new QHBoxLayout;
    auto* key = new TextLabel(label, TextSize::Dense, ColorRole::Muted, this);
    key->setFixedWidth(124);
    auto* text = new TextLabel(value, TextSize::Dense, ColorRole::Text, this);
    text->setWordWrap(true);
    row->addWidget(key, 0, Qt::AlignTop);
    row->addWidget(text, 1);
    body()->addLayout(row);
    m_facts << label + QStringLiteral(": ") + value;
}

OwnPart ModelSummary::part() const {
    auto model = m_model;
    model.id = id();
    model.name = name()->text().trimmed().toStdString();
    return model;
}

std::vector<engine::GraphEdit> ModelSummary::useEdits() const {
    return {engine::SetModel{std::get<engine::Model>(part())}};
}

std::vector<engine::GraphEdit> ModelSummary::boundEdits() const {
    return document().scenario().model.id == id() ? useEdits() : std::vector<engine::GraphEdit>();
}

} // namespace heteroscape::widgets

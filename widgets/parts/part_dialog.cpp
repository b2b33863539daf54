// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/part_dialog.h"

#include "engine/base/error.h"
#include "engine/units/number_text.h"
#include "widgets/document/document.h"
#include "widgets/document/serving_view.h"
#include "widgets/parts/part_library.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QStyle>
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

namespace {

constexpr int kSideWidth = 240;
constexpr int kLongestName = 80;

} // namespace

PartDialog::PartDialog(Document& document, PartLibrary& library, const PartStart& start, QWidget* parent)
    : QDialog(parent), m_document(document), m_library(library), m_kind(partKind(start.part)),
      m_isNew(start.isNew), m_id(partId(start.part)), m_name(new QLineEdit(partName(start.part), this)),
      m_idLabel(new TextLabel(TextSize::Caption, ColorRole::Muted, this)), m_body(new QVBoxLayout),
      m_side(new QVBoxLayout), m_inDesign(new QRadioButton(tr("This design alone"), this)),
      m_inLibrary(new QRadioButton(tr("My library, for every design"), this)), m_use(new QCheckBox(this)),
      m_problem(new TextLabel(TextSize::Dense, ColorRole::Error, this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowModality(Qt::WindowModal);
    m_name->setObjectName(QStringLiteral("name"));
    m_name->setMaxLength(kLongestName);
    m_name->setAccessibleName(tr("Name"));
    m_name->setToolTip(tr("What it is called everywhere; its id is made of it"));
    m_inDesign->setObjectName(QStringLiteral("inDesign"));
    m_inLibrary->setObjectName(QStringLiteral("inLibrary"));
    m_inDesign->setToolTip(tr("It travels in the design\u2019s file. Undo takes it back."));
    m_inLibrary->setToolTip(plainTip(tr("A file in %1").arg(library.folder())));
    (start.keep == PartOrigin::Design ? m_inDesign : m_inLibrary)->setChecked(true);
    m_use->setObjectName(QStringLiteral("use"));
    m_use->setChecked(start.use);
    m_use->hide(); // until there is something to use it for
    m_problem->setWordWrap(true);

    auto* head = new QGridLayout;
    head->setHorizontalSpacing(8);
    head->setVerticalSpacing(1);
    auto* label = new TextLabel(tr("Name"), TextSize::Dense, ColorRole::Text2, this);
    label->setBuddy(m_name);
    label->setFixedWidth(64);
    head->addWidget(label, 0, 0);
    head->addWidget(m_name, 0, 1);
    head->addWidget(m_idLabel, 1, 1);
    auto* main = new QVBoxLayout;
    main->setSpacing(8);
    main->addLayout(head);
    main->addLayout(m_body, 1);

    auto* side = new QVBoxLayout;
    side->setSpacing(6);
    side->addLayout(m_side);
    side->addWidget(
        new TextLabel(tr("Keep it in"), TextSize::Caption, ColorRole::Muted, QFont::DemiBold, this));
    side->addWidget(m_inLibrary);
    side->addWidget(m_inDesign);
    side->addSpacing(8);
    side->addWidget(m_use);
    side->addStretch(1);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    m_ok = buttons->button(QDialogButtonBox::Ok);
    m_ok->setObjectName(QStringLiteral("ok"));
    m_ok->setProperty("primary", true);
    // The box has looked at it already.
    m_ok->style()->polish(m_ok);
    m_cancel = buttons->button(QDialogButtonBox::Cancel);
    setButtonTexts(m_isNew ? tr("Keep it") : tr("Save"), tr("Cancel"));
    auto* foot = new QHBoxLayout;
    foot->addWidget(m_problem, 1);
    foot->addWidget(buttons);

    auto* columns = new QHBoxLayout;
    columns->setSpacing(16);
    columns->addLayout(main, 1);
    auto* sideWidget = new QWidget(this);
    side->setContentsMargins(0, 0, 0, 0);
    sideWidget->setLayout(side);
    sideWidget->setFixedWidth(kSideWidth);
    columns->addWidget(sideWidget);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 12);
    layout->addLayout(columns, 1);
    layout->addLayout(foot);

    connect(m_name, &QLineEdit::textEdited, this, &PartDialog::refresh);
    connect(buttons, &QDialogButtonBox::accepted, this, &PartDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &PartDialog::reject);
}

void PartDialog::setButtonTexts(const QString& ok, const QString& cancel) {
    m_ok->setText(ok);
    m_cancel->setText(cancel);
}

void PartDialog::setUseText(const QString& text) {
    m_use->setText(text);
    m_use->setVisible(!text.isEmpty());
}

QString PartDialog::problem() const {
    return m_name->text().trimmed().isEmpty() ? tr("Give it a name.") : fieldProblem();
}

void PartDialog::refresh() {
    if (m_isNew)
        m_id = freshPartId(m_document, m_kind, m_name->text());
    m_idLabel->setText(tr("Id: %1").arg(QString::fromStdString(m_id)));
    const auto wrong = problem();
    m_problem->setText(wrong);
    m_problem->setToolTip(plainTip(wrong));
    m_ok->setEnabled(wrong.isEmpty());
    m_ok->setToolTip(plainTip(wrong.isEmpty() ? tr("Keep it where it is said above") : wrong));
    m_ok->setAccessibleDescription(m_ok->toolTip());
    shown();
}

void PartDialog::accept() {
    if (!problem().isEmpty())
        return;
    const auto made = part();
    const auto where = m_inDesign->isChecked() ? PartOrigin::Design : PartOrigin::Library;
    const bool used = m_use->isVisibleTo(this) && m_use->isChecked();
    try {
        keepPart(m_document, m_library, made, where, used ? useEdits() : boundEdits(),
                 used ? tr("Make and use %1").arg(partName(made)) : tr("Make %1").arg(partName(made)));
    } catch (const engine::Error& error) { // what was typed stays
        m_problem->setText(QString::fromStdString(error.what()));
        return;
    }
    emit kept(where == PartOrigin::Design ? tr("%1 is kept in this design").arg(partName(made))
                                          : tr("%1 is in your library").arg(partName(made)));
    QDialog::accept();
}

} // namespace heteroscape::widgets

#include "moc_part_dialog.cpp"

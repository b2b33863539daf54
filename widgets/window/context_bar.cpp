// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/context_bar.h"

#include "engine/units/number_text.h"
#include "widgets/document/document.h"
#include "widgets/document/serving_view.h"
#include "widgets/glossary/glossary.h"
#include "widgets/inspector/choice_edit.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QMenu>
#include <QPainter>
#include <QPushButton>

#include <algorithm>
#include <array>
#include <vector>

namespace heteroscape::widgets {

namespace {

constexpr int kContextHeight = 44;
constexpr int kDesignWidth = 190, kLeastDesignWidth = 90;

} // namespace

ContextBar::ContextBar(Document* document, QWidget* parent)
    : QWidget(parent), m_document(document), m_presets(engine::listPresets(document->catalog())),
      m_design(new QPushButton(this)), m_model(new ChoiceEdit(*document, "model", this)),
      m_precision(new PrecisionButton(document, this)), m_techniques(new QPushButton(this)) {
    setFixedHeight(kContextHeight);
    auto* row = makeRow(this, {12, 0, 12, 0}, 6);

    m_design->setFixedWidth(kDesignWidth);
    m_design->setFont(Theme::instance().font(TextSize::Dense, QFont::DemiBold));
    m_design->setMenu(new QMenu(this));
    fillPresetMenu(m_design->menu());
    row->addWidget(m_design);
    row->addSpacing(8);

    auto* modelLabel = new TextLabel(TextSize::Dense, ColorRole::Muted, this);
    modelLabel->setText(tr("Model"));
    modelLabel->setBuddy(m_model);
    m_model->setFont(Theme::instance().font(TextSize::Dense));
    setTerm(modelLabel, "model");
    setTerm(m_model, "model");
    m_model->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    row->addWidget(modelLabel);
    row->addWidget(m_model);
    m_precision->setFont(Theme::instance().font(TextSize::Dense));
    setTerm(m_precision, "weight_bits");
    row->addWidget(m_precision);
    connect(m_precision, &PrecisionButton::quantityRequested, this, &ContextBar::quantityRequested);
    for (const auto& field : engine::workloadFields())
        addField(row, "workload." + std::string(field.spec.key));
    row->addSpacing(8);
    m_fixedItems = row->count();
    addChips(row);
    row->addStretch(1);

    connect(document, &Document::changed, this, &ContextBar::refresh);
    connect(document, &Document::titleChanged, this, &ContextBar::refresh);
    refresh();
}

void ContextBar::addField(QHBoxLayout* row, const std::string& path) {
    auto* field = new NumberEdit(*m_document, path, this);
    field->setFont(Theme::instance().font(TextSize::Dense));
    auto* label = new TextLabel(TextSize::Dense, ColorRole::Muted, this);
    label->setText(QString::fromUtf8(field->spec().label));
    label->setBuddy(field);
    setTerm(label, path);
    field->setObjectName(QString::fromStdString(path));
    setTerm(field, path);
    row->addSpacing(4);
    row->addWidget(label);
    row->addWidget(field);
    if (!field->spec().unit.empty()) {
        auto* unit = new TextLabel(TextSize::Caption, ColorRole::Muted, this);
        unit->setText(QString::fromUtf8(field->spec().unit));
        row->addWidget(unit);
    }
    field->setToolTip(quantityToolTip(field->spec(), field->quantity()));
    connect(field, &NumberEdit::refreshed, field,
            [field] { field->setToolTip(quantityToolTip(field->spec(), field->quantity())); });
    connect(field, &NumberEdit::messageChanged, this, &ContextBar::messageChanged);
}

void ContextBar::addChips(QHBoxLayout* row) {
    auto* menu = new QMenu(this);
    for (const auto* kind : engine::techniqueKinds().all()) {
        Chip chip{std::string(kind->id()), kind, new QPushButton(this),
                  menu->addAction(QString::fromUtf8(kind->label()))};
        chip.button->setObjectName(QString::fromStdString(chip.id));
        chip.button->setProperty("chip", true);
        chip.button->setCheckable(true);
        setTerm(chip.button, kind->id());
        setTerm(chip.action, kind->id());
        chip.action->setCheckable(true);
        const auto perform = [this, id = chip.id](bool on) {
            m_document->perform(engine::SetTechnique{id, on});
            refresh();
        };
        connect(chip.button, &QPushButton::clicked, this, perform);
        connect(chip.action, &QAction::triggered, this, perform);
        row->addWidget(chip.button);
        m_chips.push_back(chip);
    }
    menu->setToolTipsVisible(true);
    m_techniques->setObjectName(QStringLiteral("techniques"));
    m_techniques->setMenu(menu);
    setTerm(m_techniques, "techniques");
    m_techniques->hide();
    row->addWidget(m_techniques);
}

void ContextBar::fillPresetMenu(QMenu* menu) {
    for (const auto& preset : m_presets) {
        auto* action = menu->addAction(QString::fromStdString(preset.name));
        action->setToolTip(plainTip(QString::fromStdString(preset.about)));
        connect(action, &QAction::triggered, this, [this, id = preset.id] { emit presetRequested(id); });
    }
    menu->setToolTipsVisible(true);
}

void ContextBar::showPresets() {
    m_design->showMenu();
}

void ContextBar::setCompact(bool compact) {
    m_compact = compact;
    placeChips();
}

void ContextBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeChips();
}

int ContextBar::fixedWidth() const {
    const auto* row = layout();
    int width = 2 * row->contentsMargins().left() + row->spacing() + kDesignWidth - m_design->minimumWidth();
    for (int i = 0; i < m_fixedItems; ++i)
        if (const auto* item = row->itemAt(i); !item->widget() || !item->widget()->isHidden())
            width += item->sizeHint().width() + (item->widget() ? row->spacing() : 0);
    return width;
}

/// The name of the design gives way first: all else in the bar says nothing when it is cut.
void ContextBar::fitDesign() {
    const int others = fixedWidth() - kDesignWidth + m_techniques->sizeHint().width() + layout()->spacing();
    m_design->setFixedWidth(std::clamp(width() - others, kLeastDesignWidth, kDesignWidth));
    const auto title = m_document->title() + (m_document->isModified() ? QStringLiteral(" *") : QString());
    const int room = m_design->minimumWidth() - 46;
    m_design->setText(m_design->fontMetrics()
                          .elidedText(title, Qt::ElideRight, room)
                          .replace(QLatin1Char('&'), QStringLiteral("&&")));
    m_design->setToolTip(plainTip(title));
    m_design->setAccessibleName(tr("Design: %1").arg(title));
}

void ContextBar::placeChips() {
    const auto& techniques = m_document->scenario().techniques;
    const auto kinds = engine::techniqueKinds().all();
    std::vector<bool> wanted;
    int enabled = 0;
    for (const auto* kind : kinds) {
        enabled += techniques.isOn(*kind);
        wanted.push_back(!m_compact && (techniques.isOn(*kind) || kind->suits(m_document->scenario())));
    }
    const int gap = layout()->spacing();
    const auto menuText = [&] {
        const auto left = std::count(wanted.begin(), wanted.end(), false);
        const bool all = left == static_cast<std::ptrdiff_t>(wanted.size());
        if (all)
            return tr("Techniques (%1)").arg(enabled);
        int hidden = 0; // that are on: the bar still says that there are some
        for (std::size_t i = 0; i < wanted.size(); ++i)
            hidden += !wanted[i] && techniques.isOn(*kinds[i]);
        return hidden > 0 ? tr("%1 more, %2 on").arg(left).arg(hidden) : tr("%1 more").arg(left);
    };
    const auto used = [&] {
        int width = fixedWidth();
        for (std::size_t i = 0; i < wanted.size(); ++i)
            if (wanted[i])
                width += m_chips[i].button->sizeHint().width() + gap;
        m_techniques->setText(menuText());
        return width + m_techniques->sizeHint().width() + gap;
    };
    // Those that are off make room first, from the end.
    for (const bool on : {false, true})
        for (std::size_t i = wanted.size(); i-- > 0 && used() > width();)
            if (wanted[i] && techniques.isOn(*kinds[i]) == on)
                wanted[i] = false;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        m_chips[i].button->setVisible(wanted[i]);
        m_chips[i].action->setVisible(!wanted[i]);
    }
    m_techniques->setText(menuText());
    m_techniques->setVisible(std::find(wanted.begin(), wanted.end(), false) != wanted.end());
    fitDesign();
}

QString ContextBar::chipText(const Chip& chip) const {
    auto shown = QString::fromUtf8(chip.kind->label());
    const auto& settings = m_document->scenario().techniques[*chip.kind];
    if (!settings.enabled)
        return shown;
    const auto parameters = chip.kind->parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const auto& spec = parameters[i].spec;
        if (!spec.integer || !spec.required) // shares and depths stand in the inspector
            continue;
        // The symbol is the last word of the label: "Prefetch ratio M".
        const auto label = QString::fromUtf8(spec.label);
        const auto value = engine::toEdge(settings[i], spec.scale);
        shown += QStringLiteral("  %1 = %2")
                     .arg(label.mid(label.lastIndexOf(QLatin1Char(' ')) + 1),
                          QString::fromStdString(engine::exactText(value)));
    }
    return shown;
}

QString ContextBar::chipTip(const Chip& chip) const {
    QStringList lines{QString::fromUtf8(chip.kind->about())};
    for (const auto& finding : m_document->diagnostics()) // "changes nothing: ..."
        if (finding.subject.starts_with("techniques." + chip.id + "."))
            lines << QString::fromStdString(finding.message + ". " + finding.remedy + ".");
    return lines.join(QLatin1Char('\n'));
}

void ContextBar::refresh() {
    for (const auto& chip : m_chips) {
        const bool on = m_document->scenario().techniques.isOn(*chip.kind);
        chip.button->setChecked(on);
        chip.button->setText(chipText(chip));
        chip.action->setChecked(on);
        chip.action->setText(chipText(chip));
        chip.button->setToolTip(plainTip(chipTip(chip)));
        chip.action->setToolTip(plainTip(chipTip(chip)));
    }
    placeChips();
}

void ContextBar::paintEvent(QPaintEvent*) {
    auto& theme = Theme::instance();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(ColorRole::Surface));
    painter.setPen(theme.color(ColorRole::Border));
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

namespace {

struct Precision {
    const char* sign;
    engine::Quantity engine::Runtime::*bits;
};
constexpr std::array kPrecisions{Precision{"W", &engine::Runtime::weightBits},
                                 Precision{"A", &engine::Runtime::activationBits},
                                 Precision{"KV", &engine::Runtime::kvBits}};
constexpr std::array kUsualBits{16.0, 8.0, 4.0};

const engine::FieldSpec& specOf(const Precision& precision) {
    const auto fields = engine::runtimeFields();
    return std::find_if(fields.begin(), fields.end(),
                        [&](const auto& field) { return field.member == precision.bits; })
        ->spec;
}

/// Bits of each runtime of the design, none twice.
std::vector<double> bitsOf(const engine::Scenario& scenario, const Precision& precision) {
    std::vector<double> all;
    for (const auto& node : scenario.nodes)
        if (node.runtime)
            all.push_back(((*node.runtime).*precision.bits).value);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

QString bitsText(const std::vector<double>& bits) {
    QStringList texts;
    for (const double one : bits)
        texts << QString::fromStdString(engine::exactText(one));
    return texts.join(QLatin1Char('/'));
}

} // namespace

PrecisionButton::PrecisionButton(Document* document, QWidget* parent)
    : QPushButton(parent), m_document(document) {
    setMenu(new QMenu(this));
    connect(menu(), &QMenu::aboutToShow, this, &PrecisionButton::fillMenu);
    connect(document, &Document::changed, this, &PrecisionButton::refresh);
    refresh();
}

void PrecisionButton::refresh() {
    QStringList signs;
    QStringList lines;
    bool any = false;
    const auto* recipe = m_document->scenario().model.weights;
    for (const auto& precision : kPrecisions) {
        const auto bits = bitsText(bitsOf(m_document->scenario(), precision));
        any = any || !bits.isEmpty();
        if (recipe && precision.bits == &engine::Runtime::weightBits) {
            signs << words(recipe->label);
            lines << tr("Weights as released: %1").arg(words(recipe->about));
            continue;
        }
        signs << QString::fromLatin1(precision.sign) + bits;
        lines << tr("%1: %2 bit").arg(words(specOf(precision).label), bits);
    }
    setVisible(any);
    setText(signs.join(QLatin1Char(' ')));
    setToolTip(plainTip(lines.join(QLatin1Char('\n'))));
    setAccessibleName(tr("Precision: %1").arg(lines.join(QStringLiteral(", "))));
}

void PrecisionButton::fillMenu() {
    menu()->clear();
    for (const auto& precision : kPrecisions) {
        const auto& spec = specOf(precision);
        const auto now = bitsOf(m_document->scenario(), precision);
        addHeading(menu(), words(spec.label));
        const bool weights = precision.bits == &engine::Runtime::weightBits;
        const auto& model = m_document->scenario().model;
        if (weights && !model.isUniform()) {
            addRecipes();
            if (model.weights)
                continue; // the runtimes' bits say nothing
        }
        for (const double bits : kUsualBits) {
            auto* action = menu()->addAction(tr("%1 bit").arg(bits));
            action->setCheckable(true);
            action->setChecked(now == std::vector{bits});
            connect(action, &QAction::triggered, this,
                    [this, key = std::string(spec.key), bits] { setAll(key, bits); });
        }
        auto* other = menu()->addAction(tr("Other\u2026"));
        connect(other, &QAction::triggered, this, [this, key = std::string(spec.key)] {
            for (const auto& node : m_document->scenario().nodes)
                if (node.runtime) {
                    emit quantityRequested("nodes." + node.id.value + ".runtime." + key);
                    return;
                }
        });
    }
}

/// Formats of a checkpoint, part by part, in place of one precision for all weights.
void PrecisionButton::addRecipes() {
    const auto* now = m_document->scenario().model.weights;
    const auto add = [&](const QString& text, const engine::WeightRecipe* recipe) {
        auto* action = menu()->addAction(text);
        action->setCheckable(true);
        action->setChecked(now == recipe);
        connect(action, &QAction::triggered, this, [this, recipe] {
            auto model = m_document->scenario().model;
            model.weights = recipe;
            m_document->perform(engine::SetModel{std::move(model)}, {}, tr("Set the formats of the weights"));
        });
    };
    for (const auto& recipe : engine::weightRecipes())
        add(words(recipe.label), &recipe);
    add(tr("As the runtimes have them"), nullptr);
}

void PrecisionButton::setAll(const std::string& key, double bits) {
    engine::EditList all;
    for (const auto& node : m_document->scenario().nodes)
        if (node.runtime)
            all.edits.push_back(engine::SetQuantity{"nodes." + node.id.value + ".runtime." + key,
                                                    {bits, engine::Provenance::User, {}}});
    m_document->perform(all, {}, tr("Set the precision to %1 bit").arg(bits));
}

} // namespace heteroscape::widgets

#include "moc_context_bar.cpp"

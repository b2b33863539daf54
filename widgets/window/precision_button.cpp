// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/precision_button.h"

#include "engine/units/number_text.h"
#include "widgets/document/document.h"
#include "widgets/document/serving_view.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"

#include <QMenu>

#include <algorithm>
#include <array>
#include <vector>

namespace heteroscape::widgets {

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

#include "moc_precision_button.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/paper_start_card.h"

#include "engine/base/error.h"
#include "widgets/inspector/value_text.h"
#include "widgets/start/design_picture.h"
#include "widgets/start/headline_numbers.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QMenu>
#include <QMouseEvent>
#include <QPushButton>

namespace heteroscape::widgets {

namespace {

constexpr int kPictureHeight = 132;

QString plain(const std::string& text) {
    return QString::fromStdString(text);
}

/// The name of a preset for a menu; its id when it cannot be read.
QString presetName(const engine::Catalog& catalog, const std::string& id) {
    try {
        return plain(engine::loadPreset(catalog, id, "preset").name);
    } catch (const engine::Error&) {
        return plain(id);
    }
}

} // namespace

PaperStartCard::PaperStartCard(const engine::Paper& paper, const engine::Catalog& catalog, QWidget* parent)
    : Surface(ColorRole::Surface, true, parent), m_id(paper.id),
      m_factor(new TextLabel(TextSize::Page, ColorRole::Text, this, QFont::DemiBold)),
      m_meaning(new TextLabel(TextSize::Caption, ColorRole::Text2, this)),
      m_open(new QPushButton(tr("Open"), this)), m_more(new QPushButton(tr("More designs"), this)) {
    setCursor(Qt::PointingHandCursor);
    const auto claim = headlineClaim(paper);
    m_preset = claim ? claim->scenario : paper.scenarios.empty() ? std::string() : paper.scenarios.front();
    auto* column = makeColumn(this, {1, 1, 1, 12});
    engine::Scenario scenario;
    try {
        scenario = engine::loadPreset(catalog, m_preset, "preset");
    } catch (const engine::Error&) { // opening it says why
    }
    auto* picture = new DesignPicture(scenario, this);
    picture->setFixedHeight(kPictureHeight);
    column->addWidget(picture);

    auto* body = new QVBoxLayout;
    body->setContentsMargins(16, 12, 16, 0);
    body->setSpacing(4);
    body->addWidget(
        new TextLabel(plain(paper.name), TextSize::Heading, ColorRole::Text, QFont::DemiBold, this));
    auto* about = new TextLabel(plain(paper.about), TextSize::Dense, ColorRole::Text2, this);
    about->setWordWrap(true);
    about->setMinimumHeight(3 * about->fontMetrics().lineSpacing());
    about->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    body->addWidget(about);
    auto* gain = new QHBoxLayout;
    gain->setSpacing(10);
    gain->addWidget(m_factor);
    m_meaning->setWordWrap(true);
    if (claim)
        m_meaning->setText(tr("%1 (%2)").arg(plain(claim->quantity), plain(claim->condition)));
    gain->addWidget(m_meaning, 1);
    m_factor->setVisible(false);
    m_meaning->setVisible(false);
    body->addSpacing(4);
    body->addLayout(gain);
    body->addStretch(1);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    m_open->setProperty("primary", true);
    m_open->setAccessibleName(tr("Open %1: %2").arg(plain(paper.name), plain(scenario.name)));
    m_open->setToolTip(plainTip(plain(scenario.name)));
    m_more->setAccessibleName(tr("More designs of %1").arg(plain(paper.name)));
    auto* menu = new QMenu(m_more);
    for (const auto& id : paper.scenarios)
        if (id != m_preset)
            menu->addAction(presetName(catalog, id).replace(u'&', QStringLiteral("&&")), this,
                            [this, id] { emit openRequested(id); });
    m_more->setMenu(menu);
    m_more->setVisible(!menu->isEmpty());
    buttons->addWidget(m_open);
    buttons->addWidget(m_more);
    buttons->addStretch(1);
    body->addSpacing(8);
    body->addLayout(buttons);
    column->addLayout(body, 1);
    connect(m_open, &QPushButton::clicked, this, [this] { emit openRequested(m_preset); });
}

void PaperStartCard::showGain(double factor) {
    m_factor->setText(shortNumber(factor) + QChar(0x00d7));
    m_factor->setVisible(true);
    m_meaning->setVisible(true);
}

QString PaperStartCard::gainText() const {
    return m_factor->text();
}

void PaperStartCard::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()))
        emit openRequested(m_preset);
}

} // namespace heteroscape::widgets

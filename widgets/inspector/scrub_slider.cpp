// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/scrub_slider.h"

#include "engine/base/error.h"
#include "engine/units/number_text.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QEvent>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {
constexpr int kSteps = 1000;
constexpr int kCatch = 12; // steps within which it stands on a stop
constexpr double kLogSpan = 8.0;
} // namespace

ScrubSlider::ScrubSlider(ScrubRange range, bool removable, QWidget* parent)
    : QWidget(parent), m_range(std::move(range)), m_value(m_range.value),
      m_slider(new QSlider(Qt::Horizontal, this)), m_field(new QLineEdit(this)) {
    const bool choice = !m_range.names.empty();
    m_slider->setRange(0, choice ? static_cast<int>(m_range.stops.size()) - 1 : kSteps);
    m_slider->setSingleStep(choice ? 1 : kSteps / 100);
    m_slider->setPageStep(choice ? 1 : kSteps / 10);
    m_slider->setAccessibleName(m_range.label);
    m_slider->setMinimumHeight(24);
    m_field->setAccessibleName(tr("%1, value").arg(m_range.label));
    m_field->setAlignment(Qt::AlignRight);
    m_field->setFixedWidth(choice ? 96 : 72);
    m_field->setReadOnly(choice);
    auto* label = new TextLabel(m_range.label, TextSize::Dense, ColorRole::Text, this);
    label->setElided(true);
    auto* head = new QHBoxLayout;
    head->setSpacing(4);
    head->addWidget(label, 1);
    head->addWidget(m_field);
    if (!m_range.unit.isEmpty())
        head->addWidget(new TextLabel(m_range.unit, TextSize::Caption, ColorRole::Muted, this));
    if (removable) {
        auto* remove = new QToolButton(this);
        remove->setAccessibleName(tr("Remove %1").arg(m_range.label));
        remove->setToolTip(plainTip(remove->accessibleName()));
        Theme::instance().follow(remove, [remove] {
            remove->setIcon(Theme::instance().icon(QStringLiteral("close"), ColorRole::Muted));
        });
        connect(remove, &QToolButton::clicked, this, &ScrubSlider::removeRequested);
        head->addWidget(remove);
    }
    auto* column = makeColumn(this);
    column->addLayout(head);
    column->addWidget(m_slider);
    reset();
    connect(m_slider, &QSlider::actionTriggered, this, [this](int action) {
        if (action == QSlider::SliderSingleStepAdd)
            step(1);
        else if (action == QSlider::SliderSingleStepSub)
            step(-1);
    });
    connect(m_slider, &QSlider::valueChanged, this, [this](int position) { take(valueAt(position)); });
    connect(m_field, &QLineEdit::editingFinished, this, &ScrubSlider::readField);
}

/// A hundredth of the way would leave a small count where it is.
void ScrubSlider::step(int way) {
    if (!m_range.names.empty() || (m_range.stops.empty() && !m_range.integer))
        return; // the slider's own step
    auto next = std::clamp(m_value + way, m_range.least, m_range.most);
    if (!m_range.stops.empty()) {
        next = m_value;
        for (const double stop : m_range.stops) // they rise
            if (way > 0 ? stop > m_value && next == m_value : stop < m_value)
                next = stop;
    }
    const QSignalBlocker quiet(m_slider); // the steps of the slider may be too coarse to tell it
    m_slider->setValue(positionOf(next));
    if (next != m_value)
        take(next);
}

bool ScrubSlider::isLog() const {
    return m_range.names.empty() && m_range.lower > 0 && m_range.upper / m_range.lower >= kLogSpan;
}

double ScrubSlider::valueAt(int position) const {
    if (!m_range.names.empty())
        return m_range.stops.at(static_cast<std::size_t>(position));
    for (const double stop : m_range.stops)
        if (std::abs(positionOf(stop) - position) <= kCatch)
            return stop;
    const double share = static_cast<double>(position) / kSteps;
    const double value = isLog() ? m_range.lower * std::pow(m_range.upper / m_range.lower, share)
                                 : m_range.lower + share * (m_range.upper - m_range.lower);
    // Three figures: what is read is what is evaluated.
    const double digit = value == 0 ? 1 : std::pow(10, std::floor(std::log10(std::fabs(value))) - 2);
    return m_range.integer ? std::round(value) : engine::cleaned(std::round(value / digit) * digit);
}

int ScrubSlider::positionOf(double value) const {
    if (!m_range.names.empty())
        return static_cast<int>(std::find(m_range.stops.begin(), m_range.stops.end(), value) -
                                m_range.stops.begin());
    if (!(m_range.upper > m_range.lower))
        return 0;
    const double share = isLog() ? std::log(std::max(value, m_range.lower) / m_range.lower) /
                                       std::log(m_range.upper / m_range.lower)
                                 : (value - m_range.lower) / (m_range.upper - m_range.lower);
    return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * kSteps));
}

QString ScrubSlider::text(double value) const {
    return m_range.names.empty() ? QString::fromStdString(engine::plainText(value))
                                 : m_range.names.at(static_cast<std::size_t>(value));
}

void ScrubSlider::take(double value) {
    m_value = value;
    m_moved = true;
    m_field->setText(text(value));
    emit moved();
}

void ScrubSlider::readField() {
    if (!m_range.names.empty() || m_field->text() == text(m_value))
        return;
    double value = m_value;
    try {
        value = engine::parseQuantity(m_field->text().toStdString(), m_range.unit.toStdString(), {},
                                      decimalsHere());
    } catch (const engine::Error&) {
    }
    if (value == m_value || value < m_range.least || value > m_range.most) {
        m_field->setText(text(m_value)); // what stands there always is what is drawn
        return;
    }
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(positionOf(value));
    take(m_range.integer ? std::round(value) : value);
}

void ScrubSlider::reset() {
    showValue(m_range.value);
    m_moved = false;
}

void ScrubSlider::showValue(double value) {
    if (m_slider->isSliderDown() && value == m_value)
        return;
    m_value = value;
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(positionOf(m_value));
    m_field->setText(text(m_value));
}

void ScrubSlider::setSpan(double lower, double upper) {
    m_range.lower = lower;
    m_range.upper = upper;
    showValue(m_value);
}

} // namespace heteroscape::widgets

#include "moc_scrub_slider.cpp"

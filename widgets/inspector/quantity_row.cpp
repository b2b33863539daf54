// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/quantity_row.h"

#include "widgets/glossary/glossary.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/inspector/property_rows.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/text_label.h"

#include <QContextMenuEvent>
#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <algorithm>

namespace heteroscape::widgets {

using engine::DeviceKind;

QuantityGroup quantityGroup(std::string_view key) {
    if (key.starts_with("memory_") || key == "host_memory_gib" || key == "write_bandwidth_gbps" ||
        key == "small_write_ms" || key == "page_bytes")
        return QuantityGroup::Memory;
    if (key.starts_with("die_") || key.starts_with("core_") || key.starts_with("l2_area_"))
        return QuantityGroup::Die;
    if (key.starts_with("l2_"))
        return QuantityGroup::L2;
    if (key.starts_with("power_") || key.starts_with("price_") || key == "kernel_power_w")
        return QuantityGroup::Cost;
    return QuantityGroup::Compute;
}

namespace {

bool isOfCsd(std::string_view key) {
    return key.starts_with("p2p_") || key.starts_with("kernel_");
}

bool isOfStorage(std::string_view key) {
    return key == "write_bandwidth_gbps" || key == "small_write_ms" || key == "page_bytes";
}

} // namespace

bool quantityMatters(std::string_view key, DeviceKind kind) {
    if (key == "price_usd")
        return true;
    const bool working = key == "power_prefill_w" || key == "power_decode_w" || key == "power_idle_w";
    switch (kind) {
    case DeviceKind::Switch:
        return key == "lanes";
    case DeviceKind::Cpu:
        return key == "lanes" || key == "host_memory_gib" || key == "memory_bandwidth_gbps" || working;
    case DeviceKind::Csd:
        if (isOfCsd(key))
            return true;
        [[fallthrough]];
    case DeviceKind::Ssd:
        return isOfStorage(key) || key == "memory_gb" || key == "memory_bandwidth_gbps" || working;
    default:
        break;
    }
    if (isOfCsd(key) || isOfStorage(key) || key == "host_memory_gib")
        return false;
    if (key == "sms" || key.ends_with("_per_clock") || key == "peak_fp8_tflops" || key == "peak_fp4_tflops")
        return kind == DeviceKind::Gpu;
    if (key.starts_with("class_") || key == "power_cap_w" || key == "power_clock" ||
        key == "power_band_pct" || key == "power_l2_pj")
        return kind != DeviceKind::Fpga;
    if (key == "clock_mhz")
        return kind == DeviceKind::Fpga || kind == DeviceKind::Gpu;
    if (key == "memory_channels")
        return kind == DeviceKind::Fpga;
    if (key.starts_with("core_") || key.starts_with("l2_area_"))
        return kind == DeviceKind::Npu;
    if (key.starts_with("l2_"))
        return kind != DeviceKind::Fpga;
    return key != "lanes";
}

namespace {

constexpr int kLabelWidth = 56;
constexpr int kFieldWidth = 74;   ///< the same with and without arrows, so that columns align
constexpr int kWidestField = 120; ///< by what an empty one says: wider than this the page would not fit
constexpr int kUnitWidth = 46;
constexpr int kFrame = 18;  ///< a field's margins
constexpr int kArrows = 38; ///< of a whole number, with the field's margins

} // namespace

QuantityRow::QuantityRow(Document& document, const std::string& path, QWidget* parent)
    : QuantityRow(document, std::vector<std::string>{path}, parent) {}

QuantityRow::QuantityRow(Document& document, const std::vector<std::string>& paths, QWidget* parent)
    : QWidget(parent), m_field(new NumberEdit(document, paths, this)),
      m_label(new TextLabel(TextSize::Dense, ColorRole::Text2, this)), m_mark(new QLabel(this)),
      m_message(new TextLabel(TextSize::Caption, ColorRole::Error, this)), m_sweep(new QToolButton(this)) {
    const auto& spec = m_field->spec();
    const auto text = [](std::string_view view) { return QString::fromUtf8(view); };
    m_label->setText(text(spec.label));
    m_label->setWordWrap(true);
    m_label->setMinimumWidth(kLabelWidth);
    m_label->setBuddy(m_field);
    setTerm(this, paths.front());
    auto* unit = new TextLabel(TextSize::Caption, ColorRole::Muted, this);
    unit->setText(text(spec.unit));
    unit->setFixedWidth(kUnitWidth);
    m_field->setFixedWidth(std::max(kFieldWidth, m_field->minimumSizeHint().width()));
    m_field->setFont(Theme::instance().font(TextSize::Dense));
    m_mark->setFixedSize(16, 24);
    m_mark->setAlignment(Qt::AlignCenter);
    m_sweep->setObjectName(kSweepName);
    m_sweep->setAutoRaise(true);
    m_sweep->setFixedSize(24, 24);
    m_sweep->setIconSize({16, 16});
    m_sweep->setToolTip(tr("Sweep this"));
    m_sweep->setAccessibleName(tr("Sweep %1").arg(text(spec.label)));
    m_message->setWordWrap(true);
    m_message->hide();

    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(14, 2, 2, 2);
    grid->setHorizontalSpacing(3);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(0, 1);
    grid->addWidget(m_label, 0, 0);
    grid->addWidget(m_field, 0, 1);
    grid->addWidget(unit, 0, 2);
    grid->addWidget(m_mark, 0, 3);
    grid->addWidget(m_sweep, 0, 4);
    grid->addWidget(m_message, 1, 0, 1, 5);
    if (paths.size() > 1) { // room for "several values"
        auto keep = m_sweep->sizePolicy();
        keep.setRetainSizeWhenHidden(true);
        m_sweep->setSizePolicy(keep);
        m_sweep->hide();
        setUnsetText(tr("several values"));
        m_field->setUnsetText(tr("not set"));
    } else {
        new PropertyDrag(document, paths.front(), this);
        m_label->setCursor(Qt::OpenHandCursor);
    }

    connect(m_field, &NumberEdit::messageChanged, this, &QuantityRow::showMessage);
    connect(m_field, &NumberEdit::refreshed, this, &QuantityRow::refresh);
    connect(m_sweep, &QToolButton::clicked, this, [this] { emit sweepRequested(m_field->path()); });
    Theme::instance().follow(this, [this] { recolour(); });
}

void QuantityRow::setLabel(const QString& text) {
    m_label->setText(text);
    m_field->setAccessibleName(text);
    m_sweep->setAccessibleName(tr("Sweep %1").arg(text));
}

void QuantityRow::setUnsetText(const QString& text) {
    m_field->setUnsetText(text);
    const int beside = m_field->spec().integer ? kArrows : kFrame;
    const int wanted = m_field->fontMetrics().horizontalAdvance(text) + beside;
    m_field->setFixedWidth(std::max(m_field->width(), std::min(wanted, kWidestField)));
}

void QuantityRow::recolour() {
    auto& theme = Theme::instance();
    m_sweep->setIcon(theme.icon(QStringLiteral("sweep"), ColorRole::Muted));
    refresh();
}

void QuantityRow::refresh() {
    const auto& quantity = m_field->quantity();
    m_mark->setPixmap(quantity.isSet()
                          ? Theme::instance().provenanceMark(quantity.provenance, devicePixelRatioF())
                          : QPixmap());
    m_mark->setToolTip(quantityToolTip(m_field->spec(), quantity));
    m_mark->setAccessibleName(provenanceLabel(quantity.provenance));
    m_field->setToolTip(quantityToolTip(m_field->spec(), quantity));
}

void QuantityRow::showMessage(const QString& message) {
    m_message->setText(message);
    m_message->setVisible(!message.isEmpty());
}

void QuantityRow::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    auto* sweep = menu.addAction(tr("Sweep this"));
    sweep->setVisible(!m_sweep->isHidden());
    auto* clear = menu.addAction(tr("Make it not set"));
    clear->setEnabled(!m_field->spec().required && m_field->quantity().isSet());
    const auto* chosen = menu.exec(event->globalPos());
    if (chosen == sweep)
        emit sweepRequested(m_field->path());
    else if (chosen && chosen == clear)
        m_field->clearQuantity();
}

} // namespace heteroscape::widgets

#include "moc_quantity_row.cpp"

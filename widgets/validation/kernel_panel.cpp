// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/validation/kernel_panel.h"

#include "widgets/document/duration_text.h"
#include "widgets/plots/plot_view.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"
#include "widgets/validation/share_bars.h"
#include "widgets/validation/validation_words.h"

#include <QPushButton>
#include <QStringList>

#include <cmath>

namespace heteroscape::widgets {

namespace {
constexpr int kPlotHeight = 190, kMostPlotHeight = 260;
constexpr double kMisfit = 0.25; // shown as one
} // namespace

KernelPanel::KernelPanel(QWidget* parent)
    : QWidget(parent), m_empty(new TextLabel(tr("Click a point or a row to see its kernel."), TextSize::Dense,
                                             ColorRole::Muted, this)),
      m_content(new QWidget(this)),
      m_title(new TextLabel(TextSize::Body, ColorRole::Text, m_content, QFont::DemiBold)),
      m_about(new TextLabel(TextSize::Caption, ColorRole::Muted, m_content)),
      m_error(new TextLabel(TextSize::Body, ColorRole::Text, m_content, QFont::DemiBold)),
      m_times(new TextLabel(TextSize::Dense, ColorRole::Text, m_content)),
      m_shape(new TextLabel(TextSize::Dense, ColorRole::Text2, m_content)),
      m_bound(new TextLabel(TextSize::Dense, ColorRole::Text, m_content, QFont::DemiBold)),
      m_shares(new ShareBars(m_content)), m_note(new TextLabel(TextSize::Dense, ColorRole::Text2, m_content)),
      m_seriesTitle(new TextLabel(TextSize::Dense, ColorRole::Text, m_content, QFont::DemiBold)),
      m_plot(new PlotView(m_content)), m_design(new QPushButton(tr("Open design"), m_content)) {
    for (auto* label : {m_about, m_times, m_shape, m_note}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_plot->setMinimumHeight(kPlotHeight);
    m_plot->setMaximumHeight(kMostPlotHeight);
    m_shares->setToolTip(tr("By how many per cent the time falls for each per cent more of a figure of the "
                            "device; the rest falls by none of them"));
    auto* like = new QPushButton(tr("Show those like it"), m_content);
    like->setToolTip(tr("Only rows of the same kind, device, framework and precision"));
    connect(like, &QPushButton::clicked, this, &KernelPanel::likeRequested);
    connect(m_design, &QPushButton::clicked, this, [this] {
        if (const auto design = m_chunk->origin->design(m_chunk->first + m_row))
            emit openDesignRequested(*design, m_title->text());
    });
    auto* head = new QHBoxLayout;
    head->addWidget(m_title, 1);
    head->addWidget(m_error);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_design);
    buttons->addWidget(like);
    buttons->addStretch(1);
    auto* column = makeColumn(m_content, {12, 0, 12, 8}, 6);
    column->addLayout(head);
    for (auto* widget :
         std::initializer_list<QWidget*>{m_about, m_times, m_shape, m_note, m_bound, m_shares, m_seriesTitle})
        column->addWidget(widget);
    column->addWidget(m_plot, 1);
    column->addLayout(buttons);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    m_empty->setContentsMargins(12, 0, 12, 12);
    whole->addWidget(m_empty);
    whole->addWidget(m_content);
    whole->addStretch(1);
    close();
}

void KernelPanel::close() {
    m_job.drop();
    m_chunk.reset();
    m_detail.reset();
    m_content->hide();
    m_empty->show();
}

void KernelPanel::open(std::shared_ptr<const MeasuredChunk> chunk, std::size_t row) {
    m_chunk = std::move(chunk);
    m_row = row;
    m_detail.reset();
    m_job.start([this, shown = m_chunk, row](JobRun&) -> Job::Show {
        return [this, detail = shown->origin->detail(shown->first + row)] { present(detail); };
    });
}

void KernelPanel::present(RowDetail detail) {
    const double error = m_chunk->error(m_row);
    m_title->setText(detail.title);
    m_about->setText(
        tr("%1; %2, line %3").arg(detail.about, m_chunk->source, QString::number(m_chunk->lines[m_row])));
    m_error->setText(signedPercent(error));
    m_error->setRole(std::abs(error) > kMisfit ? ColorRole::Error : ColorRole::Text);
    auto times = tr("Measured %1, predicted %2")
                     .arg(durationText(m_chunk->measured[m_row]), durationText(m_chunk->predicted[m_row]));
    if (const double roofline = m_chunk->roofline[m_row]; std::isfinite(roofline))
        times = tr("%1; a plain roofline %2").arg(times, durationText(roofline));
    m_times->setText(times);
    QStringList shape;
    for (const auto& [name, number] : detail.shape)
        shape << name + QStringLiteral(" ") + number;
    m_shape->setText(shape.join(QStringLiteral(" · ")));
    m_shape->setVisible(!shape.isEmpty());
    m_note->setText(detail.note);
    m_note->setVisible(!detail.note.isEmpty());
    m_bound->setText(
        tr("What bounds it: %1")
            .arg(measuredLabelText(MeasuredKey::Bound, m_chunk->label(MeasuredKey::Bound, m_row))));
    m_shares->setShares(detail.shares);
    m_shares->setVisible(!detail.shares.empty());
    m_seriesTitle->setText(detail.series.title);
    const bool series = detail.series.hasData();
    m_seriesTitle->setVisible(series);
    m_plot->setVisible(series);
    if (series)
        m_plot->setChart(detail.series);
    m_design->setVisible(m_chunk->origin->design(m_chunk->first + m_row).has_value());
    m_detail = std::move(detail);
    m_empty->hide();
    m_content->show();
}

} // namespace heteroscape::widgets

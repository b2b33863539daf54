// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/validation/kernel_panel.h"

#include "widgets/document/metric_text.h"
#include "widgets/plots/plot_view.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"
#include "widgets/theme/theme.h"
#include "widgets/validation/validation_words.h"

#include <QPainter>
#include <QPushButton>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace heteroscape::widgets {

/// Shares of a whole as bars with their names before and their per cent behind them. UI thread.
class ShareBars : public QWidget {
    Q_OBJECT
public:
    explicit ShareBars(QWidget* parent = nullptr);

    void setShares(std::vector<std::pair<QString, double>> shares); ///< per cent; may be below 0
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {150, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<std::pair<QString, double>> m_shares;
};

namespace {
constexpr int kBarHeight = 9;
constexpr int kGap = 8;
} // namespace

ShareBars::ShareBars(QWidget* parent) : QWidget(parent) {
    setFont(Theme::instance().font(TextSize::Dense));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    Theme::instance().follow(this, [this] { update(); });
}

void ShareBars::setShares(std::vector<std::pair<QString, double>> shares) {
    m_shares = std::move(shares);
    QStringList told;
    for (const auto& [name, percent] : m_shares)
        told << name + u' ' + errorPercent(percent);
    setAccessibleName(told.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QSize ShareBars::sizeHint() const {
    return {260, static_cast<int>(m_shares.size()) * (fontMetrics().height() + 5)};
}

void ShareBars::paintEvent(QPaintEvent*) {
    const auto& theme = Theme::instance();
    QPainter painter(this);
    const auto metrics = fontMetrics();
    const int row = metrics.height() + 5;
    int names = 0;
    for (const auto& [name, percent] : m_shares)
        names = std::max(names, metrics.horizontalAdvance(name));
    names = std::min(names, width() / 2);
    const int numbers = metrics.horizontalAdvance(QStringLiteral("−100.0 %"));
    const int track = std::max(0, width() - names - numbers - 2 * kGap);
    for (std::size_t i = 0; i < m_shares.size(); ++i) {
        const auto& [name, percent] = m_shares[i];
        const QRect line(0, static_cast<int>(i) * row, width(), row);
        painter.setPen(theme.color(ColorRole::Text2));
        painter.drawText(QRect(0, line.top(), names, row), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(name, Qt::ElideRight, names));
        const QRect bar(names + kGap, line.top() + (row - kBarHeight) / 2, track, kBarHeight);
        painter.fillRect(bar, theme.color(ColorRole::Track));
        const auto filled = static_cast<int>(std::clamp(percent / 100.0, 0.0, 1.0) * track);
        painter.fillRect(QRect(bar.topLeft(), QSize(filled, kBarHeight)),
                         i == 0 ? theme.color(ColorRole::Hot) : theme.series(0));
        painter.setPen(theme.color(ColorRole::Text));
        painter.drawText(QRect(width() - numbers, line.top(), numbers, row),
                         Qt::AlignRight | Qt::AlignVCenter, errorPercent(percent));
    }
}

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
    m_design->setObjectName(QStringLiteral("openServedDesign"));
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

#include "kernel_panel.moc"
#include "moc_kernel_panel.cpp"

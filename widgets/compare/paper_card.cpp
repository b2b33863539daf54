// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/paper_card.h"

#include "engine/claims/claims.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QFontMetrics>
#include <QGridLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QToolButton>
#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

ClaimRow::ClaimRow(engine::ClaimResult result, QWidget* parent)
    : QAbstractButton(parent), m_result(std::move(result)) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
    const auto& claim = m_result.claim;
    const auto quantity = QString::fromStdString(claim.quantity),
               condition = QString::fromStdString(claim.condition);
    setAccessibleName(tr("%1, %2: paper %3, model %4, error %5, %6")
                          .arg(quantity, condition, paperValueText(claim), modelValueText(m_result),
                               errorText(m_result.error), claimStatusText(claimStatus(m_result))));
    setToolTip(plainTip(quantity + u'\n' + condition + u'\n' + claimStatusAbout(claimStatus(m_result))));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void ClaimRow::setChosen(bool chosen) {
    m_chosen = chosen;
    update();
}

void ClaimRow::mouseDoubleClickEvent(QMouseEvent*) {
    emit activated();
}

void ClaimRow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        emit activated();
    else
        QAbstractButton::keyPressEvent(event);
}

void ClaimRow::paintEvent(QPaintEvent*) {
    const auto& theme = Theme::instance();
    const auto status = claimStatus(m_result);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_chosen)
        painter.fillRect(rect(), theme.color(ColorRole::Selection));
    else if (underMouse())
        painter.fillRect(rect(), theme.color(ColorRole::Sunken));
    painter.fillRect(QRect(0, 0, width(), 1), theme.color(ColorRole::Grid));

    constexpr int kPadding = 12, kSign = 16, kPill = 64, kGap = 8, kLeastBar = 36;
    const auto dense = theme.font(TextSize::Dense), caption = theme.font(TextSize::Caption);
    const auto paper = paperValueText(m_result.claim), model = modelValueText(m_result);
    const QFontMetrics metrics(caption);
    const int text = std::max(metrics.horizontalAdvance(paper), metrics.horizontalAdvance(model)) + 6;
    // The metrics are whole, and bars can be told apart; the name gives way.
    const int right = width() - kPadding - kSign - kGap - kPill - kGap;
    const int nameWidth =
        std::clamp(std::min(width() * 44 / 100, right - kPadding - kGap - kLeastBar - text), 96, 320);
    const QRect name(kPadding, 6, nameWidth, 18), under(kPadding, 24, nameWidth, 16);
    painter.setFont(dense);
    painter.setPen(theme.color(ColorRole::Text));
    painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(dense).elidedText(QString::fromStdString(m_result.claim.quantity),
                                                    Qt::ElideRight, nameWidth));
    painter.setFont(caption);
    painter.setPen(theme.color(ColorRole::Muted));
    painter.drawText(under, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(caption).elidedText(QString::fromStdString(m_result.claim.condition),
                                                      Qt::ElideRight, nameWidth));

    const int left = kPadding + nameWidth + kGap;
    const int room = std::max(12, right - left - text);
    const double largest = std::max(std::fabs(m_result.claim.paper), std::fabs(m_result.model));
    const auto bar = [&](int y, double value, const QColor& color, const QString& shown, ColorRole ink) {
        const double length = largest > 0 ? std::max(2.0, room * std::fabs(value) / largest) : 2.0;
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawRoundedRect(QRectF(left, y, length, 8), 1, 1);
        painter.setPen(theme.color(ink));
        painter.drawText(QRectF(left + length + 6, y - 4, text, 16), Qt::AlignLeft | Qt::AlignVCenter, shown);
    };
    bar(11, m_result.claim.paper, theme.color(ColorRole::Baseline), paper, ColorRole::Text2);
    bar(28, m_result.model, status == ClaimStatus::Misfit ? theme.color(ColorRole::Error) : theme.series(0),
        model, ColorRole::Text);

    const QRectF pill(width() - kPadding - kSign - kGap - kPill, 15, kPill, 18);
    const bool bad = status == ClaimStatus::Misfit, fitted = status != ClaimStatus::Predicted;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(bad      ? ColorRole::ErrorSoft
                                 : fitted ? ColorRole::Sunken
                                          : ColorRole::AccentSoft));
    painter.drawRoundedRect(pill, 9, 9);
    painter.setFont(theme.font(TextSize::Caption, QFont::Medium));
    painter.setPen(theme.color(bad ? ColorRole::Error : fitted ? ColorRole::Text2 : ColorRole::Accent));
    painter.drawText(pill, Qt::AlignCenter, errorText(m_result.error));
    paintClaimStatus(painter, QRectF(width() - kPadding - kSign, 16, kSign, kSign), status);
    if (hasFocus()) {
        painter.setPen(QPen(theme.color(ColorRole::Focus), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    }
}

namespace {

constexpr int kRowWidth = 430; // a row narrower than this is better on its own line

/// "all within 2 %" or "1 misfit".
class Verdict : public TextLabel {
public:
    Verdict(const QString& text, bool good, QWidget* parent)
        : TextLabel(text, TextSize::Caption, good ? ColorRole::Ok : ColorRole::Error, QFont::Medium, parent),
          m_fill(good ? ColorRole::OkSoft : ColorRole::ErrorSoft) {
        setContentsMargins(8, 2, 8, 2);
        setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Maximum);
    }

protected:
    void paintEvent(QPaintEvent* event) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(Theme::instance().color(m_fill));
        painter.drawRoundedRect(rect(), height() / 2.0, height() / 2.0);
        painter.end();
        TextLabel::paintEvent(event);
    }

private:
    ColorRole m_fill;
};

/// The largest misfits, then the headlines: where the model is wrong is seen before where it is right.
std::vector<const engine::ClaimResult*> shownResults(const engine::PaperComparison& comparison) {
    constexpr std::size_t kMostMisfits = 3;
    std::vector<const engine::ClaimResult*> shown;
    for (const auto& result : comparison.results)
        if (claimStatus(result) == ClaimStatus::Misfit)
            shown.push_back(&result);
    std::stable_sort(shown.begin(), shown.end(),
                     [](const auto* a, const auto* b) { return std::fabs(a->error) > std::fabs(b->error); });
    shown.resize(std::min(shown.size(), kMostMisfits));
    const auto misfits = shown.size();
    for (const auto& result : comparison.results)
        if (const auto end = shown.begin() + static_cast<std::ptrdiff_t>(misfits);
            result.claim.headline && std::find(shown.begin(), end, &result) == end)
            shown.push_back(&result);
    return shown;
}

} // namespace

PaperCard::PaperCard(const engine::PaperComparison& comparison, QWidget* parent)
    : Surface(ColorRole::Surface, true, parent), m_grid(new QGridLayout) {
    const auto& paper = comparison.paper;
    auto* name = new TextLabel(QString::fromStdString(paper.name), TextSize::Heading, ColorRole::Text,
                               QFont::DemiBold, this);
    auto* title = new TextLabel(QString::fromStdString(paper.title + ". " + paper.about), TextSize::Dense,
                                ColorRole::Text2, this);
    title->setWordWrap(true);
    auto* summary =
        new TextLabel(QString::fromStdString(engine::summaryText(engine::summarise(comparison.results))),
                      TextSize::Caption, ColorRole::Muted, QFont::Normal, this);
    summary->setWordWrap(true);
    auto* open = new QToolButton(this);
    open->setText(tr("Open a design"));
    open->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);

    Theme::instance().follow(
        open, [open] { open->setIcon(Theme::instance().icon(QStringLiteral("canvas"), ColorRole::Accent)); });
    auto* menu = new QMenu(open);
    for (const auto& id : paper.scenarios)
        menu->addAction(QString::fromStdString(id), this,
                        [this, id = QString::fromStdString(id)] { emit openRequested(id); });
    connect(open, &QToolButton::clicked, menu,
            [open, menu] { menu->popup(open->mapToGlobal(QPoint(0, open->height() + 2))); });
    open->setVisible(!paper.scenarios.empty());

    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 10, 12, 0);
    head->setSpacing(10);
    head->addWidget(name);
    head->addWidget(makeVerdict(comparison), 0, Qt::AlignVCenter);
    head->addStretch(1);
    head->addWidget(open);
    auto* under = new QHBoxLayout;
    under->setContentsMargins(12, 0, 12, 8);
    auto* words = new QVBoxLayout;
    words->setSpacing(3);
    words->addWidget(title);
    words->addWidget(summary);
    under->addLayout(words, 1);
    m_grid->setContentsMargins(1, 0, 1, 6);
    m_grid->setHorizontalSpacing(0);
    m_grid->setVerticalSpacing(0);
    auto* column = makeColumn(this, {}, 2);
    column->addLayout(head);
    column->addLayout(under);
    column->addLayout(m_grid);
    column->addStretch(1);
    for (const auto* result : shownResults(comparison)) {
        auto* row = new ClaimRow(*result, this);
        connect(row, &ClaimRow::clicked, this, [this, row] { emit claimChosen(row->result().claim.id); });
        connect(row, &ClaimRow::activated, this, [this, row] { emit claimOpened(row->result().claim.id); });
        m_rows.push_back(row);
    }
}

QWidget* PaperCard::makeVerdict(const engine::PaperComparison& comparison) {
    double worst = 0;
    for (const auto& result : comparison.results)
        worst = std::max(worst, std::fabs(result.error));
    const bool good = comparison.misfits == 0;
    const auto text =
        good ? tr("all within %1 %").arg(std::max(1, static_cast<int>(std::ceil(100 * worst))))
             : (comparison.misfits == 1
                    ? tr("1 misfit of %1").arg(comparison.results.size())
                    : tr("%1 misfits of %2").arg(comparison.misfits).arg(comparison.results.size()));
    return new Verdict(text, good, this);
}

void PaperCard::resizeEvent(QResizeEvent* event) {
    Surface::resizeEvent(event);
    const int columns = std::clamp(width() / kRowWidth, 1, 3);
    if (columns == m_columns)
        return;
    m_columns = columns;
    while (auto* item = m_grid->takeAt(0))
        delete item; // the layout item, not the row
    const int lines = (static_cast<int>(m_rows.size()) + columns - 1) / columns;
    for (int i = 0; i < static_cast<int>(m_rows.size()); ++i)
        m_grid->addWidget(m_rows[static_cast<std::size_t>(i)], i % lines, i / lines);
    for (int i = 0; i < 3; ++i)
        m_grid->setColumnStretch(i, i < columns ? 1 : 0);
}

} // namespace heteroscape::widgets

#include "moc_paper_card.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/info_banner.h"

#include "widgets/document/document.h"
#include "widgets/theme/text_label.h"

#include <QHBoxLayout>
#include <QPainter>

namespace heteroscape::widgets {

InfoBanner::InfoBanner(Document* document, QWidget* parent)
    : QWidget(parent), m_document(document), m_text(new TextLabel(TextSize::Dense, ColorRole::Error, this)) {
    m_text->setWordWrap(true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(36, 6, 12, 6);
    row->addWidget(m_text);
    connect(document, &Document::changed, this, &InfoBanner::refresh);
    connect(document, &Document::evaluated, this, &InfoBanner::refresh);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    refresh();
}

QString InfoBanner::text() const {
    return m_text->text();
}

void InfoBanner::refresh() {
    const auto& evaluation = m_document->evaluation();
    m_text->setText(QString::fromStdString(evaluation.reason));
    // An empty canvas says itself what to do.
    setVisible(!evaluation.feasible && !m_document->scenario().nodes.empty());
}

void InfoBanner::paintEvent(QPaintEvent*) {
    auto& theme = Theme::instance();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(ColorRole::ErrorSoft));
    painter.drawPixmap(
        QPoint(12, (height() - 16) / 2),
        theme.pixmap(QStringLiteral("warning"), theme.color(ColorRole::Error), 16, devicePixelRatioF()));
}

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/claim_text.h"

#include "engine/plotting/ticks.h"
#include "engine/units/number_text.h"
#include "widgets/compare/claims_page.h"
#include "widgets/plots/chart.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

QString withUnit(const QString& number, const std::string& unit) {
    return widgets::withUnit(number, QString::fromStdString(unit));
}

} // namespace

ClaimStatus claimStatus(const engine::ClaimResult& result) {
    if (result.misfit)
        return ClaimStatus::Misfit;
    switch (result.claim.kind) {
    case engine::ClaimKind::Count:
        return ClaimStatus::Count;
    case engine::ClaimKind::Calibrated:
        return ClaimStatus::Calibrated;
    case engine::ClaimKind::Chosen:
        return ClaimStatus::Chosen;
    case engine::ClaimKind::Predicted:
        break;
    }
    return ClaimStatus::Predicted;
}

QString claimStatusText(ClaimStatus status) {
    switch (status) {
    case ClaimStatus::Count:
        return ClaimsPage::tr("Count");
    case ClaimStatus::Calibrated:
        return ClaimsPage::tr("Calibrated");
    case ClaimStatus::Chosen:
        return ClaimsPage::tr("Chosen");
    case ClaimStatus::Predicted:
        return ClaimsPage::tr("Predicted");
    case ClaimStatus::Misfit:
        break;
    }
    return ClaimsPage::tr("Misfit");
}

QString claimStatusAbout(ClaimStatus status) {
    const int percent = static_cast<int>(std::lround(100 * engine::kMisfitError));
    switch (status) {
    case ClaimStatus::Count:
        return ClaimsPage::tr("Count: true by construction");
    case ClaimStatus::Calibrated:
        return ClaimsPage::tr("Calibrated: fitted to this value");
    case ClaimStatus::Chosen:
        return ClaimsPage::tr("Chosen: a convention was picked on it");
    case ClaimStatus::Predicted:
        return ClaimsPage::tr("Predicted: not fitted, within %1 %").arg(percent);
    case ClaimStatus::Misfit:
        break;
    }
    return ClaimsPage::tr("Misfit: off by more than %1 %, or less where said").arg(percent);
}

ColorRole claimStatusRole(ClaimStatus status) {
    switch (status) {
    case ClaimStatus::Count:
        return ColorRole::Text2;
    case ClaimStatus::Calibrated:
        return ColorRole::Ok;
    case ClaimStatus::Chosen:
        return ColorRole::Text2;
    case ClaimStatus::Predicted:
        return ColorRole::Accent;
    case ClaimStatus::Misfit:
        break;
    }
    return ColorRole::Error;
}

void paintClaimStatus(QPainter& painter, const QRectF& square, ClaimStatus status) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const auto color = Theme::instance().color(claimStatusRole(status));
    const double side = std::min(square.width(), square.height());
    painter.translate(square.center());
    painter.scale(side / 14, side / 14);
    painter.setPen(QPen(color, 1.7, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    switch (status) {
    case ClaimStatus::Count:
        painter.drawLine(QLineF(-4, -2, 4, -2));
        painter.drawLine(QLineF(-4, 2, 4, 2));
        break;
    case ClaimStatus::Calibrated:
        painter.drawEllipse(QPointF(), 4.5, 4.5);
        painter.setBrush(color);
        painter.drawChord(QRectF(-4.5, -4.5, 9, 9), -90 * 16, 180 * 16);
        break;
    case ClaimStatus::Chosen:
        painter.drawPolygon(QPolygonF({{0, -4.5}, {4.5, 0}, {0, 4.5}, {-4.5, 0}}));
        break;
    case ClaimStatus::Predicted:
        painter.drawPolyline(QPolygonF({{-4.5, 0.5}, {-1.5, 3.5}, {4.5, -3.5}}));
        break;
    case ClaimStatus::Misfit:
        painter.drawLine(QLineF(-3.5, -3.5, 3.5, 3.5));
        painter.drawLine(QLineF(-3.5, 3.5, 3.5, -3.5));
        break;
    }
    painter.restore();
}

QString paperValueText(const engine::Claim& claim) {
    const auto relation = claim.relation == engine::ClaimRelation::AtMost    ? QStringLiteral("\u2264 ")
                          : claim.relation == engine::ClaimRelation::AtLeast ? QStringLiteral("\u2265 ")
                                                                             : QString();
    return relation + withUnit(QString::fromStdString(engine::tickText(claim.paper)), claim.unit);
}

QString modelValueText(const engine::ClaimResult& result) {
    return claimValueText(result.claim, result.model);
}

QString claimValueText(const engine::Claim& claim, double model) {
    if (!std::isfinite(model))
        return QStringLiteral("\u2013");
    const auto paper = engine::exactText(claim.paper);
    const auto point = paper.find('.');
    const int decimals = point == std::string::npos ? 0 : static_cast<int>(paper.size() - point - 1);
    // Whole numbers of few digits would hide a difference that the error shows.
    const bool hides = decimals == 0 && model != std::round(model);
    const int shown = !hides || std::fabs(model) >= 100 ? decimals : std::fabs(model) < 10 ? 2 : 1;
    // Always that many decimals, so that "2.40" does not look less exact than "2.38".
    const auto digits = QString::number(std::fabs(model), 'f', shown);
    const auto whole = QString::fromStdString(engine::tickText(digits.section(u'.', 0, 0).toDouble()));
    const auto sign = model < 0 ? QString(QChar(0x2212)) : QString();
    return withUnit(sign + whole + (shown > 0 ? u'.' + digits.section(u'.', 1) : QString()), claim.unit);
}

QString errorText(double error) {
    if (!std::isfinite(error))
        return QStringLiteral("–");
    const double percent = 100 * error;
    const auto text = QString::number(std::fabs(percent), 'f', 1);
    const auto sign = text == QLatin1String("0.0") ? QString()
                      : percent < 0                ? QString(QChar(0x2212))
                                                   : QStringLiteral("+");
    return sign + text + QStringLiteral(" %");
}

} // namespace heteroscape::widgets

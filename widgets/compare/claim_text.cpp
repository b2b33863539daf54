// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/claim_text.h"

#include "engine/evaluation/metric.h"
#include "engine/plotting/ticks.h"
#include "engine/units/number_text.h"
#include "widgets/document/choice_name.h"
#include "widgets/document/metric_text.h"
#include "widgets/plots/chart.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/theme_icons.h"

#include <QCoreApplication>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace heteroscape::widgets {

namespace {

struct ClaimDesignWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::ClaimsPage)
};

/// A claim may change its model and lengths from design to design.
constexpr std::size_t kMostDifferences = 3;

/// Whether each says something, and no two the same.
bool tellApart(const std::vector<QString>& texts) {
    return std::set<QString>(texts.begin(), texts.end()).size() == texts.size() &&
           std::find(texts.begin(), texts.end(), QString()) == texts.end();
}

std::vector<QString> ownNames(const std::vector<engine::ClaimDesign>& designs) {
    std::vector<engine::Scenario> scenarios;
    std::vector<QString> presets, counted;
    for (const auto& design : designs) {
        scenarios.push_back(design.scenario);
        presets.push_back(QString::fromStdString(design.scenario.name));
        counted.push_back(ClaimDesignWords::tr("design %1 of %2").arg(scenarios.size()).arg(designs.size()));
    }
    const auto differences = differenceNames(scenarios, kMostDifferences);
    return tellApart(differences) ? differences : tellApart(presets) ? presets : counted;
}

} // namespace

std::vector<ClaimDesignName> claimDesignNames(const engine::Claim& claim, const QString& paper,
                                              const std::vector<engine::ClaimDesign>& designs) {
    const auto own = designs.size() > 1 ? ownNames(designs) : std::vector<QString>(designs.size());
    std::vector<ClaimDesignName> names;
    for (const auto& one : own) {
        QStringList parts{QString::fromStdString(claim.quantity), QString::fromStdString(claim.condition),
                          one};
        parts.removeAll(QString());
        names.push_back({one, ClaimDesignWords::tr("%1 (%2)").arg(parts.join(QStringLiteral(", ")), paper)});
    }
    return names;
}

QString claimDesignValue(const engine::ClaimDesign& design) {
    const auto* spec = engine::findMetric(design.metric);
    if (!spec)
        return QString::fromStdString(design.metric) + u' ' + claimNumber(design.value, 4);
    const auto unit = metricUnit(*spec, design.value);
    return QString::fromUtf8(spec->label) + u' ' +
           withUnit(claimNumber(design.value * unit.factor, 4), unit.name);
}

namespace {

struct ClaimStatusLook {
    const char* text;
    const char* about; ///< %1: per cent from which a claim is a misfit
    ColorRole role;
};

struct ClaimStatusWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::ClaimsPage)
public:
    static constexpr std::array<ClaimStatusLook, kClaimStatusCount> kLooks{{
        {QT_TR_NOOP("Count"), QT_TR_NOOP("Count: true by construction"), ColorRole::Text2},
        {QT_TR_NOOP("Calibrated"), QT_TR_NOOP("Calibrated: fitted to this value"), ColorRole::Ok},
        {QT_TR_NOOP("Chosen"), QT_TR_NOOP("Chosen: a convention was picked on it"), ColorRole::Text2},
        {QT_TR_NOOP("Predicted"), QT_TR_NOOP("Predicted: not fitted, within %1 %"), ColorRole::Accent},
        {QT_TR_NOOP("Misfit"), QT_TR_NOOP("Misfit: off by more than %1 %, or less where said"),
         ColorRole::Error},
    }};
};

const ClaimStatusLook& lookOf(ClaimStatus status) {
    return ClaimStatusWords::kLooks[static_cast<std::size_t>(status)];
}

QString withUnit(const QString& number, const std::string& unit) {
    return widgets::withUnit(number, QString::fromStdString(unit));
}

/// " × 10⁻⁵"
QString powerText(int exponent) {
    constexpr std::array<char16_t, 10> kDigits{0x2070, 0x00b9, 0x00b2, 0x00b3, 0x2074,
                                               0x2075, 0x2076, 0x2077, 0x2078, 0x2079};
    auto text = QStringLiteral("\u202f\u00d7\u202f10");
    if (exponent < 0)
        text += QChar(0x207b);
    for (const auto digit : QString::number(std::abs(exponent)))
        text += QChar(kDigits[static_cast<std::size_t>(digit.digitValue())]);
    return text;
}

/// Decimals and power of ten in which a number is written: 2 and -5 for 2.02e-05, 1 and 0 for 14.8.
struct Form {
    int decimals = 0;
    int exponent = 0;
};
Form formOf(double value) {
    const auto text = QString::fromStdString(engine::exactText(value));
    const auto mantissa = text.section(u'e', 0, 0);
    const auto point = mantissa.indexOf(u'.');
    return {point < 0 ? 0 : static_cast<int>(mantissa.size() - point - 1), text.section(u'e', 1).toInt()};
}

/// A number in a form; thousands grouped, a true minus sign.
QString inForm(double value, Form form) {
    const auto digits =
        QString::number(std::fabs(value) * std::pow(10.0, -form.exponent), 'f', form.decimals);
    const auto whole = QString::fromStdString(engine::tickText(digits.section(u'.', 0, 0).toDouble()));
    return (value < 0 ? QString(QChar(0x2212)) : QString()) + whole +
           (form.decimals > 0 ? u'.' + digits.section(u'.', 1) : QString()) +
           (form.exponent != 0 ? powerText(form.exponent) : QString());
}

} // namespace

ClaimStatus claimStatus(const engine::ClaimResult& result) {
    using engine::ClaimKind;
    constexpr Entry<ClaimKind, ClaimStatus> kOfKinds[]{{ClaimKind::Count, ClaimStatus::Count},
                                                       {ClaimKind::Calibrated, ClaimStatus::Calibrated},
                                                       {ClaimKind::Chosen, ClaimStatus::Chosen}};
    return result.misfit ? ClaimStatus::Misfit : lookUp(kOfKinds, result.claim.kind, ClaimStatus::Predicted);
}

QString claimStatusText(ClaimStatus status) {
    return ClaimStatusWords::tr(lookOf(status).text);
}

QString claimStatusAbout(ClaimStatus status) {
    return ClaimStatusWords::tr(lookOf(status).about)
        .replace(QLatin1String("%1"), QString::number(std::lround(100 * engine::kMisfitError)));
}

ColorRole claimStatusRole(ClaimStatus status) {
    return lookOf(status).role;
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

QIcon claimStatusIcon(ClaimStatus status) {
    return paintedIcon([status](QPainter& painter, const QRectF& square) {
        paintClaimStatus(painter, QRectF(square.center() - QPointF(7, 7), QSizeF(14, 14)), status);
    });
}

QString paperValueText(const engine::Claim& claim) {
    const auto relation = claim.relation == engine::ClaimRelation::AtMost    ? QStringLiteral("\u2264 ")
                          : claim.relation == engine::ClaimRelation::AtLeast ? QStringLiteral("\u2265 ")
                                                                             : QString();
    return relation + withUnit(inForm(claim.paper, formOf(claim.paper)), claim.unit);
}

QString modelValueText(const engine::ClaimResult& result) {
    return claimValueText(result.claim, result.model);
}

QString claimValueText(const engine::Claim& claim, double model) {
    if (!std::isfinite(model))
        return QStringLiteral("\u2013");
    auto form = formOf(claim.paper); // so that both can be compared digit by digit
    // Whole numbers of few digits would hide a difference that the error shows.
    const bool hides = form.decimals == 0 && form.exponent == 0 && model != std::round(model);
    if (hides && std::fabs(model) < 100)
        form.decimals = std::fabs(model) < 10 ? 2 : 1;
    return withUnit(inForm(model, form), claim.unit);
}

QString claimNumber(double value, int digits) {
    auto text = QString::fromStdString(engine::shortText(value, digits));
    const auto power = text.indexOf(u'e');
    if (power < 0)
        return text;
    return text.left(power).replace(u'-', QChar(0x2212)) + powerText(text.mid(power + 1).toInt());
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/calibration/fit.h"

#include "engine/base/error.h"
#include "engine/calibration/levenberg_marquardt.h"
#include "engine/units/number_text.h"

#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <set>

namespace heteroscape::engine {

namespace {

constexpr std::array<std::string_view, 3> kLossNames{"squares", "huber", "soft_l1"};

} // namespace

std::span<const std::string_view> lossNames() {
    return kLossNames;
}

double RobustLoss::cost(double residual) const {
    const double r = std::abs(residual);
    if (loss == Loss::Huber && r > scale)
        return scale * (2.0 * r - scale);
    if (loss == Loss::SoftL1)
        return 2.0 * r * r / (std::sqrt(1.0 + (r / scale) * (r / scale)) + 1.0); // no cancellation near 0
    return r * r;
}

double RobustLoss::weight(double residual) const {
    const double r = std::abs(residual);
    if (loss == Loss::Huber)
        return r > scale ? scale / r : 1.0;
    return loss == Loss::SoftL1 ? 1.0 / std::sqrt(1.0 + (r / scale) * (r / scale)) : 1.0;
}

double RobustLoss::slope(double residual) const {
    if (loss == Loss::Huber)
        return std::abs(residual) > scale ? 0.0 : 1.0;
    const double w = weight(residual);
    return w * w * w;
}

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kApart = 0.6931471805599453; ///< ln 2: how far other starts lie
constexpr double kFlat = 1e-7;                ///< mean change of a row along a unit of a logarithm

void checkParameters(std::span<const FitParameter> parameters, std::size_t rows, const FitOptions& options) {
    if (parameters.empty())
        throwInvalid("fit", "there is no constant to fit", "Name at least one");
    std::set<std::string> names;
    for (const auto& p : parameters) {
        if (!names.insert(p.name).second)
            throwInvalid(p.name, "it is named twice", "Name each constant once");
        if (!(p.minimum > 0.0 && p.maximum > p.minimum && std::isfinite(p.maximum)))
            throwInvalid(p.name,
                         "bounds " + exactText(p.minimum) + " to " + exactText(p.maximum) +
                             " are not two positive numbers in order",
                         "It is moved by its logarithm: give bounds like 0.1 to 10");
        if (!(p.start >= p.minimum && p.start <= p.maximum))
            throwInvalid(p.name,
                         "its start " + exactText(p.start) + " is not within " + exactText(p.minimum) +
                             " to " + exactText(p.maximum),
                         "Move the start or the bounds");
    }
    if (rows <= parameters.size())
        throwInvalid("fit",
                     std::to_string(rows) + (rows == 1 ? " row does" : " rows do") + " not determine " +
                         std::to_string(parameters.size()) +
                         (parameters.size() == 1 ? " constant and its error" : " constants and their errors"),
                     "Give more rows, or fit fewer constants");
    if (!(options.loss.scale > 0.0 && std::isfinite(options.loss.scale)))
        throwInvalid("loss", "its scale " + exactText(options.loss.scale) + " is not positive",
                     "Give the residual where an outlier begins, like 0.1");
}

/// One fit with some parameters kept at their starts.
class Attempt {
public:
    Attempt(const Residuals& residuals, std::size_t rows, std::span<const FitParameter> parameters,
            const std::vector<bool>& kept, const FitOptions& options)
        : m_residuals(residuals), m_parameters(parameters), m_options(options) {
        for (const auto& p : parameters)
            m_values.push_back(p.start);
        for (std::size_t i = 0; i < parameters.size(); ++i)
            if (!kept[i])
                m_free.push_back(i);
        const auto count = static_cast<Eigen::Index>(m_free.size());
        m_problem.rows = static_cast<Eigen::Index>(rows);
        m_problem.lowest.resize(count);
        m_problem.highest.resize(count);
        m_start.resize(count);
        for (Eigen::Index i = 0; i < count; ++i) {
            const auto& p = parameters[m_free[static_cast<std::size_t>(i)]];
            m_problem.lowest(i) = std::log(p.minimum);
            m_problem.highest(i) = std::log(p.maximum);
            m_start(i) = std::log(p.start);
        }
        m_problem.loss = options.loss;
        m_problem.residuals = [this](const Eigen::VectorXd& point, Eigen::VectorXd& out) {
            m_residuals(valuesAt(point), std::span(out.data(), static_cast<std::size_t>(out.size())));
        };
    }

    BoxMinimum startPoint() {
        BoxMinimum at;
        at.point = m_start;
        at.residuals.resize(m_problem.rows);
        m_problem.residuals(at.point, at.residuals);
        for (const double r : at.residuals)
            at.cost += m_problem.loss.cost(r);
        return at;
    }

    BoxMinimum least() {
        auto best = from(m_start);
        std::mt19937_64 random(m_options.seed);
        for (int i = 1; i < m_options.starts && !m_free.empty(); ++i) {
            Eigen::VectorXd start = m_start;
            for (double& x : start) // bits by hand: distributions differ between libraries
                x += kApart * (static_cast<double>(random() >> 11) * 0x1p-52 - 1.0);
            start = start.cwiseMax(m_problem.lowest).cwiseMin(m_problem.highest);
            Eigen::VectorXd residuals(m_problem.rows);
            m_problem.residuals(start, residuals);
            if (!residuals.allFinite())
                continue;
            if (auto other = from(start); other.cost < best.cost * (1.0 - 1e-9))
                best = std::move(other);
        }
        return best;
    }

    const std::vector<std::size_t>& free() const { return m_free; }
    const BoxProblem& problem() const { return m_problem; }
    /// All parameters, the kept ones at their starts.
    std::vector<double> valuesAt(const Eigen::VectorXd& point) const {
        auto values = m_values;
        for (std::size_t i = 0; i < m_free.size(); ++i) {
            const auto& p = m_parameters[m_free[i]];
            values[m_free[i]] =
                std::clamp(std::exp(point(static_cast<Eigen::Index>(i))), p.minimum, p.maximum);
        }
        return values;
    }

private:
    const Residuals& m_residuals;
    std::span<const FitParameter> m_parameters;
    const FitOptions& m_options;
    std::vector<double> m_values;
    std::vector<std::size_t> m_free;
    BoxProblem m_problem;
    Eigen::VectorXd m_start;

    BoxMinimum from(const Eigen::VectorXd& start) const {
        std::function<void(const BoxMinimum&)> onStep;
        if (m_options.onStep)
            onStep = [this](const BoxMinimum& at) { m_options.onStep(valuesAt(at.point), at.cost); };
        return minimise(m_problem, start, m_options.steps, m_options.stop, onStep);
    }
};

/// What the slopes at a minimum say of the parameters that lie within their bounds.
struct Uncertainty {
    std::vector<std::size_t> inside; ///< ordinals of the parameters
    double spread = 0.0;
    Eigen::VectorXd sizes;      ///< of the slopes along each direction, the largest first
    Eigen::MatrixXd directions; ///< in columns
};

Uncertainty uncertaintyOf(const Attempt& attempt, const BoxMinimum& least) {
    const auto slopes = slopesOf(attempt.problem(), least.point);
    const auto held = heldByBox(attempt.problem(), least, slopes);
    Uncertainty told;
    std::vector<Eigen::Index> columns;
    for (std::size_t i = 0; i < held.size(); ++i)
        if (!held[i]) {
            told.inside.push_back(attempt.free()[i]);
            columns.push_back(static_cast<Eigen::Index>(i));
        }
    const auto& loss = attempt.problem().loss;
    double psi = 0.0, slope = 0.0;
    for (const double r : least.residuals) {
        psi += r * loss.weight(r) * r * loss.weight(r);
        slope += loss.slope(r);
    }
    const auto rows = static_cast<double>(least.residuals.size());
    // Where every row is an outlier of Huber's loss there is no slope: as if none were.
    slope = slope > 0.0 ? slope / rows : 1.0;
    told.spread = std::sqrt(psi / (rows - static_cast<double>(columns.size()))) / slope;
    if (columns.empty())
        return told;
    Eigen::MatrixXd inside(slopes.rows(), static_cast<Eigen::Index>(columns.size()));
    for (std::size_t i = 0; i < columns.size(); ++i)
        inside.col(static_cast<Eigen::Index>(i)) = slopes.col(columns[i]);
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(inside);
    const Eigen::MatrixXd upper =
        qr.matrixQR().topRows(inside.cols()).triangularView<Eigen::Upper>().toDenseMatrix();
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(upper, Eigen::ComputeFullV);
    told.sizes = svd.singularValues();
    told.directions = svd.matrixV();
    return told;
}

/// The most open direction, where one is.
std::optional<Indeterminacy> openDirection(const Uncertainty& told, std::span<const FitParameter> parameters,
                                           double openAbove, double rows) {
    if (told.inside.empty())
        return std::nullopt;
    const auto last = told.sizes.size() - 1;
    const double size = told.sizes(last);
    const bool flat = !(size > kFlat * std::sqrt(rows));
    Indeterminacy open;
    open.standardError = flat ? std::numeric_limits<double>::infinity() : told.spread / size;
    if (!(flat || open.standardError > openAbove))
        return std::nullopt;
    Eigen::VectorXd direction = told.directions.col(last);
    Eigen::Index largest = 0; // the first of those that are as large
    for (Eigen::Index i = 1; i < direction.size(); ++i)
        if (std::abs(direction(i)) > std::abs(direction(largest)) + 1e-6)
            largest = i;
    if (direction(largest) < 0.0)
        direction = -direction;
    open.kept = parameters[told.inside[static_cast<std::size_t>(largest)]].name;
    std::vector<Eigen::Index> order(static_cast<std::size_t>(direction.size()));
    std::iota(order.begin(), order.end(), Eigen::Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
        return (a == largest) > (b == largest) ||
               ((a == largest) == (b == largest) && std::abs(direction(a)) > std::abs(direction(b)) + 1e-9);
    });
    for (const auto i : order)
        if (std::abs(direction(i)) >= 0.05)
            open.direction.push_back(
                {parameters[told.inside[static_cast<std::size_t>(i)]].name, direction(i)});
    return open;
}

void setErrors(Fit& result, const Uncertainty& told) {
    const std::size_t all = result.parameters.size();
    result.correlations.assign(all * all, kNone);
    result.spread = told.spread;
    if (told.inside.empty())
        return;
    const Eigen::VectorXd along = (told.spread * told.sizes.cwiseInverse()).eval();
    const Eigen::MatrixXd half = told.directions * along.asDiagonal();
    const Eigen::MatrixXd covariance = half * half.transpose();
    const Eigen::MatrixXd shape = told.directions * told.sizes.cwiseInverse().cwiseAbs2().asDiagonal() *
                                  told.directions.transpose(); // correlations of exact rows too
    for (std::size_t i = 0; i < told.inside.size(); ++i) {
        const auto a = static_cast<Eigen::Index>(i);
        auto& parameter = result.parameters[told.inside[i]];
        parameter.standing = Standing::Fitted;
        parameter.standardError = std::sqrt(covariance(a, a));
        for (std::size_t j = 0; j < told.inside.size(); ++j) {
            const auto b = static_cast<Eigen::Index>(j);
            result.correlations[told.inside[i] * all + told.inside[j]] =
                i == j ? 1.0 : std::clamp(shape(a, b) / std::sqrt(shape(a, a) * shape(b, b)), -1.0, 1.0);
        }
    }
}

} // namespace

std::string Indeterminacy::text() const {
    std::string text;
    for (const auto& part : direction) {
        char percent[32];
        std::snprintf(percent, sizeof percent, "%.2f",
                      std::abs(part.share) / std::abs(direction.front().share));
        text += (text.empty() ? "" : " with ") + part.name + (part.share > 0.0 ? " up by " : " down by ") +
                percent + " %";
    }
    return text;
}

std::vector<double> Fit::values() const {
    std::vector<double> all;
    for (const auto& parameter : parameters)
        all.push_back(parameter.value);
    return all;
}

double Fit::correlation(std::size_t one, std::size_t other) const {
    return correlations[one * parameters.size() + other];
}

Fit fit(const Residuals& residuals, std::size_t rows, std::span<const FitParameter> parameters,
        const FitOptions& options) {
    checkParameters(parameters, rows, options);
    std::vector<bool> kept(parameters.size(), false);
    Fit result;
    const auto start = Attempt(residuals, rows, parameters, kept, options).startPoint();
    for (Eigen::Index i = 0; i < start.residuals.size(); ++i)
        if (!std::isfinite(start.residuals(i)))
            throwInvalid("row " + std::to_string(i + 1), "its residual is not finite at the start",
                         "Leave the row out, or start elsewhere");
    result.startCost = start.cost;
    for (;;) {
        Attempt attempt(residuals, rows, parameters, kept, options);
        const auto least = attempt.least();
        const auto told = uncertaintyOf(attempt, least);
        result.steps += least.steps;
        if (auto open = openDirection(told, parameters, options.openAbove, static_cast<double>(rows))) {
            for (std::size_t i = 0; i < parameters.size(); ++i)
                if (parameters[i].name == open->kept)
                    kept[i] = true;
            result.undetermined.push_back(std::move(*open));
            continue;
        }
        const auto values = attempt.valuesAt(least.point);
        for (std::size_t i = 0; i < parameters.size(); ++i)
            result.parameters.push_back({parameters[i].name, values[i], parameters[i].start, kNone,
                                         kept[i] ? Standing::Undetermined : Standing::AtBound});
        setErrors(result, told);
        result.residuals.assign(least.residuals.begin(), least.residuals.end());
        result.cost = least.cost;
        result.converged = least.converged;
        return result;
    }
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/parallel_view.h"

#include "engine/base/csv.h"
#include "engine/base/file.h"
#include "engine/plotting/ticks.h"
#include "engine/scenario/scenario_key.h"
#include "engine/study_run/evaluate_study.h"
#include "engine/units/number_text.h"
#include "widgets/plots/chart_export.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr std::size_t kManyRows = 50000;   // above, they are gone through on a thread of its own
constexpr std::size_t kMostBundles = 4096; // between two axes
constexpr double kTickEvery = 34.0;

double baselineOfColumn(const StudyMarks& marks, const std::string& column) {
    if (!marks.baseline())
        return 1.0;
    const auto found = marks.baseline()->metrics.find(column);
    return found != marks.baseline()->metrics.end() && found->second > 0 ? found->second : 1.0;
}

std::vector<std::vector<engine::ParallelBundle>>
bundlesOf(const std::vector<std::shared_ptr<const engine::ParallelAxis>>& axes, const engine::RowMask& kept) {
    std::vector<std::vector<engine::ParallelBundle>> all;
    for (std::size_t i = 0; i + 1 < axes.size(); ++i)
        all.push_back(coarsened(engine::parallelBundles(*axes[i], *axes[i + 1], kept), kMostBundles));
    return all;
}

} // namespace

ParallelView::ParallelView(StudyMarks* marks, QWidget* parent) : DrawnWidget(parent), m_marks(marks) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Parallel coordinates"));
    connect(&Theme::instance(), &Theme::changed, this, &ParallelView::repaintAll);
    connect(marks, &StudyMarks::hoveredChanged, this, qOverload<>(&QWidget::update));
    connect(marks, &StudyMarks::selectedChanged, this, qOverload<>(&QWidget::update));
    connect(marks, &StudyMarks::baselineChanged, this, [this] {
        labelAxes();
        update();
    });
    connect(marks, &StudyMarks::keptChanged, this, [this] {
        if (m_study && m_study == m_marks->study()) { // another study: setColumns() follows
            readBrushes();
            readBundles();
        }
    });
}

ParallelLayout ParallelView::parallelLayout() const {
    return {QRectF(rect()), m_picture.axes.size()};
}

void ParallelView::setColumns(std::vector<std::string> columns) {
    const auto study = m_marks->study();
    if (study == m_study && columns == m_columns)
        return;
    if (!m_study || !study || m_study->table.info.id != study->table.info.id || columns != m_columns)
        m_picture = {}; // else what is shown stays until more is read
    m_columns = std::move(columns);
    m_study = study;
    if (m_study)
        std::erase_if(m_columns, [this](const auto& name) {
            const auto* column = m_study->table.find(name);
            return !column || column->values.empty();
        });
    readAxes();
}

void ParallelView::readAxes() {
    m_job.drop();
    repaintAll();
    if (!m_study)
        return;
    const auto read = [study = m_study, columns = m_columns, kept = m_marks->kept()] {
        std::vector<std::shared_ptr<const engine::ParallelAxis>> axes;
        for (const auto& column : columns)
            axes.push_back(
                std::make_shared<const engine::ParallelAxis>(engine::parallelAxis(study->table, column)));
        auto bundles = bundlesOf(axes, kept);
        return std::pair(std::move(axes), std::move(bundles));
    };
    const auto take = [this](auto found) {
        m_picture.axes.clear();
        for (auto& axis : found.first)
            m_picture.axes.push_back({std::move(axis), {}, {}});
        m_picture.bundles = std::move(found.second);
        labelAxes();
        readBrushes();
        repaintAll();
    };
    if (m_study->table.rows() <= kManyRows) {
        take(read());
        return;
    }
    m_job.start([read, take](JobRun&) -> Job::Show {
        return [take, found = read()]() mutable { take(std::move(found)); };
    });
}

void ParallelView::readBundles() {
    std::vector<std::shared_ptr<const engine::ParallelAxis>> axes;
    for (const auto& axis : m_picture.axes)
        axes.push_back(axis.axis);
    if (axes.empty() || m_study->table.rows() <= kManyRows) {
        m_picture.bundles = bundlesOf(axes, m_marks->kept());
        repaintAll();
        return;
    }
    m_job.start([this, axes, kept = m_marks->kept()](JobRun&) -> Job::Show {
        return [this, bundles = bundlesOf(axes, kept), axes]() mutable {
            if (m_picture.axes.size() != axes.size() || m_picture.axes.front().axis != axes.front())
                return;
            m_picture.bundles = std::move(bundles);
            repaintAll();
        };
    });
}

void ParallelView::readBrushes() {
    for (auto& axis : m_picture.axes) {
        axis.brush.reset();
        for (const auto& limit : m_marks->brush())
            if (limit.column == axis.axis->column) {
                const auto share = [&](double value, double without) {
                    return std::isfinite(value) ? std::clamp(axis.axis->share(value), 0.0, 1.0) : without;
                };
                axis.brush = std::pair(share(limit.least, 0.0), share(limit.most, 1.0));
            }
    }
    describe();
    update();
}

/// Names, units and ticks: at the values of an axis of the study while there is room, else round numbers;
/// of a metric while something is pinned, how many times the baseline.
void ParallelView::labelAxes() {
    const auto wanted = std::max(2, static_cast<int>(height() / kTickEvery));
    for (auto& shown : m_picture.axes) {
        const auto& axis = *shown.axis;
        const auto& column = *m_study->table.find(axis.column);
        const auto own = m_study->shownUnit(column);
        const bool ratio =
            !column.isAxis && m_marks->baseline() && m_marks->baseline()->metrics.contains(axis.column);
        // What is written as one.
        const double unit = ratio ? baselineOfColumn(*m_marks, axis.column) : 1 / own.factor;
        shown.label = quantityLabel(QString::fromStdString(column.label),
                                    ratio ? QStringLiteral("×") : QString::fromStdString(own.name));
        shown.ticks.clear();
        const auto* swept = column.isAxis ? m_study->axis(column.name) : nullptr;
        if (swept && swept->values.size() <= 2 * static_cast<std::size_t>(wanted)) {
            double before = -1;
            auto values = swept->values;
            std::sort(values.begin(), values.end());
            for (const double value : values) {
                const double share = axis.share(value);
                if (before >= 0 && (share - before) * height() < kTickEvery / 2)
                    continue;
                shown.ticks.emplace_back(share, m_study->text(column, value));
                before = share;
            }
            continue;
        }
        const engine::AxisRange range{axis.lower / unit, axis.upper / unit};
        auto ticks = axis.log ? engine::logTicks(range, 10, wanted) : engine::linearTicks(range, wanted);
        if (ticks.empty() || axis.lower == axis.upper)
            ticks = {range.lower};
        for (const double tick : ticks)
            shown.ticks.emplace_back(axis.share(tick * unit), QString::fromStdString(engine::tickText(tick)));
    }
}

void ParallelView::brush(std::size_t axis, double low, double high) {
    const auto& places = *m_picture.axes[axis].axis;
    // The ends as they are: rounding must not put the last row out.
    const auto value = [&](double share) {
        return share <= 0 ? places.lower : share >= 1 ? places.upper : places.valueAt(share);
    };
    m_marks->brush(engine::Limit{places.column, value(low), value(high)});
}

void ParallelView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto layout = parallelLayout();
    const ChartStyle style;
    const ParallelPainter parts(m_picture, layout, style);
    const auto ratio = devicePixelRatioF();
    if (m_lines.isNull() && !m_picture.axes.empty()) {
        m_lines = QPixmap((QSizeF(size()) * ratio).toSize());
        m_lines.setDevicePixelRatio(ratio);
        m_lines.fill(style.role(ColorRole::Surface));
        QPainter lines(&m_lines);
        parts.paintBundles(lines);
    }
    painter.drawPixmap(0, 0, m_lines);
    if (m_marks->hovered())
        parts.paintRow(painter, *m_marks->hovered(), style.role(ColorRole::Text), 1.5);
    if (m_marks->selected())
        parts.paintRow(painter, *m_marks->selected(), style.color(ChartColor::series(1)), 2);
    parts.paintAxes(painter);
}

void ParallelView::repaintAll() {
    m_lines = {};
    update();
}

void ParallelView::resizeEvent(QResizeEvent*) {
    labelAxes(); // as many ticks as there is room for
    repaintAll();
}

QByteArray ParallelView::render(ImageFormat format, const ImageSize& size) const {
    const double width = pictureWidth(size.widthMm);
    const QSize logical(static_cast<int>(width), static_cast<int>(width * (size.widthMm < 120 ? 0.75 : 0.5)));
    auto picture = m_picture;
    picture.focused.reset();
    const ParallelLayout layout(QRectF(QPointF(), QSizeF(logical)).adjusted(2, 2, -2, -2),
                                picture.axes.size());
    const ChartStyle style{.exported = true};
    return renderPicture(format, size, accessibleName(), logical, [&](QPainter& painter) {
        const ParallelPainter parts(picture, layout, style);
        parts.paintBundles(painter);
        if (m_marks->selected())
            parts.paintRow(painter, *m_marks->selected(), style.color(ChartColor::series(1)), 2);
        parts.paintAxes(painter);
    });
}

void ParallelView::exportTo(const QString& path, const ImageSize& size) const {
    const auto bytes = render(imageFormatOf(path), size);
    engine::writeFileAtomically(path.toStdString(),
                                {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

QString ParallelView::csv(bool keyed) const {
    if (!m_study)
        return {};
    std::string out;
    std::vector<const engine::StudyColumn*> columns;
    for (const auto& name : m_columns) {
        const auto* column = m_study->table.find(name);
        out += columns.empty() ? "" : ",";
        out += engine::csvField(column->label + (column->unit.empty() ? "" : " (" + column->unit + ")"));
        columns.push_back(column);
    }
    out += keyed ? ",Key\n" : "\n";
    const auto keys =
        keyed ? engine::studyKeys(m_study->table, m_study->definition) : std::vector<engine::ScenarioKey>();
    const auto& kept = m_marks->kept();
    for (std::size_t row = 0; row < kept.size(); ++row) {
        if (!kept[row])
            continue;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const double value = engine::feasibleValue(m_study->table, *columns[i], row);
            out += i ? "," : "";
            if (!std::isnan(value))
                out += columns[i]->isChoice() ? engine::csvField(columns[i]->text(value))
                                              : engine::exactText(value);
        }
        out += (keyed ? ',' + engine::keyText(keys[row]) : "") + '\n';
    }
    return QString::fromStdString(out);
}

} // namespace heteroscape::widgets

#include "moc_parallel_view.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/scrub_panel.h"

#include "engine/base/error.h"
#include "engine/scenario/parameters.h"
#include "engine/units/number_text.h"
#include "widgets/explore/axis_list.h"
#include "widgets/explore/scrub.h"
#include "widgets/explore/study_tile.h"
#include "widgets/inspector/scrub_slider.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QPushButton>
#include <QSlider>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kScrubReach = 8.0;  // a parameter goes from an eighth to eight times its value
constexpr double kPictureMs = 12.0;  // that the points of a picture may take while a slider moves
constexpr double kLeastPace = 256.0; // points of a picture, however long they take
constexpr std::chrono::milliseconds kRest{150};

/// A parameter around the value it has.
ScrubRange rangeAround(const engine::Scenario& base, const std::string& path) {
    const auto resolved = engine::resolveQuantity(base, path);
    const auto& spec = resolved.spec;
    ScrubRange range{path, QString::fromStdString(engine::axisLabel(base, path)),
                     QString::fromStdString(std::string(spec.unit))};
    const auto& figure = resolved.in(base);
    range.value = figure.isSet() ? engine::shownValue(figure.value, spec.scale) : std::max(spec.minimum, 1.0);
    range.least = spec.minimum;
    range.most = spec.maximum;
    range.integer = spec.integer;
    range.lower = std::max(range.value / kScrubReach, spec.minimum);
    range.upper = std::min(range.value > 0 ? range.value * kScrubReach : 1.0, spec.maximum);
    if (spec.integer)
        range.lower = std::floor(range.lower);
    return range;
}

} // namespace

ScrubPanel::ScrubPanel(StudyBoard* board, std::shared_ptr<const engine::Catalog> catalog, QWidget* parent)
    : QWidget(parent), m_board(board), m_catalog(std::move(catalog)), m_column(new QVBoxLayout),
      m_picker(new AxisPicker(this)), m_add(new QPushButton(tr("Parameter"), this)),
      m_reset(new QPushButton(tr("Reset"), this)) {
    auto* head = new QHBoxLayout;
    head->addWidget(new TextLabel(tr("Scrub"), TextSize::Body, ColorRole::Text, QFont::DemiBold, this));
    auto* hint = new TextLabel(tr("drag, or use ← →"), TextSize::Caption, ColorRole::Muted, this);
    hint->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    head->addWidget(hint, 1);
    m_add->setObjectName(QStringLiteral("addParameter"));
    m_add->setToolTip(tr("A slider for a parameter that is not swept"));
    Theme::instance().follow(this,
                             [this] { m_add->setIcon(Theme::instance().icon(QStringLiteral("plus"))); });
    m_reset->setObjectName(QStringLiteral("resetScrub"));
    m_reset->setToolTip(tr("Show the stored points again"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_add, 1);
    buttons->addWidget(m_reset);
    m_column->setSpacing(4);
    auto* column = makeColumn(this, {}, 6);
    column->addLayout(head);
    column->addLayout(m_column);
    column->addLayout(buttons);
    connect(m_add, &QPushButton::clicked, this, &ScrubPanel::openPicker);
    connect(m_reset, &QPushButton::clicked, this, &ScrubPanel::reset);
    connect(m_picker, &AxisPicker::picked, this, &ScrubPanel::addParameter);
    connect(m_board, &StudyBoard::plotsChanged, this, &ScrubPanel::scrub);
    connect(&m_job, &Job::failed, this, &ScrubPanel::failed);
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRest);
    connect(&m_rest, &QTimer::timeout, this, [this] { draw(true); });
    hide();
}

void ScrubPanel::showStudy(const std::shared_ptr<const LoadedStudy>& study) {
    const bool another = !study || !m_study || study->table.info.id != m_study->table.info.id;
    m_study = study;
    setVisible(study != nullptr);
    if (!another) {
        scrub(); // the tiles have just taken the stored points
        return;
    }
    m_rest.stop();
    m_job.drop();
    while (!m_sliders.empty())
        removeSlider(m_sliders.back());
    if (study)
        makeAxisSliders();
    showPositions();
    m_reset->setEnabled(false);
}

void ScrubPanel::makeAxisSliders() {
    const auto plots = m_board->plots();
    for (std::size_t i = 0; i < m_study->definition.axes.size(); ++i) {
        const auto& axis = m_study->definition.axes[i];
        if (axis.path == engine::kPointDesign) // the others say what it is
            continue;
        const auto& column = m_study->table.columns[i];
        ScrubRange range{axis.path, QString::fromStdString(column.label),
                         QString::fromStdString(column.unit)};
        range.stops = axis.values;
        std::sort(range.stops.begin(), range.stops.end()); // of a list some come again
        range.stops.erase(std::unique(range.stops.begin(), range.stops.end()), range.stops.end());
        range.value = axis.values.front();
        for (const auto* tile : plots)
            for (const auto& [path, value] : tile->query().fixed)
                if (path == axis.path)
                    range.value = value;
        range.lower = range.stops.front();
        range.upper = range.stops.back();
        if (axis.isChoice()) {
            range.names = m_study->choices[i];
        } else {
            const auto spec = engine::resolveQuantity((m_study->table.rows() > 0 ? m_study->scenarioOf(0)
                                                                                 : *m_study->definition.base),
                                                      axis.path)
                                  .spec;
            range.least = spec.minimum;
            range.most = spec.maximum;
            range.integer = spec.integer;
        }
        addSlider(new ScrubSlider(std::move(range), false, this));
    }
}

void ScrubPanel::addSlider(ScrubSlider* slider) {
    m_sliders.push_back(slider);
    m_column->addWidget(slider);
    slider->show(); // at once: what lies around it is laid out with it
    if (m_sliders.size() > 1)
        setTabOrder(m_sliders[m_sliders.size() - 2], slider);
    connect(slider, &ScrubSlider::moved, this, &ScrubPanel::scrub);
    connect(slider, &ScrubSlider::removeRequested, this, [this, slider] {
        const bool moved = slider->isMoved();
        removeSlider(slider);
        if (moved && !isMoved())
            reset();
        else if (moved)
            scrub();
    });
}

void ScrubPanel::removeSlider(ScrubSlider* slider) {
    std::erase(m_sliders, slider);
    m_column->removeWidget(slider);
    slider->hide();
    slider->deleteLater();
}

void ScrubPanel::openPicker() {
    if (!m_study)
        return;
    std::vector<std::string> taken;
    for (const auto* slider : m_sliders)
        taken.push_back(slider->path());
    const auto& base = *m_study->definition.base;
    for (const auto& parameter : engine::listParameters(base, *m_catalog))
        if (parameter.kind != engine::ParameterKind::Number)
            taken.push_back(parameter.path); // nothing to drag
    m_picker->open(base, *m_catalog, taken, m_add);
}

void ScrubPanel::addParameter(const QString& path) {
    const auto key = path.toStdString();
    if (!m_study || std::any_of(m_sliders.begin(), m_sliders.end(),
                                [&](const auto* slider) { return slider->path() == key; }))
        return;
    try {
        addSlider(new ScrubSlider(rangeAround(m_study->definition.base, key), true, this));
        m_sliders.back()->slider()->setFocus();
    } catch (const engine::Error& error) {
        emit failed(QString::fromUtf8(error.what()));
    }
}

bool ScrubPanel::isMoved() const {
    return std::any_of(m_sliders.begin(), m_sliders.end(),
                       [](const auto* slider) { return slider->isMoved(); });
}

std::vector<engine::HeldAxis> ScrubPanel::moved() const {
    std::vector<engine::HeldAxis> moved;
    for (const auto* slider : m_sliders)
        if (slider->isMoved())
            moved.emplace_back(slider->path(), slider->value());
    return moved;
}

void ScrubPanel::showPositions() {
    std::vector<engine::HeldAxis> others;
    for (const auto* slider : m_sliders)
        if (!slider->isMoved())
            others.emplace_back(slider->path(), slider->value());
    for (auto* tile : m_board->plots())
        tile->showPosition(moved(), others);
    m_board->marks()->setScrubbed(isMoved());
}

void ScrubPanel::scrub() {
    m_reset->setEnabled(isMoved());
    showPositions();
    if (!m_study || !isMoved())
        return;
    if (m_whole)
        m_job.drop(); // the sliders go on
    draw(false);
}

void ScrubPanel::draw(bool whole) {
    m_whole = whole;
    m_rest.stop();
    std::vector<std::pair<QPointer<StudyTile>, engine::StudyPlot>> plots;
    for (auto* tile : m_board->plots())
        plots.emplace_back(tile, tile->plot());
    const auto most = whole ? kMostScrubbed : m_pace / std::max<std::size_t>(plots.size(), 1);
    m_job.start([this, plots, most, moved = moved(), study = m_study, catalog = m_catalog,
                 whole](JobRun& run) -> Job::Show {
        std::vector<Shown> shown;
        bool thinned = false;
        std::size_t points = 0;
        QElapsedTimer clock;
        clock.start();
        for (const auto& [tile, plot] : plots) {
            auto cut = scrubCut(study->definition, plot, moved, most);
            auto found = cut ? scrubbedPoints(*cut, *study, *catalog, run.stop()) : nullptr;
            thinned = thinned || (cut && cut->thinned);
            points += found ? found->table.rows() : 0;
            shown.push_back(
                {tile, cut ? cut->plot : engine::StudyPlot(), cut && cut->thinned, std::move(found)});
        }
        const auto pace =
            static_cast<double>(points) * kPictureMs / (static_cast<double>(clock.nsecsElapsed()) / 1e6);
        std::reverse(shown.begin(), shown.end());
        return [this, shown, pace, again = thinned && !whole] {
            m_shown = shown;
            m_shows.start();
            m_pace = static_cast<std::size_t>(std::clamp(pace, kLeastPace, double{kMostScrubbed}));
            if (again)
                m_rest.start();
        };
    });
}

bool ScrubPanel::showNext() {
    if (m_shown.empty())
        return false;
    const auto one = std::move(m_shown.back());
    m_shown.pop_back();
    if (one.tile && one.study)
        one.tile->showScrubbed(one.study, one.plot, one.thinned);
    else if (one.tile)
        one.tile->showStored();
    return !m_shown.empty();
}

void ScrubPanel::reset() {
    m_rest.stop();
    m_job.drop();
    m_shown.clear();
    for (auto* slider : m_sliders)
        slider->reset();
    for (auto* tile : m_board->plots())
        tile->showStored();
    showPositions();
    m_reset->setEnabled(false);
}

} // namespace heteroscape::widgets

#include "moc_scrub_panel.cpp"

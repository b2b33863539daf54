// SPDX-License-Identifier: GPL-3.0-or-later
// Axes that do not go together, or change nothing.

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/frontier/frontier.h"
#include "engine/study/point_list.h"
#include "widgets/document/serving_view.h"
#include "widgets/explore/axis_row.h"
#include "widgets/explore/study_setup.h"
#include "widgets/theme/text_label.h"

#include <QFileInfo>
#include <QPushButton>

namespace heteroscape::widgets {

namespace {
bool isPartOfSystem(const AxisRow& row) {
    const auto path = row.text().path;
    return path.starts_with("nodes.") || path.starts_with("links.") || path.starts_with("techniques.");
}
} // namespace

// A list of points from a file, in the place of axes.

void StudySetup::openPoints(const QString& file) {
    catchUp();
    engine::Study study{m_document->title().toStdString(), m_document->scenario(), {}};
    try {
        engine::InputFile in(file.toStdString());
        engine::readPoints(study, m_document->catalog(), in, QFileInfo(file).fileName().toStdString());
    } catch (const engine::Error& error) {
        m_error->setText(QString::fromUtf8(error.what()));
        m_error->show();
        return;
    }
    if (study.isList)
        takeList(QFileInfo(file).fileName(), study.axes);
    else
        takeAxes(study.axes); // one column or one row: a grid
}

void StudySetup::takeList(const QString& name, std::vector<engine::Axis> axes) {
    setAxes({});
    m_touched = true;
    m_list = PointList{name, std::move(axes)};
    check();
}

/// Its columns in a study of the open design. Throws Error where they do not fit.
void StudySetup::putList(engine::Study& study) const {
    study.axes = m_list->axes;
    for (auto& axis : study.axes)
        engine::resolveChoices(axis, study.base, m_document->catalog());
    study.isList = true;
    engine::checkStudy(study);
}

void StudySetup::showList() {
    QStringList columns;
    for (std::size_t i = 0; m_list && i < m_list->axes.size(); ++i)
        columns << QString::fromStdString(engine::axisLabel(m_document->scenario(), m_list->axes[i].path));
    m_listWords->setText(m_list ? tr("Points of %1: %2").arg(m_list->name, columns.join(QStringLiteral(", ")))
                                : QString());
    m_listWords->setVisible(m_list.has_value());
    m_listGone->setVisible(m_list.has_value());
}

bool StudySetup::markPartsOfSystems(const engine::Study& study) {
    bool any = false;
    if (engine::sweepsSystems(study.axes))
        for (auto* row : m_rows)
            if (isPartOfSystem(*row)) {
                row->setError(
                    tr("Each system brings devices, links and techniques of its own: leave out this "
                       "axis or the systems."));
                any = true;
            }
    return any;
}

void StudySetup::leaveOutParts() {
    const auto rows = m_rows;
    for (auto* row : rows)
        if (isPartOfSystem(*row))
            removeRow(row);
}

void StudySetup::checkArrivals() {
    const auto& serving = m_document->scenario().serving;
    bool varies = false, served = false;
    QStringList idle; // metrics of other arrivals than the chosen
    m_proposed = nullptr;
    for (const auto* row : m_rows) {
        const auto path = row->text().path;
        if (!path.starts_with("serving."))
            continue;
        varies |= path == "serving.arrivals";
        served |= path != "serving.arrivals";
        const auto key = path.substr(path.find('.') + 1);
        if (serving.uses(key))
            continue;
        auto owners = engine::simulatedArrivals();
        std::erase_if(owners, [&](const engine::ArrivalKind* kind) { return kind->indexOf(key) < 0; });
        if (owners.empty())
            continue;
        idle << words(
            owners.front()->parameters()[static_cast<std::size_t>(owners.front()->indexOf(key))].spec.label);
        if (owners.size() == 1 && !m_proposed)
            m_proposed = owners.front();
    }
    const bool steady = !serving.isSimulated();
    const bool nothing = !varies && ((steady && served) || !idle.isEmpty());
    m_idle->setText(steady ? tr("Arrivals are %1: no request is simulated, so this axis changes nothing.")
                                 .arg(words(serving.arrivals->id()))
                           : tr("With %1 this changes nothing: %2.")
                                 .arg(words(serving.arrivals->noun()), idle.join(QStringLiteral(", "))));
    m_arrivals->setText(m_proposed ? tr("Use %1").arg(words(m_proposed->noun())) : tr("Choose arrivals"));
    m_idle->setVisible(nothing);
    m_arrivals->setVisible(nothing);
}

bool StudySetup::makes(const engine::Study& study) const {
    return !engine::isFrontier(study);
}

bool StudySetup::isCurrent(const LoadedStudy& study) const {
    return engine::scenarioKey(m_document->scenario()) == engine::scenarioKey(study.definition.base);
}

QString StudySetup::emptyHeading() const {
    return tr("Sweep any parameter of this design");
}

QString StudySetup::emptyWords(bool isReady) const {
    return isReady
               ? tr("Each axis on the left is a parameter of the design and the values it takes; every "
                    "combination is evaluated once, kept, and drawn here.")
               : tr("Add an axis on the left: any parameter of the design, and the values it shall take.");
}

} // namespace heteroscape::widgets

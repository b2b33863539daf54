// SPDX-License-Identifier: GPL-3.0-or-later
// A list of points from a file, in the place of axes.
#include "engine/base/error.h"
#include "engine/base/input_file.h"
#include "engine/study/point_list.h"
#include "widgets/explore/study_setup.h"
#include "widgets/theme/text_label.h"

#include <QFileInfo>
#include <QPushButton>

namespace heteroscape::widgets {

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

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/report_writer.h"

#include "engine/base/file.h"

namespace heteroscape::widgets {

ReportWriter::ReportWriter(QObject* parent) : QObject(parent) {
    m_turn.setInterval(0);
    connect(&m_turn, &QTimer::timeout, this, &ReportWriter::drawNext);
    connect(&m_job, &Job::failed, this, &ReportWriter::failed);
}

void ReportWriter::write(DesignReport report, const QString& path) {
    m_format = reportFormat(path);
    m_job.drop();
    m_report = std::move(report);
    m_path = path;
    m_drawings.clear();
    m_turn.start();
}

void ReportWriter::drawNext() {
    const auto at = m_drawings.size();
    if (at == m_report.pictures.size()) {
        m_turn.stop();
        writeFile();
        return;
    }
    m_drawings.push_back(reportDrawing(m_report.pictures[at], m_format));
    emit drawn(static_cast<int>(at) + 1, static_cast<int>(m_report.pictures.size()));
}

void ReportWriter::writeFile() {
    m_job.start([this, report = m_report, path = m_path, format = m_format,
                 drawings = std::move(m_drawings)](JobRun&) -> Job::Show {
        const auto bytes = reportFile(report, format, drawings);
        engine::writeFileAtomically(path.toStdString(),
                                    {bytes.constData(), static_cast<std::size_t>(bytes.size())});
        return [this, path] { emit written(path); };
    });
}

} // namespace heteroscape::widgets

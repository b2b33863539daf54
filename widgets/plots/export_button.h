// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/axis_scales.h"
#include "widgets/plots/chart.h"
#include "widgets/plots/chart_export.h"

#include <QString>
#include <QToolButton>
#include <functional>
#include <vector>

class QMenu;
class QWidget;

namespace heteroscape::widgets {

/// Asks where a file shall be written; a name without a suffix gets `suffix` before the dialog asks whether
/// to overwrite what is there. `suggestion`: a whole path; `kind`: "PNG picture". Empty when it was
/// cancelled.
QString askSavePath(QWidget* parent, const QString& title, const QString& suggestion, const QString& kind,
                    const QString& suffix);

/// The "Export" button of a plot: picture as PNG, SVG or PDF in one of the paper widths and, where
/// it has pixels, with 150, 300 or 600 of them an inch; data as CSV.
class ExportButton : public QToolButton {
    Q_OBJECT
public:
    /// One kind of file: its menu entry, suffix and text.
    struct Data {
        QString entry;  ///< "Data of this plot (CSV)"
        QString suffix; ///< "csv"
        std::function<QString()> text;
    };

    /// A picture that is no chart: writes it into a file of that size; throws Error.
    struct Picture {
        using Write = std::function<void(const QString& path, const ImageSize& size)>;
        explicit Picture(Write how) : write(std::move(how)) {}
        Write write;
    };

    /// `chart` may be empty: then there are only data entries. `baseName`: the file name offered.
    ExportButton(std::function<Chart()> chart, std::vector<Data> sources, QString baseName, QWidget* parent);
    ExportButton(Picture picture, std::vector<Data> sources, QString baseName, QWidget* parent);

    /// Writes the picture, or the data for a suffix that is no picture's. False, after failed(), when it
    /// cannot.
    bool exportTo(const QString& path);

    /// For what can be zoomed: the menu asks whether the view that is shown is written, as at first, or all.
    /// Whoever makes picture and data asks extent().
    void offerExtents();
    Extent extent() const { return m_extent; }

    double widthMm() const { return m_widthMm; }
    double dpi() const { return m_dpi; }

signals:
    void exported(const QString& path);
    void failed(const QString& message);

protected:
    void changeEvent(QEvent* event) override;

private:
    void ask(const QString& suffix, const QString& kind, const Data* source);
    bool write(const QString& path, const Data* source);
    void restyle();

    Picture m_picture; ///< none: only data entries
    std::vector<Data> m_data;
    QMenu* m_menu = nullptr;
    Extent m_extent = Extent::Shown;
    QString m_baseName;
    double m_widthMm;
    double m_dpi;
};

} // namespace heteroscape::widgets

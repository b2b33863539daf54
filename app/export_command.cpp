// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export_command.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/claims/claims.h"
#include "engine/claims/figure_study.h"
#include "engine/exporters/study_csv.h"
#include "engine/scenario/scenario_json.h"
#include "engine/study_run/evaluate_study.h"
#include "engine/study_run/run_study.h"
#include "widgets/report/design_pictures.h"
#include "widgets/report/design_report.h"

#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <iostream>

namespace heteroscape::app {

using namespace heteroscape::engine;
using widgets::Picture;

namespace {

const std::string kPlotOption = "--plot";

struct Wanted {
    QStringList plots; ///< ids; empty: all
    QString out;
    QStringList formats; ///< into a folder: a file of each
    widgets::ImageSize size;
    QString store;
    bool list = false;
};

void printWritten(const QString& path) {
    std::cout << path.toStdString() << std::endl;
}

void makeFolder(const QString& folder) {
    if (!QDir().mkpath(folder))
        throw Error(ErrorCode::Io, folder.toStdString(), "the folder cannot be made",
                    "Give a folder that can be written to");
}

bool isFileName(const QString& out) {
    static const QStringList suffixes{QStringLiteral("png"),  QStringLiteral("svg"),
                                      QStringLiteral("pdf"),  QStringLiteral("csv"),
                                      QStringLiteral("html"), QStringLiteral("sqlite")};
    return suffixes.contains(QFileInfo(out).suffix().toLower()) && !QFileInfo(out).isDir();
}

double numberOf(const QCommandLineParser& parser, const QString& option, double least, double most) {
    bool isNumber = false;
    const double value = parser.value(option).toDouble(&isNumber);
    if (!isNumber || !(value >= least && value <= most))
        throwInvalid("--" + option.toStdString(),
                     "\"" + parser.value(option).toStdString() + "\" is not allowed",
                     "Give a number from " + std::to_string(static_cast<int>(least)) + " to " +
                         std::to_string(static_cast<int>(most)));
    return value;
}

/// Into one file when one plot is wanted and the name is a file's; else all into a folder, named `stem`-id.
void writePictures(const std::vector<Picture>& pictures, const QString& stem, const Wanted& wanted) {
    std::vector<const Picture*> chosen;
    for (const auto& id : wanted.plots)
        chosen.push_back(&widgets::findPicture(pictures, id, kPlotOption));
    if (wanted.plots.isEmpty())
        for (const auto& picture : pictures)
            chosen.push_back(&picture);
    if (isFileName(wanted.out)) {
        if (chosen.size() != 1)
            throwInvalid("--out", "one file for " + std::to_string(chosen.size()) + " plots",
                         "Choose one with --plot, or give a folder");
        widgets::writePicture(*chosen.front(), wanted.out, wanted.size);
        printWritten(wanted.out);
        return;
    }
    makeFolder(wanted.out);
    for (const auto* picture : chosen)
        for (const auto& format : wanted.formats) {
            const auto path =
                QDir(wanted.out).filePath(QStringLiteral("%1-%2.%3").arg(stem, picture->id, format));
            widgets::writePicture(*picture, path, wanted.size);
            printWritten(path);
        }
}

void printPlots(const std::vector<Picture>& pictures) {
    for (const auto& picture : pictures)
        std::cout << picture.id.toStdString() << "  " << picture.title.toStdString() << '\n';
}

QString suffixOf(const QString& out) {
    return QFileInfo(out).suffix().toLower();
}

/// All points of a study, as CSV or as a store of its own; into a folder as CSV.
void exportPoints(const widgets::LoadedStudy& study, Store& store, std::int64_t id, const QString& stem,
                  const Wanted& wanted) {
    auto path = wanted.out;
    if (!isFileName(path)) {
        makeFolder(path);
        path = QDir(path).filePath(stem + QStringLiteral("-points.csv"));
    }
    if (suffixOf(path) == QLatin1String("sqlite"))
        store.exportStudy(id, path.toStdString());
    else if (suffixOf(path) == QLatin1String("csv"))
        widgets::exportText(
            QString::fromStdString(studyCsv(study.table, {}, {studyKeys(study.table, study.definition)})),
            path);
    else
        throwInvalid(path.toStdString(), "points are no picture", "Give a file .csv or .sqlite, or a folder");
    printWritten(path);
}

void exportStudy(const FigureStudy& figure, const Catalog& catalog, const Wanted& wanted) {
    const auto stem = QString::fromStdString(figure.id).replace(u'/', u'-');
    std::shared_ptr<const widgets::LoadedStudy> study;
    auto store = std::make_unique<Store>(wanted.store.toStdString());
    std::int64_t id = 0;
    if (figure.study.axes.empty()) { // one design: nothing to sweep
        study = widgets::asLoaded({}, figure.study, catalog);
    } else {
        id = runStudy(figure.study, *store, {}).study.id;
        study = widgets::readStudy(*store, id, catalog);
    }
    const bool points = wanted.plots == QStringList{QStringLiteral("points")};
    if (!wanted.list && (points || suffixOf(wanted.out) == QLatin1String("sqlite"))) {
        if (id == 0)
            throwInvalid(figure.id, "is one design without points", "Leave --plot points out");
        exportPoints(*study, *store, id, stem, wanted);
        return;
    }
    const auto pictures = widgets::studyPictures(study, figure.plots);
    if (wanted.list)
        printPlots(pictures);
    else
        writePictures(pictures, stem, wanted);
}

void exportDesign(const Scenario& design, const QString& stem, const Wanted& wanted) {
    const auto suffix = suffixOf(wanted.out);
    if (!wanted.list && wanted.plots.isEmpty() &&
        (suffix == QLatin1String("html") || suffix == QLatin1String("pdf"))) {
        widgets::writeReportFile(widgets::designReport(design), wanted.out);
        printWritten(wanted.out);
        return;
    }
    const auto pictures = widgets::designPictures(design);
    if (wanted.list)
        printPlots(pictures);
    else
        writePictures(pictures, stem, wanted);
}

Wanted readWanted(const QCommandLineParser& parser) {
    Wanted wanted;
    wanted.plots = parser.values(QStringLiteral("plot"));
    wanted.out = parser.value(QStringLiteral("out"));
    wanted.list = parser.isSet(QStringLiteral("list"));
    wanted.formats = parser.value(QStringLiteral("format")).toLower().split(u',', Qt::SkipEmptyParts);
    for (const auto& format : wanted.formats)
        if (format != QLatin1String("csv"))
            widgets::imageFormatOf(QStringLiteral("--format .") + format); // throws, naming what there is
    wanted.size.widthMm = numberOf(parser, QStringLiteral("width"), 40, 400);
    wanted.size.dpi = numberOf(parser, QStringLiteral("dpi"), 50, 1200);
    wanted.store = parser.isSet(QStringLiteral("db")) ? parser.value(QStringLiteral("db"))
                                                      : QString::fromStdString(defaultStorePath());
    return wanted;
}

} // namespace

int exportCommand(const QStringList& arguments, const Catalog& catalog) {
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Draws a design, a study or a paper's figures into files, without a display.\n"
                       "  heteroscape export preserve/fig7 --plot 1 --out fig7.pdf\n"
                       "  heteroscape export all --out figures --format png,csv\n"
                       "  heteroscape export glitches/a100-7u280 --out report.html"));
    parser.addHelpOption();
    parser.addPositionalArgument(
        QStringLiteral("what"),
        QStringLiteral("A .hscape file, a preset, a study (preserve/fig7), a paper (preserve) or all."));
    const auto option = [&parser](const char* name, const char* about, const char* value,
                                  const char* initial) {
        parser.addOption({QString::fromLatin1(name), QString::fromLatin1(about), QString::fromLatin1(value),
                          QString::fromLatin1(initial)});
    };
    option("plot", "One plot by its id; may be given more than once. Of a study also: points.", "id", "");
    option("out",
           "The file (.png, .svg, .pdf, .csv; a study also .sqlite; a whole design .html or .pdf), or a "
           "folder.",
           "file", "");
    option("format", "Into a folder: the kinds of file.", "png,csv", "png,csv");
    option("width", "The width in mm; 85 is one column, 178 two.", "mm", "178");
    option("dpi", "Of PNG.", "dpi", "300");
    option("db", "The store that studies run in.", "file", "");
    parser.addOption({QStringLiteral("list"), QStringLiteral("Print the plots that there are.")});
    if (!parser.parse(arguments)) {
        std::cerr << "heteroscape export: " << parser.errorText().toStdString() << '\n';
        return 2;
    }
    if (parser.isSet(QStringLiteral("help"))) {
        std::cout << parser.helpText().toStdString();
        return 0;
    }
    const auto what = parser.positionalArguments();
    if (what.size() != 1 || (!parser.isSet(QStringLiteral("out")) && !parser.isSet(QStringLiteral("list")))) {
        std::cerr << "heteroscape export: give what to draw and --out; see --help\n";
        return 2;
    }
    const auto wanted = readWanted(parser);
    const auto name = what.front().toStdString();
    const auto studies = listStudies(catalog);
    std::vector<std::string> chosen;
    for (const auto& id : studies)
        if (name == "all" || id == name || id.starts_with(name + "/"))
            chosen.push_back(id);
    if (chosen.size() > 1 && (!wanted.plots.isEmpty() || isFileName(wanted.out)))
        throwInvalid(wanted.plots.isEmpty() ? "--out" : kPlotOption,
                     "\"" + name + "\" is " + std::to_string(chosen.size()) + " studies",
                     "Name one of them, or give a folder alone");
    for (const auto& id : chosen) {
        if (wanted.list)
            std::cout << id << '\n';
        exportStudy(loadStudy(catalog, id, "what"), catalog, wanted);
    }
    if (!chosen.empty())
        return 0;
    const QFileInfo file(what.front());
    if (file.suffix() == QLatin1String("hscape") || file.isFile()) {
        exportDesign(loadScenario(name, catalog), file.completeBaseName(), wanted);
        return 0;
    }
    if (std::find(catalog.systems.begin(), catalog.systems.end(), name) == catalog.systems.end())
        throw Error(ErrorCode::NotFound, "what", "there is no design or study \"" + name.substr(0, 80) + "\"",
                    "Designs: " + joined(catalog.systems) + ". Studies: " + joined(studies) +
                        ". Or a .hscape file, or all");
    exportDesign(loadPreset(catalog, name, "what"), QString(what.front()).replace(u'/', u'-'), wanted);
    return 0;
}

} // namespace heteroscape::app

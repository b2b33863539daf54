// SPDX-License-Identifier: GPL-3.0-or-later
// Milliseconds per paint of a timeline of 300,000 segments at several zooms, and of what is made once.

#include "tests/widgets/requests/synthetic_run.h"
#include "widgets/requests/requests_view.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>

#include <cstdio>
#include <exception>

using namespace heteroscape;
using namespace heteroscape::widgets;

namespace {

constexpr int kPaints = 40;

double msPerPaint(RequestsView& view, QImage& image) {
    view.render(&image);
    QElapsedTimer timer;
    timer.start();
    for (int i = 0; i < kPaints; ++i)
        view.render(&image);
    return static_cast<double>(timer.nsecsElapsed()) * 1e-6 / kPaints;
}

} // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    try {
        Theme::instance().install(application);
        const auto run = test::syntheticRun(engine::loadCatalog(engine::findPresetsFolder()), 100000);
        QElapsedTimer timer;
        timer.start();
        const auto lanes = std::make_shared<const RequestLanes>(run);
        std::printf("prepare %zu segments %8.2f ms\n", run->serving.result.segments.size(),
                    static_cast<double>(timer.nsecsElapsed()) * 1e-6);
        RequestsView view;
        view.resize(1200, 260);
        view.setLanes(lanes, false);
        QImage image(view.size(), QImage::Format_RGB32);
        timer.start();
        view.render(&image);
        std::printf("first paint %24.2f ms\n", static_cast<double>(timer.nsecsElapsed()) * 1e-6);
        const auto whole = lanes->whole();
        for (double zoom = 1.0; zoom > 1e-7; zoom *= 0.1) {
            const double middle = whole.from + 0.4 * whole.length(), half = 0.5 * zoom * whole.length();
            view.setView({middle - half, middle + half});
            const double ms = msPerPaint(view, image);
            std::printf("%12.3g s in view %15.2f ms per paint, %zu rectangles\n", view.view().length(), ms,
                        view.paintedRectangles());
        }
        view.showAll();
        timer.start();
        view.markRequest(50000);
        const double ms = static_cast<double>(timer.nsecsElapsed()) * 1e-6;
        std::printf("mark a request %21.2f ms, then %.2f ms per paint\n", ms, msPerPaint(view, image));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/widget_test.h"
#include "widgets/jobs/job.h"

#include <QFileInfo>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

using namespace heteroscape::widgets::test;

namespace {

std::map<std::string, WidgetTest::Make>& tests() {
    static std::map<std::string, WidgetTest::Make> all;
    return all;
}

} // namespace

WidgetTest::WidgetTest(const char* file, Make make) {
    tests().emplace(QFileInfo(QString::fromUtf8(file)).completeBaseName().toStdString(), make);
}

int main(int argc, char** argv) {
    const auto found = tests().find(argc > 1 ? argv[1] : "");
    if (found == tests().end()) {
        std::fprintf(stderr, "usage: widgets_test TEST [arguments of QtTest]\nTests:\n");
        for (const auto& [name, make] : tests())
            std::fprintf(stderr, "  %s\n", name.c_str());
        return 2;
    }
    int failed = 0;
    {
        QApplication application(argc, argv); // waits for jobs when it goes, but not for ever
        QTEST_SET_MAIN_SOURCE_PATH
        heteroscape::widgets::startTests();
        const auto test = found->second();
        failed = QTest::qExec(test.get(), argc - 1, argv + 1);
    }
    if (!heteroscape::widgets::waitForJobs({})) { // as in the program: they use static data to their end
        std::fflush(nullptr);
        std::_Exit(failed);
    }
    return failed;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study_run/evaluate_study.h"

#include "engine/base/error.h"
#include "tests/engine/store/store_fixtures.h"

#include <filesystem>
#include <unistd.h>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// A store that goes with the test.
struct TemporaryStore {
    std::filesystem::path file = std::filesystem::temp_directory_path() /
                                 ("heteroscape_forecast_" + std::to_string(::getpid()) + ".sqlite");
    TemporaryStore() { remove(); }
    ~TemporaryStore() { remove(); }
    void remove() const {
        for (const auto* suffix : {"", "-wal", "-shm"})
            std::filesystem::remove(file.string() + suffix);
    }
};

} // namespace

TEST_CASE("a forecast counts what is stored, of this study or of another, and stores nothing") {
    const TemporaryStore place;
    Store store(place.file.string());
    const auto small = smallStudy(2, 3);
    const auto before = forecastStudy(small, &store);
    CHECK(before.points == 12);
    CHECK(before.stored == 0);
    CHECK(before.seconds > 0);
    CHECK(store.studies().empty());
    CHECK_FALSE(store.findStudy(small));

    runStudy(small, store, withJobs(1));
    const auto after = forecastStudy(small, &store);
    CHECK(after.stored == 12);
    CHECK(after.seconds == 0);
    REQUIRE(store.findStudy(small));
    CHECK(store.findStudy(small)->done == 12);

    const auto longer = forecastStudy(smallStudy(4, 3), &store);
    CHECK(longer.points == 24);
    CHECK(longer.stored == 12);
    CHECK(longer.exact);
    CHECK(longer.seconds > 0);
    CHECK(store.studies().size() == 1);
    CHECK(forecastStudy(small, nullptr).stored == 0);
}

TEST_CASE("a study takes another name, and its view with it") {
    const TemporaryStore place;
    Store store(place.file.string());
    const auto id = runStudy(smallStudy(2, 2), store, withJobs(1)).study.id;
    const auto first = store.study(id);
    store.rename(id, "  Batches \"quick\" ");
    const auto now = store.study(id);
    CHECK(now.name == "Batches \"quick\"");
    CHECK(now.view != first.view);
    CHECK(now.done == 8);
    CHECK(store.read(id).rows() == 8);
    store.remove(id); // also finds the view by its new name
    CHECK(store.studies().empty());
    CHECK_THROWS_AS(store.rename(id, "gone"), Error);
    const auto again = runStudy(smallStudy(1, 1), store, withJobs(1)).study.id;
    CHECK(errorOf([&] { store.rename(again, " \t"); }).find("empty") != std::string::npos);
}

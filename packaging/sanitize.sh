# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by test after setup.sh: builds with a sanitizer into a folder of its own and runs the tests there. POSIX sh;
# expects $root, the project's folder.

# Widget tests whose work runs off the UI thread. Under the thread sanitizer the others would only take time.
thread_tests="autosave_test compare_test designs_test document_test explanation_popup_test explore_requests_test
    explore_test job_test linked_test remedies_shown_test requests_panel_test scrub_test study_plot_test
    tornado_test unkept_study_test"

# Prints the path of a oneTBB that is built with the thread sanitizer, which has to see TBB's own ordering.
# The source is that of the Debian package which is installed.
sanitized_tbb() {
    tbb="$root/build/tsan/tbb"
    version=$(dpkg-query -W -f '${source:Version}' libtbb-dev)
    if [ "$(cat "$tbb/version" 2>/dev/null)" != "$version" ]; then
        say "building oneTBB $version with the thread sanitizer in build/tsan/tbb" >&2
        rm -rf "$tbb"
        mkdir -p "$tbb/sources" "$tbb/lists/partial" "$tbb/cache/archives/partial"
        # A list of sources of our own: most systems have none, and theirs is left as it is.
        release=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")
        {
            echo "deb-src http://deb.debian.org/debian $release main"
            echo "deb-src http://deb.debian.org/debian $release-updates main"
            echo "deb-src http://security.debian.org/debian-security $release-security main"
        } >"$tbb/sources/tbb.list"
        options="-qq -o Dir::Etc::SourceList=$tbb/none -o Dir::Etc::SourceParts=$tbb/sources
            -o Dir::State::Lists=$tbb/lists -o Dir::Cache=$tbb/cache"
        # shellcheck disable=SC2086 # a list of words
        (
            cd "$tbb" &&
                apt-get $options update &&
                apt-get $options source "onetbb=$version" &&
                mv onetbb-*/ source &&
                cmake -S source -B library -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTBB_TEST=OFF \
                    -DTBBMALLOC_BUILD=OFF -DTBB_STRICT=OFF -DTBB_SANITIZE=thread &&
                cmake --build library &&
                cmake --install library --prefix installed
        ) >"$tbb.log" 2>&1 || fail "could not build oneTBB with the sanitizer; see $tbb.log"
        printf '%s\n' "$version" >"$tbb/version"
    fi
    printf '%s\n' "$tbb/installed/lib/cmake/TBB"
}

# run_sanitized address|thread [engine|LABEL,...] [arguments of ctest]
run_sanitized() {
    [ $# -gt 0 ] || fail "--sanitize takes address or thread"
    kind=$1
    shift
    part=all
    labels=
    case ${1:-} in
    "" | -*) ;;
    engine) part=engine ;;
    *) part=labels labels=$1 ;; # of the engine's tests nothing else is built
    esac
    [ "$part" = all ] || shift
    engine_tests="engine_test kinds_test cli_test"
    case $kind-$part in
    address-all) preset=asan targets=all tests= ;;
    address-engine) preset=asan targets="$engine_tests fuzz_replay" tests=$targets ;;
    address-labels) preset=asan targets="engine_test fuzz_replay" tests=$targets ;;
    thread-all) preset=tsan targets="$engine_tests widgets_test" tests="$engine_tests $thread_tests" ;;
    thread-engine) preset=tsan targets=$engine_tests tests=$targets ;;
    *) fail "--sanitize takes address, with or without labels, or thread, not \"$kind${labels:+ $labels}\"" ;;
    esac
    # shellcheck disable=SC2086 # a list of words
    only=${tests:+"^($(echo $tests | tr ' ' '|'))(_[a-z]+)?\$"} # engine_test has parts
    folder="$root/build/$preset"
    options=
    if [ "$part" != all ]; then
        folder="$folder-$(echo "${labels:-engine}" | tr , -)"
        options="-DHETEROSCAPE_GUI=OFF -DCMAKE_DISABLE_FIND_PACKAGE_Qt6=ON
            -DHETEROSCAPE_TEST_LABELS=$(echo "$labels" | tr , ';')"
    fi
    if [ "$kind" = thread ]; then
        install_packages dpkg-dev
        options="$options -DTBB_DIR=$(sanitized_tbb)"
    fi

    cd "$root"
    [ -f "$folder/build.ninja" ] || {
        say "configuring $folder"
        # shellcheck disable=SC2086 # a list of words
        cmake --preset "$preset" -B "$folder" $options >/dev/null || fail "cmake failed; see above"
    }
    say "building with the $kind sanitizer (a first build takes long)"
    # shellcheck disable=SC2086 # a list of words
    cmake --build "$folder" --target $targets -- --quiet || fail "the build failed; see above"

    say "running the tests with the $kind sanitizer"
    export QT_QPA_PLATFORM=offscreen
    export QTEST_FUNCTION_TIMEOUT=3600000 # ms; under a sanitizer all takes five to twenty times as long
    export ASAN_OPTIONS="detect_leaks=1:halt_on_error=1:detect_stack_use_after_return=1"
    export UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1"
    export TSAN_OPTIONS="halt_on_error=1:second_deadlock_stack=1:suppressions=$root/tests/sanitize/thread.supp"
    # The thread sanitizer of GCC 12 cannot place its memory where addresses are drawn from a very wide range.
    fixed=
    if [ "$kind" = thread ] && setarch "$(uname -m)" -R true 2>/dev/null; then
        fixed="setarch $(uname -m) -R"
    fi
    $fixed ctest --test-dir "$folder" --output-on-failure --timeout 7200 -j "$(nproc)" -R "${only:-.}" "$@"
    if [ "$kind" = thread ]; then
        say "a sweep on four threads"
        rm -f "$folder/sweep.sqlite"*
        $fixed "$folder/bin/heteroscape-cli" sweep glitches/a100-7u280 --axis nodes.fpga.count=1:7 \
            --axis techniques.load_merging.ratio=1:8 --axis workload.batch=1,2,4 --jobs 4 --db "$folder/sweep.sqlite" >/dev/null
    fi
}

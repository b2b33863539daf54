# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by test after setup.sh: builds the fuzzers of tests/fuzz with clang into build/fuzz and runs each for some
# seconds. POSIX sh; expects $root, the project's folder.

# run_fuzzers SECONDS [target ...]
run_fuzzers() {
    case ${1:-} in
    "" | *[!0-9]*) fail "--fuzz takes the seconds for each target" ;;
    esac
    seconds=$1
    shift
    all=$(ls "$root/tests/fuzz/corpora")
    # shellcheck disable=SC2086 # a list of words
    [ $# -gt 0 ] || set -- $all
    for target in "$@"; do
        [ -d "$root/tests/fuzz/corpora/$target" ] || fail "no target \"$target\"; there are:" $all
    done
    install_packages clang
    folder="$root/build/fuzz"
    say "configuring $folder"
    cd "$root"
    cmake --preset fuzz >/dev/null || fail "cmake failed; see above"
    programs=
    for target in "$@"; do
        programs="$programs fuzz_$target"
    done
    say "building with clang and its sanitizers (a first build takes long)"
    # shellcheck disable=SC2086 # a list of words
    cmake --build "$folder" --target $programs -- --quiet || fail "the build failed; see above"
    export ASAN_OPTIONS="detect_leaks=1:halt_on_error=1:quarantine_size_mb=16"
    export UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1"
    for target in "$@"; do
        mkdir -p "$folder/corpora/$target" "$folder/found/$target"
        log="$folder/$target.log"
        "$folder/bin/fuzz_$target" -max_total_time="$seconds" -timeout=1 -rss_limit_mb=1024 -print_final_stats=1 \
            -artifact_prefix="$folder/found/$target/" "$folder/corpora/$target" \
            "$root/tests/fuzz/corpora/$target" >"$log" 2>&1 ||
            fail "$target: something was found, see $log and $folder/found/$target.
    Once it is mended, put the file into tests/fuzz/corpora/$target, so that it stays so"
        say "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") runs, nothing found"
    done
}

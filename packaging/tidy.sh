# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by test after setup.sh: clang-tidy over engine, widgets and programs, with the checks of .clang-tidy. POSIX
# sh; expects $root, the project's folder.

# run_tidy [regular expression of paths ...]
run_tidy() {
    install_packages clang clang-tidy
    folder="$root/build/tidy"
    say "configuring $folder"
    cd "$root"
    # Folders together: each header is then read once for a dozen files.
    cmake --preset release -B "$folder" -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_CXX_COMPILER_LAUNCHER= \
        -DHETEROSCAPE_UNITY=ON -DHETEROSCAPE_PCH=OFF -DBUILD_TESTING=OFF \
        -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null || fail "cmake failed; see above"
    cmake --build "$folder" --target heteroscape_widgets_autogen -- --quiet
    log="$folder/tidy.log"
    say "running clang-tidy"
    run-clang-tidy -quiet -p "$folder" -j "$(nproc)" "$@" >"$log" 2>/dev/null || :
    # Its colours cannot be turned off in every version.
    escape=$(printf '\033')
    found=$(sed "s/$escape\\[[0-9;]*m//g" "$log" | sed -n "s,^$root/\(.*: warning: .*\),\1,p" |
        grep -v '^build/' | sort -u)
    [ -z "$found" ] || {
        printf '%s\n' "$found"
        fail "clang-tidy found what is listed above; with its notes in $log"
    }
    say "clang-tidy found nothing"
}

# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by test after setup.sh: parses files of engine, window and programs each by itself, without what files that are
# compiled together or a precompiled header lend each other. POSIX sh; expects $root, the project's folder.

# run_each_file [COMMIT]: all of them, which takes ten minutes, or what has changed since that commit and what includes
# a header that has; no more than 150 of those, evenly chosen.
run_each_file() {
    folder="$root/build/each-file"
    cd "$root"
    cmake --preset release -B "$folder" -DHETEROSCAPE_UNITY=OFF -DHETEROSCAPE_PCH=OFF -DHETEROSCAPE_WERROR=ON \
        -DBUILD_TESTING=OFF -DCMAKE_CXX_FLAGS_RELEASE=-fsyntax-only >/dev/null || fail "cmake failed; see above"
    if [ $# -eq 0 ]; then
        git ls-files '*.cpp'
    else
        changed=$(git diff --name-only --diff-filter=d "$1" -- '*.cpp' '*.h') || fail "\"$1\" is no commit"
        for file in $changed; do
            case $file in
            *.cpp) echo "$file" ;;
            *) git grep -lF "#include \"$file\"" -- '*.cpp' || : ;;
            esac
        done
    fi | grep '^\(engine\|widgets\|app\)/' | sort -u >"$folder/files" || :
    # ninja's name of what is made of a file holds the file's.
    ninja -C "$folder" -t targets all | awk -v most=$([ $# -eq 0 ] || echo 150) '
        NR == FNR { wanted[$0]; next }
        sub(/: CXX_COMPILER.*/, "") {
            file = $0
            sub(/CMakeFiles\/[^\/]*\.dir\//, "", file)
            sub(/\.o$/, "", file)
            if (file in wanted) made[++n] = $0
        }
        END {
            if (!most || most > n) most = n
            for (i = 1; i <= most; ++i) print made[int((i - 1) * n / most) + 1]
        }' "$folder/files" - >"$folder/objects"
    say "parsing $(wc -l <"$folder/objects") files, each by itself"
    [ ! -s "$folder/objects" ] || xargs ninja -C "$folder" -k 0 --quiet <"$folder/objects" ||
        fail "a file needs what it does not include; see above"
}

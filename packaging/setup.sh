# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by run and test: installs what the build needs and builds. POSIX sh; expects $root, the project's folder.

say() {
    printf '%s\n' "heteroscape: $*"
}

fail() {
    printf '%s\n' "heteroscape: $*" >&2
    exit 1
}

# Debian package names: compiler and tools, then libraries, then what the window needs at run time.
packages="g++ cmake ninja-build
    nlohmann-json3-dev libeigen3-dev libtbb-dev libpagmo-dev libsqlite3-dev libxxhash-dev libcli11-dev doctest-dev
    libmd4c-dev libmd4c-html0-dev
    qt6-base-dev qt6-svg-dev libqcustomplot-dev libgraphviz-dev"
# What the Python module needs besides; the window is built without.
module_packages="pybind11-dev python3-dev python3-numpy"

# Prints the packages of "$@" that are not installed.
missing_packages() {
    installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^ii  *//p')
    for package in "$@"; do
        printf '%s\n' "$installed" | grep -qx "$package" || printf '%s ' "$package"
    done
}

# Installs packages with apt, as root or through sudo; does nothing when all are there.
install_packages() {
    command -v dpkg-query >/dev/null 2>&1 ||
        fail "this script installs Debian packages; on another system install the like of: $*"
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null 2>&1 || fail "needs root to install: $missing. Run as root, or install sudo"
        as_root=sudo
    fi
    say "installing what the build needs and is not here, with apt${as_root:+ through sudo}: $missing"
    wait_for_lock="-o DPkg::Lock::Timeout=900"
    # shellcheck disable=SC2086 # lists of words
    {
        $as_root apt-get $wait_for_lock -qq update || say "apt-get update failed; trying with the lists there are"
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get $wait_for_lock -y -qq --no-install-recommends \
            install $missing >/dev/null || fail "apt-get could not install: $missing"
    }
}

# Reads what ninja prints with the status "@done total seconds|" and says how far it is: on a terminal in one line that
# counts, elsewhere at every tenth. Everything else, such as an error, is passed on.
count_build() {
    open=
    tenth=0
    while IFS= read -r line; do
        case $line in
        @*\|*) ;;
        "ninja: no work to do.") continue ;;
        *)
            [ -z "$open" ] || echo
            open=
            printf '%s\n' "$line"
            continue
            ;;
        esac
        line=${line%%|*}
        # shellcheck disable=SC2086 # three words
        set -- ${line#@}
        [ "$1" -gt 0 ] || continue # the build is laid out anew
        seconds=${3%%.*}
        # What is compiled last takes about as long as what is first.
        left=$((seconds * ($2 - $1) / $1))
        text="heteroscape: building, $1 of $2"
        if [ "$1" -eq "$2" ]; then
            text="$text, done after $seconds s"
        elif [ "$left" -ge 90 ]; then
            text="$text, about $(((left + 30) / 60)) min left"
        elif [ "$1" -ge 10 ]; then
            text="$text, about $left s left"
        fi
        if [ -t 1 ]; then
            printf '\r\033[K%s' "$text"
            open=yes
        elif [ "$1" -eq "$2" ] || [ $((10 * $1 / $2)) -gt "$tenth" ]; then
            tenth=$((10 * $1 / $2))
            printf '%s\n' "$text"
        fi
    done
    [ -z "$open" ] || echo
}

# Builds the release into $root/build: the targets of "$@", or all of it.
build_release() {
    [ -f "$root/build/build.ninja" ] || {
        command -v ccache >/dev/null 2>&1 ||
            say "developers: with ccache (apt-get install ccache) the next whole build takes a minute or two"
        say "configuring the release build in build/"
        cmake --preset release -S "$root" >/dev/null || fail "cmake failed; see above"
    }
    [ $# -gt 0 ] || set -- all
    failed="$root/build/failed"
    rm -f "$failed"
    {
        NINJA_STATUS='@%f %t %e|' cmake --build "$root/build" --target "$@" 2>&1 || : >"$failed"
    } | count_build
    [ ! -e "$failed" ] || fail "the build failed; see above"
}

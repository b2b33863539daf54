#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# ccache.sh FOLDER COMPILER [ARGUMENT...]: compiles through ccache, for any checkout: FOLDER is left out of what it compares.
set -eu
export CCACHE_BASEDIR="$1" CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
shift
# Precompiled headers are made here: one out of the cache would be of another checkout, whose files the compiler knows
# by their bytes, comments and all. What is compiled with one is told apart by the contents of all headers in it.
header= dependencies= before=
for argument; do
    case $before in
    -o) header=$argument ;;
    -MF) dependencies=$argument ;;
    esac
    before=$argument
done
case $header in
*.gch)
    "$@"
    sed -e 's/^[^:]*://' -e 's/\\$//' "$dependencies" | xargs sha256sum | cut -d' ' -f1 | sha256sum >"$header.sum"
    exit
    ;;
esac
exec ccache "$@"

# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced: the real program under a real X server of its own, with a mouse and a keyboard that come from outside of it
# (xdotool). Wants $root and $bin; gives $work, a folder that goes with the script, and the functions below.
# needs: Xvfb, openbox, xdotool.

work=$(mktemp -d)
say() { printf 'desktop: %s\n' "$*"; }
fail() {
    say "$*"
    exit 1
}
clean_up() {
    kill $(cat "$work/pid" 2>/dev/null) ${manager:-} ${server:-} 2>/dev/null || true
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

export HOME="$work/home" XDG_RUNTIME_DIR="$work/run" HETEROSCAPE_PRESETS="$root/presets"
export XDG_CONFIG_HOME="$HOME/config" XDG_DATA_HOME="$HOME/data" QT_QPA_PLATFORM=xcb LC_ALL=C.UTF-8
mkdir -p "$HOME" "$XDG_RUNTIME_DIR"
chmod 700 "$XDG_RUNTIME_DIR"

# An X server on the first free display, and a window manager.
Xvfb -displayfd 3 -screen 0 1440x900x24 -nolisten tcp 3>"$work/display" 2>"$work/xvfb.log" &
server=$!
for _ in $(seq 100); do
    [ -s "$work/display" ] && break
    sleep 0.1
done
[ -s "$work/display" ] || fail "Xvfb did not start: $(cat "$work/xvfb.log")"
DISPLAY=:$(cat "$work/display")
export DISPLAY
openbox >/dev/null 2>&1 &
manager=$!

# Seconds after a key or a drag.
pause=0.15

key() { xdotool key --clearmodifiers "$@"; sleep "$pause"; }

# write_text WORDS: into what has the focus.
write_text() {
    xdotool type --delay 8 "$1"
    sleep "$pause"
}

# save_as FILE: the design, through the dialog for its name.
save_as() {
    key ctrl+s
    dialog=
    for _ in $(seq 50); do
        dialog=$(xdotool getactivewindow 2>/dev/null) || true
        [ -n "$dialog" ] && [ "$dialog" != "$window" ] && break
        sleep 0.1
    done
    sleep 0.3
    write_text "$1"
    key Return
    for _ in $(seq 50); do
        [ -s "$1" ] && return
        sleep 0.1
    done
    fail "the design was not saved"
}

# start: the program at its first start, in a window of 1440 x 900 (packaging's reference size).
start() {
    "$bin/heteroscape" --workspace start >"$work/program.log" 2>&1 &
    program=$!
    echo $program >"$work/pid"
    window=
    for _ in $(seq 200); do
        window=$(xdotool search --onlyvisible --class heteroscape 2>/dev/null | head -1) || true
        [ -n "$window" ] && break
        kill -0 $program 2>/dev/null || fail "the program ended: $(cat "$work/program.log")"
        sleep 0.1
    done
    [ -n "$window" ] || fail "no window appeared"
    xdotool windowsize "$window" 1440 900 windowmove "$window" 0 0 windowactivate "$window" 2>/dev/null || true
    sleep 1
}

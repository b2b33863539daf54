# Completion of heteroscape-cli for bash. Commands, options and the names of presets are asked of the program itself.
_heteroscape_cli() {
    local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} command= words i
    for ((i = 1; i < COMP_CWORD; ++i)); do
        [[ ${COMP_WORDS[i]} == -* ]] || {
            command=${COMP_WORDS[i]}
            break
        }
    done
    if [[ -z $command ]]; then
        words=$("$program" --help 2>/dev/null | sed -n '/^Subcommands:/,$s/^  \([a-z][a-z-]*\) .*/\1/p')
        [[ $word == -* ]] && words='--help --version'
    elif [[ $word == -* ]]; then
        words=$("$program" "$command" --help 2>/dev/null | grep -o -- '--[a-z][a-z0-9-]*')
    else
        words=$("$program" list presets --json 2>/dev/null | sed -n 's/^ *"id": "\(.*\)",\{0,1\}$/\1/p')
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    [[ $word == -* || -z $command ]] || mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
}
complete -o filenames -F _heteroscape_cli heteroscape-cli

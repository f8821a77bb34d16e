internal import KVToolCore

/// What `completions bash` appends to the script that ArgumentParser generates.
///
/// The generated script passes a program's output to `compgen -W`, and all candidates to readline
/// as file names. Both expand them, so that `$(…)` in a document ID would be executed.
enum BashCompletion {
    /// The variable that holds the part of the word that bash completes, after a colon because that
    /// part may be empty.
    static let partVariable = "KVTOOL_COMPLETED"
    /// The line before kvtool's own candidates, which are quoted already.
    static let mark = ":"

    static let script = #"""

        # kvtool's own candidates are quoted; nothing may expand them.
        __kvtool_add_completions() {
            local completion
            if [[ "${1}" = -W && "${2}" = :* ]]; then
                while IFS='' read -r completion; do
                    [[ -z "${completion}" ]] || COMPREPLY+=("${completion}")
                done <<< "${2#:}"
                return
            fi
            [[ "${1}" = -W ]] || compopt -o filenames 2> /dev/null
            while IFS='' read -r completion; do
                COMPREPLY+=("${completion}")
            done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
        }

        # The words up to the cursor, joined where bash split them at = and :, as programs get them.
        _kvtool_at_tab() {
            local -a words=()
            local rest="${COMP_LINE:0:COMP_POINT}" gap word
            local -i index last=-1
            for ((index = 0; index <= COMP_CWORD; index++)); do
                gap="${rest%%[![:space:]]*}"
                rest="${rest:${#gap}}"
                word="${COMP_WORDS[index]}"
                ((index < COMP_CWORD)) || word="${rest}"
                rest="${rest:${#word}}"
                if [[ ${last} -ge 0 && -z "${gap}" ]]; then
                    if [[ "${words[last]}" = --* && "${word}" = =* ]]; then
                        words[++last]="${word#=}"
                    else
                        words[last]+="${word}"
                    fi
                else
                    words[++last]="${word}"
                fi
            done
            local COMP_LINE="${COMP_LINE:0:COMP_POINT}"
            local COMP_POINT="${#COMP_LINE}"
            local -a COMP_WORDS=("${words[@]}")
            local COMP_CWORD="${last}"
            local -x KVTOOL_COMPLETED=":${2}"
            _kvtool "${1}" "${2}" "${COMP_WORDS[last > 0 ? last - 1 : 0]}"
        }

        complete -F _kvtool_at_tab kvtool
        """#
}

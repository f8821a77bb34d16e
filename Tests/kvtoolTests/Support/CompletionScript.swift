import Foundation
import StoreTestSupport
import Testing

/// The script that makes a shell complete the tool's arguments, in a file.
struct CompletionScript {
    /// Named as zsh wants it.
    let path: String

    init(_ shell: String, in directory: TemporaryDirectory) throws {
        path = directory("_kvtool")
        try Kvtool.run(["completions", shell]).success().standardOutput
            .write(to: URL(fileURLWithPath: path))
    }

    /// What bash offers for the last of some words behind the tool's name, sorted.
    func bash(_ words: String..., program: String) throws -> [String] {
        let script = #"""
            source "$0"
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
            COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
            _kvtool kvtool "${@: -1}" "${@: -2:1}"
            [ ${#COMPREPLY[@]} = 0 ] || printf '%s\n' "${COMPREPLY[@]}"
            """#
        let outcome = try Command.run(program, ["-c", script, path, Kvtool.path] + words)
        return outcome.success().lines.sorted()
    }
}

internal import ArgumentParser

/// `kvtool completions SHELL`
struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Writes what makes a shell complete kvtool's arguments with Tab.",
        discussion: """
            Examples:
              source <(kvtool completions bash)
              kvtool completions zsh > ~/.zsh/completions/_kvtool
              kvtool completions fish > ~/.config/fish/completions/kvtool.fish

            Beside commands, options and files it offers the collections, documents and indexes \
            of the database that is named.
            """)

    /// The shells that are known.
    enum Shell: String, CaseIterable, ExpressibleByArgument {
        case bash, zsh, fish
    }

    @Argument(help: "bash, zsh or fish.") var shell: Shell

    func run() throws {
        let script =
            switch shell {
            case .bash: KVTool.completionScript(for: .bash) + "\n" + BashCompletion.script
            // Without that option zsh puts an exclamation mark into the line as it is, which then
            // stands for an earlier command.
            case .zsh:
                KVTool.completionScript(for: .zsh)
                    .replacing("unsetopt aliases banghist", with: "unsetopt aliases")
            case .fish: KVTool.completionScript(for: .fish)
            }
        try StandardOutput.write(script + "\n")
    }
}

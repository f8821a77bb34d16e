/// The program that shows long output page by page.
enum Pager {
    /// The command: `KVTOOL_PAGER`, `PAGER`, or `less`; nil if it is `cat` or nothing at all.
    static func command(variable: (String) -> String?) -> String? {
        let command = variable("KVTOOL_PAGER") ?? variable("PAGER") ?? "less"
        return command == "cat" ? nil : command
    }

    /// Starts it; nil if there is none.
    static func start() -> (program: OtherProgram, input: Int32)? {
        guard let command = command(variable: System.environment), let pipe = try? ProgramPipe()
        else { return nil }
        defer { System.close(pipe.reading) }
        // Colours as they are; no page for what fits on one; the text stays on the screen.
        let variables = System.environment("LESS") == nil ? ["LESS": "FRX"] : [:]
        // What is not there must not swallow the output.
        let whole =
            "if command -v \(word(command)) >/dev/null 2>&1; then exec \(command); "
            + "else exec cat; fi; :"
        guard
            let program = try? OtherProgram(
                shell: whole, input: pipe.reading, variables: variables)
        else {
            System.close(pipe.writing)
            return nil
        }
        return (program, pipe.writing)
    }

    private static func word(_ command: String) -> String {
        String(command.prefix { $0 != " " })
    }
}

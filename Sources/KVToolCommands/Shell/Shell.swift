internal import DocumentStore
internal import KVToolCore

/// Reads and executes lines on one database.
final class Shell {
    /// The options that the shell starts with.
    struct Beginning {
        var address: DatabaseAddress
        var access: DataFileOptions.Access
        var timeoutMilliseconds: Int
        var endsAtError: Bool
    }

    /// Runs a command line without the program's name.
    typealias Runner = @Sendable (_ arguments: [String]) async -> ExitStatus

    let table: CommandTable
    let parser: ShellParser
    var beginning: Beginning
    private let runner: Runner
    var location: ShellLocation
    var mode = ShellMode()
    var isEnded = false
    /// The open transaction, nil if each command has its own.
    var transaction: HeldTransaction?
    /// Whether a transaction could not begin or was lost, so that the following lines of a file,
    /// which belong to it, must not run.
    var isWithoutTransaction = false
    /// The nesting depth of files being read.
    var depth = 0

    static let maximumDepth = 20

    init(_ beginning: Beginning, _ table: CommandTable, runner: @escaping Runner) throws {
        self.beginning = beginning
        self.table = table
        self.runner = runner
        parser = ShellParser(table: table)
        location = try Self.location(beginning, beginning.address)
        mode.endsAtError = beginning.endsAtError
        OpenShell.current.setReadOnly(beginning.access == .readOnly)
        OpenShell.current.timeoutMilliseconds = beginning.timeoutMilliseconds
    }

    static func location(
        _ beginning: Beginning, _ address: DatabaseAddress
    ) throws -> ShellLocation {
        try ShellLocation(
            address, beginning.access, timeoutMilliseconds: beginning.timeoutMilliseconds)
    }

    /// The prompt, such as `people hr.staff>`; a star marks an open transaction.
    var prompt: String {
        let collection = location.collection.map { " \($0)" } ?? ""
        return "\(Text.line(location.name))\(collection)\(transaction == nil ? "" : "*")>"
    }

    var canWrite: Bool { beginning.access != .readOnly }

    /// Executes the lines; returns the status of the first that failed.
    func run(_ input: any ShellInput, remember: (String) -> Void = { _ in }) async -> ExitStatus {
        var first = ExitStatus.success
        var text = ""
        var next: TypedLine?
        while !isEnded {
            let line: TypedLine
            do {
                line = try next ?? input.next(prompt: text.isEmpty ? prompt : continuation)
                next = nil
                // Ctrl-C ends all lines of a file.
                if Interruption.isRequested, !(input is EditorInput) { throw CancellationError() }
            } catch {
                return report(error)
            }
            var isWhole = true
            switch line {
            case .dropped:
                text = ""
                continue
            // Incomplete input at the end of interactive input is discarded.
            case .end: if text.isEmpty || input is EditorInput { return first }
            case .line(let added)
            where !text.isEmpty && !(input is EditorInput) && parser.ends(text, before: added):
                next = line
            case .line(let line):
                isWhole = line.allSatisfy(\.isWhitespace)
                text += (text.isEmpty ? "" : "\n") + line
                isWhole = isWhole || !(parser.isUnfinished(text) || parser.awaitsEnd(text))
            }
            guard isWhole else { continue }
            remember(text)
            let status = await perform(text)
            forgetLostTransaction()
            text = ""
            if status != .success, first == .success { first = status }
            let isBatchOver = status != .success && mode.endsAtError
            if isBatchOver || line == .end { return first }
            if let editor = input as? EditorInput {
                if status != .success { editor.dropPasted() }
                isWithoutTransaction = false
            } else if status == .interrupted || isWithoutTransaction {
                StandardError.current.write("the remaining lines were skipped", status: .failure)
                return first == .success ? .failure : first
            }
        }
        return first
    }

    private var continuation: String {
        let gap = max(0, DisplayWidth.cells(prompt) - 4)
        return String(repeating: " ", count: gap) + "...>"
    }

    /// Executes a text up to the first failure.
    func perform(_ text: String) async -> ExitStatus {
        do {
            for instruction in try parser.instructions(text) {
                let status = try await perform(instruction)
                guard status == .success else { return status }
            }
            return .success
        } catch {
            return report(error)
        }
    }

    private func perform(_ instruction: ShellInstruction) async throws -> ExitStatus {
        var redirection: Redirection?
        // Settings have no output to redirect.
        let isSetting = instruction.action.isSetting
        if let output = instruction.output ?? (isSetting ? nil : mode.once ?? mode.output) {
            redirection = try Redirection(output)
        }
        if !isSetting { mode.once = nil }
        let start = System.nanoseconds
        defer { redirection?.end() }
        let status = try await act(instruction.action)
        if mode.showsTime, !isSetting {
            let seconds = Double(System.nanoseconds - start) / 1e9
            StandardError.current.writeUnprefixed("(\(Text.duration(seconds: seconds)))")
        }
        return status
    }

    private func act(_ action: ShellInstruction.Action) async throws -> ExitStatus {
        switch action {
        case .command(let name, let rest):
            return await run(name + databaseArgument(name) + rest)
        case .raw(let name, let options, let values):
            return await run(name + options + ["--"] + databaseArgument(name) + values)
        case .system(let command):
            let status = Interruption.ignoring { try? OtherProgram(shell: command).wait() }
            return status == 0 ? .success : .failure
        case .own(let word, let words):
            return try await performOwn(word, words)
        }
    }

    /// Runs a command of the tool, which Ctrl-C interrupts.
    func run(_ arguments: [String]) async -> ExitStatus {
        let runner = runner
        return await Interruption.cancelling { await runner(arguments) }
    }

    /// Returns the database argument for a command that takes one.
    func databaseArgument(_ name: [String]) -> [String] {
        guard let (command, depth) = table.command(name), depth == name.count else { return [] }
        if command.takesDatabase { return [location.argument] }
        let inner = command.commands.first { $0.name == command.defaultCommand }
        return inner?.takesDatabase == true ? [location.argument] : []
    }

    /// Reports an error on one line.
    func report(_ error: any Error) -> ExitStatus {
        switch error {
        case let error as ToolError:
            StandardError.current.write(error.message, status: error.status)
            return error.status
        case let error as StoreError:
            StandardError.current.write(error.messageForPeople, status: ExitStatus(error))
            return ExitStatus(error)
        case let error as System.Failure:
            StandardError.current.write(error.message, status: .failure)
            return .failure
        case is ClosedPipe: return .success
        case is CancellationError:
            StandardError.current.write("interrupted", status: .interrupted)
            return .interrupted
        default:
            StandardError.current.write("\(error)", status: .failure)
            return .failure
        }
    }
}

extension ShellInstruction.Action {
    /// Whether it changes settings and has no output.
    fileprivate var isSetting: Bool {
        guard case .own(let word, _) = self else { return false }
        let name = word.drop { $0 == "." }
        return ShellMode.commands[String(name)] == nil && name != "help" && name != "show"
    }
}

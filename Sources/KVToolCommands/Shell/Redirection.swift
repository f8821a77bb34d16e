internal import KVToolCore

/// Standard output that goes to a file or another program for a while.
struct Redirection {
    private let before: Int32
    private let program: OtherProgram?

    /// Begins with it.
    init(_ output: ShellInstruction.Output) throws {
        switch output {
        case .pipe(let command):
            let pipe = try ProgramPipe()
            defer {
                System.close(pipe.reading)
                System.close(pipe.writing)
            }
            program = try OtherProgram(shell: command, input: pipe.reading)
            before = try System.redirectStandardOutput(to: pipe.writing)
        case .file(let path, let appends):
            program = nil
            try OutputPlace.requireOutsideOfDatabases(path)
            do {
                let file = try System.open(path, appends ? .appending : .replacing)
                defer { System.close(file) }
                before = try System.redirectStandardOutput(to: file)
            } catch let failure as System.Failure {
                throw ToolError(
                    "\(path) cannot be written: \(failure.message)", status: .cannotOpen)
            }
        }
    }

    /// Ends it, and waits for the program.
    func end() {
        System.restoreStandardOutput(before)
        if let program { Interruption.ignoring { _ = program.wait() } }
    }
}

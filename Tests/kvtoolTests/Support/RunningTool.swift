import Foundation
import StoreTestSupport

/// The tool as a process that goes on by itself, whose lines are read as they come.
final class RunningTool {
    private let child: Child
    private let output: Int32
    private var buffer: [UInt8] = []
    private var hasEnded = false

    /// How long a line is waited for, so that a test that fails ends.
    private static let patienceMilliseconds: Int32 = 60_000

    /// - Parameters:
    ///   - input: what it reads; nothing if that is nil.
    ///   - readsErrors: whether standard error is read with standard output.
    init(_ arguments: [String], input: Int32? = nil, readsErrors: Bool = false) throws {
        let pipe = Child.pipe()
        let null = try Child.open("/dev/null", O_RDWR)
        defer {
            close(pipe.writing)
            close(null)
        }
        output = pipe.reading
        child = try Child(
            [Kvtool.path] + arguments,
            Child.Streams(
                input: input ?? null, output: pipe.writing,
                errors: readsErrors ? pipe.writing : null))
    }

    /// The number of the process.
    var id: Int32 { child.id }

    deinit {
        close(output)
        if !hasEnded {
            kill(child.id, SIGKILL)
            _ = child.wait()
        }
    }

    /// The next line, without its end; nil if there is no more.
    func line() -> String? {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                defer { buffer.removeSubrange(...end) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            guard fill() else { return nil }
        }
    }

    /// The lines up to one that holds a text; nil if that does not come.
    func lines(upTo text: String) -> [String]? {
        var lines: [String] = []
        while let line = line() {
            lines.append(line)
            if line.contains(text) { return lines }
        }
        return nil
    }

    private func fill() -> Bool {
        var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, Self.patienceMilliseconds) > 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(output, &bytes, bytes.count)
        guard count > 0 else { return false }
        buffer += bytes[..<count]
        return true
    }

    /// Ends it as a power failure would.
    func crash() {
        kill(child.id, SIGKILL)
        hasEnded = true
        _ = child.wait()
    }

    /// Ctrl-C, then what is left of the output, and how it ended.
    func interrupt() -> (lines: [String], status: Int32, isSignalled: Bool) {
        kill(child.id, SIGINT)
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        hasEnded = true
        let end = child.wait()
        return (lines, end.status, end.isSignalled)
    }
}

internal import Foundation

/// A process whose standard output is read line by line, with `poll`.
final class LineOutputProcess {
    private let child: Child
    private let output: Int32
    private var received: [UInt8] = []
    private var ended: (status: Int32, isSignalled: Bool)?

    init(_ command: [String]) throws {
        let input = try Child.open("/dev/null", O_RDONLY)
        let ends = Child.pipe()
        defer {
            close(input)
            close(ends.writing)
        }
        do {
            // A trap is reported by its signal; printing its backtrace takes a quarter of a second.
            child = try Child(
                command,
                Child.Streams(input: input, output: ends.writing, errors: STDERR_FILENO),
                environment: ["SWIFT_BACKTRACE": "enable=no"])
        } catch let failure as Child.Failure {
            close(ends.reading)
            throw CrashHarness.Failure(description: failure.message)
        }
        output = ends.reading
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
    }

    deinit {
        end()
        close(output)
    }

    /// All complete lines that it has printed.
    var lines: [String] {
        guard let end = received.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        return received[..<end]
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Waits for output; false if the time is over or the output has ended.
    ///
    /// Throws if there is no output for two minutes: on a busy machine, an operation may take
    /// seconds.
    func waitForOutput(until deadline: ContinuousClock.Instant?) throws -> Bool {
        let left = deadline.map { $0 - ContinuousClock.now } ?? .seconds(120)
        let (seconds, fraction) = left.components
        let milliseconds = seconds * 1000 + fraction / 1_000_000_000_000_000
        if deadline != nil, milliseconds <= 0 { return false }
        var request = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        let count = poll(&request, 1, Int32(clamping: milliseconds))
        if count < 0, errno == EINTR { return true }
        guard count > 0 else {
            if deadline != nil { return false }
            throw CrashHarness.Failure(
                description: "the program has printed nothing for two minutes")
        }
        return readAvailable()
    }

    /// Kills it if it is still running, and reads its remaining output; returns its exit status,
    /// like `Child.wait`.
    @discardableResult
    func end() -> (status: Int32, isSignalled: Bool) {
        if let ended { return ended }
        kill(child.id, SIGKILL)
        let end = child.wait()
        ended = end
        while readAvailable() {}
        return end
    }

    /// Reads the available output; false if there is none.
    private func readAvailable() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(output, &buffer, buffer.count)
        if count > 0 { received += buffer[..<count] }
        return count > 0
    }
}

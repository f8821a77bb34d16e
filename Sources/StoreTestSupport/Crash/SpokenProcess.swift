internal import Foundation

/// A process whose standard output is heard line by line. `poll`
final class SpokenProcess {
    private let child: Child
    private let output: Int32
    private var heard: [UInt8] = []
    private var ended: (status: Int32, isSignalled: Bool)?

    init(_ command: [String]) throws {
        let input = try Child.open("/dev/null", O_RDONLY)
        let ends = Child.pipe()
        defer {
            close(input)
            close(ends.writing)
        }
        do {
            // A trap is seen by its signal; to print where it was takes a quarter of a second.
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

    /// All whole lines that it has said.
    var lines: [String] {
        guard let end = heard.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        return heard[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Waits until it says something; false if the time is over or nothing more can come.
    ///
    /// Throws if it says nothing for two minutes: where a machine does much at once, what a program
    /// does may take seconds.
    func listen(until deadline: ContinuousClock.Instant?) throws -> Bool {
        let left = deadline.map { $0 - ContinuousClock.now } ?? .seconds(120)
        let (seconds, fraction) = left.components
        let milliseconds = seconds * 1000 + fraction / 1_000_000_000_000_000
        if deadline != nil, milliseconds <= 0 { return false }
        var request = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        let count = poll(&request, 1, Int32(clamping: milliseconds))
        if count < 0, errno == EINTR { return true }
        guard count > 0 else {
            if deadline != nil { return false }
            throw CrashHarness.Failure(description: "the program says nothing for two minutes")
        }
        return hear()
    }

    /// Kills it if it still runs, and hears what it has said before; returns how it ended, as
    /// `Child.wait` does.
    @discardableResult
    func end() -> (status: Int32, isSignalled: Bool) {
        if let ended { return ended }
        kill(child.id, SIGKILL)
        let end = child.wait()
        ended = end
        while hear() {}
        return end
    }

    /// Takes what is in the pipe; false if there is nothing.
    private func hear() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(output, &buffer, buffer.count)
        if count > 0 { heard += buffer[..<count] }
        return count > 0
    }
}

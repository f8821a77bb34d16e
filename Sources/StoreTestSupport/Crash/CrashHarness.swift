internal import Foundation
internal import SampleData

/// Starts a program that writes, kills it with `SIGKILL` at a random time, and repeats.
///
/// The program prints to its standard output what it has committed, one line at a time, each in one
/// call of `write`; the first line is `ready`, when it starts to write.
/// ```swift
/// let harness = CrashHarness(program: program, arguments: [path, "64", "3"], seed: 7)
/// try harness.run(rounds: 300) { round in
///     #expect(try isWhole(path, acknowledged: round.acknowledged), "\(round)")
/// }
/// ```
public struct CrashHarness: Sendable {
    /// The path of the program.
    public let program: String
    /// The arguments of the program.
    public let arguments: [String]
    /// The seed of the random times.
    public let seed: UInt64
    /// The maximum time in milliseconds before the program is killed.
    public var longestTime = 20
    /// The maximum number of acknowledgements before the program is killed.
    public var mostAcknowledgements = 30

    /// Creates a harness for a program.
    public init(program: String, arguments: [String], seed: UInt64) {
        self.program = program
        self.arguments = arguments
        self.seed = seed
    }

    /// When a program is killed.
    public enum CrashPoint: Equatable, Sendable {
        /// After a number of milliseconds from its start.
        case afterStart(milliseconds: Int)
        /// After a number of milliseconds from its line `ready`.
        case afterReady(milliseconds: Int)
        /// As soon as it has acknowledged a number of times.
        case acknowledgements(Int)
    }

    /// One run of the program.
    public struct Round: Sendable, CustomStringConvertible {
        /// Its number, from 1.
        public let number: Int
        /// When it was killed.
        public let crashPoint: CrashPoint
        /// Whether it had printed `ready`.
        public let wasReady: Bool
        /// The lines that it printed after that.
        public let acknowledged: [String]

        /// The number, the crash point and the last acknowledgement: the comment of an expectation.
        public var description: String {
            let last = acknowledged.last ?? "none"
            return "round \(number), killed \(crashPoint), last acknowledged: \(last)"
        }
    }

    /// The program could not be started, or exited before it was killed.
    public struct Failure: Error, CustomStringConvertible {
        /// What happened.
        public let description: String
    }

    /// Starts and kills the program a number of times, and calls `check` after each.
    public func run(rounds: Int, check: (Round) throws -> Void) throws {
        var random = SeededGenerator(seed: seed)
        for number in 1...max(1, rounds) {
            try check(round(number, crashPoint(&random)))
        }
    }

    /// The absolute path of a program of this package, next to the bundle of the tests; nil if it
    /// does not exist.
    public static func program(named name: String) -> String? {
        let bundles = Bundle.allBundles.map(\.bundlePath).filter { $0.hasSuffix(".xctest") }
        let paths = bundles + CommandLine.arguments.prefix(1) + [Bundle.main.executablePath ?? ""]
        return paths.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
            .map { $0.appendingPathComponent(name).path }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private func crashPoint(_ random: inout SeededGenerator) -> CrashPoint {
        switch random.below(6) {
        case 0: .afterStart(milliseconds: random.below(longestTime + 1))
        case 1, 2: .afterReady(milliseconds: random.below(longestTime + 1))
        default: .acknowledgements(1 + random.below(mostAcknowledgements))
        }
    }

    private func round(_ number: Int, _ crashPoint: CrashPoint) throws -> Round {
        let process = try LineOutputProcess([program] + arguments)
        defer { process.end() }
        let isEarly = if case .afterStart = crashPoint { true } else { false }
        var deadline = isEarly ? process.deadline(crashPoint) : nil
        while true {
            let lines = process.lines
            if !isEarly, deadline == nil, lines.first == "ready" {
                deadline = process.deadline(crashPoint)
            }
            if case .acknowledgements(let count) = crashPoint, lines.count > count { break }
            guard try process.waitForOutput(until: deadline) else { break }
        }
        let end = process.end()
        guard end.isSignalled, end.status == SIGKILL else {
            throw Failure(
                description: "\(program) exited in round \(number), status \(end.status); "
                    + "its output: \(process.lines.suffix(3))")
        }
        let lines = process.lines
        return Round(
            number: number, crashPoint: crashPoint, wasReady: lines.first == "ready",
            acknowledged: Array(lines.dropFirst()))
    }
}

extension LineOutputProcess {
    /// The instant at which to kill it, on the clock of `waitForOutput(until:)`; nil if it is not
    /// killed by time.
    fileprivate func deadline(_ crashPoint: CrashHarness.CrashPoint) -> ContinuousClock.Instant? {
        switch crashPoint {
        case .afterStart(let milliseconds), .afterReady(let milliseconds):
            ContinuousClock.now + .milliseconds(milliseconds)
        case .acknowledgements: nil
        }
    }
}

internal import Foundation
internal import SampleData

/// Starts a program that writes, kills it with `SIGKILL` at a random time, and repeats.
///
/// The program prints to its standard output what it has committed, one line at a time, each in one
/// call of `write`; the first line is `ready`, when it starts to write. After each kill a test
/// checks that what was acknowledged is in the file:
///
/// ```swift
/// let harness = CrashHarness(
///     program: writerProgram, arguments: [peoplePath, "64"], seed: 7)
/// try harness.run(rounds: 300) { round in
///     let isSound = try isWhole(peoplePath, acknowledged: round.acknowledged)
///     #expect(isSound, "\(round)")
/// }
/// ```
///
/// The program continues with the file of the previous round, so that each start recovers from a
/// crash. It never exits by itself. An operation that was committed right before the kill may be in
/// the file without an acknowledgement.
///
/// A kill loses nothing that was written to the operating system. For a loss of power, which loses
/// what was not synced, use ``PowerLossSweep``; for calls that fail, ``FaultSweep``.
public struct CrashHarness: Sendable {
    /// The path of the program, such as that of ``program(named:)``.
    public let program: String
    /// The arguments of the program, without its name.
    public let arguments: [String]
    /// The seed of the random times.
    ///
    /// The same seed gives the same crash points, but what the program has done until then may
    /// differ.
    public let seed: UInt64
    /// The maximum time in milliseconds before the program is killed; 20 by default.
    ///
    /// Set it to a multiple of what one operation takes. The time is random, from 0.
    public var longestTime = 20
    /// The maximum number of acknowledgements before the program is killed; 30 by default.
    ///
    /// The number is random, from 1.
    public var mostAcknowledgements = 30

    /// Creates a harness for a program.
    ///
    /// - Parameters:
    ///   - program: the path of the program.
    ///   - arguments: the arguments of the program.
    ///   - seed: the seed of the random times.
    public init(program: String, arguments: [String], seed: UInt64) {
        self.program = program
        self.arguments = arguments
        self.seed = seed
    }

    /// When a program is killed. Half of the rounds count acknowledgements, a third are timed from
    /// `ready`, and a sixth from the start.
    public enum CrashPoint: Equatable, Sendable {
        /// After a number of milliseconds from its start, which may be before it is ready.
        case afterStart(milliseconds: Int)
        /// After a number of milliseconds from its line `ready`.
        case afterReady(milliseconds: Int)
        /// As soon as it has acknowledged a number of times.
        case acknowledgements(Int)
    }

    /// One run of the program, from its start until it was killed.
    public struct Round: Sendable, CustomStringConvertible {
        /// Its number, from 1.
        public let number: Int
        /// When it was killed.
        public let crashPoint: CrashPoint
        /// Whether it had printed `ready`.
        ///
        /// If not, it may have been killed while it opened or recovered the file.
        public let wasReady: Bool
        /// The lines that it printed after `ready`, each complete: what it has acknowledged in this
        /// round.
        public let acknowledged: [String]

        /// The number, the crash point and the last acknowledgement: the comment of an expectation.
        public var description: String {
            let last = acknowledged.last ?? "none"
            return "round \(number), killed \(crashPoint), last acknowledged: \(last)"
        }
    }

    /// The program could not be started, exited before it was killed, or printed nothing for two
    /// minutes.
    public struct Failure: Error, CustomStringConvertible {
        /// What happened, with the exit status and the last lines of the program's output.
        public let description: String
    }

    /// Starts and kills the program a number of times, and calls `check` after each.
    ///
    /// ```swift
    /// var harness = CrashHarness(program: writerProgram, arguments: [peoplePath], seed: 1)
    /// harness.longestTime = 100
    /// try harness.run(rounds: 20) { round in
    ///     let file = try DataFile(path: peoplePath)
    ///     let count = try file.read { try people.count(in: $0).live }
    ///     #expect(count >= round.acknowledged.count, "\(round)")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - rounds: the number of runs, at least 1. Each takes up to ``longestTime`` milliseconds,
    ///     or as long as the acknowledgements, and the time of the program's start.
    ///   - check: checks the file after a kill.
    /// - Throws: a ``Failure``, or errors of `check`, which end the run.
    public func run(rounds: Int, check: (Round) throws -> Void) throws {
        var random = SeededGenerator(seed: seed)
        for number in 1...max(1, rounds) {
            try check(round(number, crashPoint(&random)))
        }
    }

    /// The absolute path of a program of this package, next to the bundle of the tests; nil if it
    /// does not exist.
    ///
    /// ```swift
    /// let program = try #require(CrashHarness.program(named: "CrashWriter"))
    /// ```
    ///
    /// - Parameter name: the name of an executable target on which the test target depends, so that
    ///   it is built.
    /// - Returns: the path.
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

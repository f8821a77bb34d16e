internal import Foundation
internal import SampleData

/// Starts a program that writes, kills it with `SIGKILL` at a random moment, and again.
///
/// The program says on its standard output what it has done for good, one line at a time, each in
/// one call of `write`; first the line `ready`, when it begins to write.
/// ```swift
/// let harness = CrashHarness(program: program, arguments: [path, "64", "3"], seed: 7)
/// try harness.run(rounds: 300) { round in
///     #expect(try isWhole(path, acknowledged: round.acknowledged), "\(round)")
/// }
/// ```
public struct CrashHarness: Sendable {
    /// The path of the program.
    public let program: String
    /// What it is started with.
    public let arguments: [String]
    /// What the random moments begin with.
    public let seed: UInt64
    /// The longest time in milliseconds before a program is killed.
    public var longestTime = 20
    /// The most acknowledgements before a program is killed.
    public var mostAcknowledgements = 30

    /// A harness for a program.
    public init(program: String, arguments: [String], seed: UInt64) {
        self.program = program
        self.arguments = arguments
        self.seed = seed
    }

    /// When a program is killed.
    public enum CrashPoint: Equatable, Sendable {
        /// So many milliseconds after it was started.
        case afterStart(milliseconds: Int)
        /// So many milliseconds after it has said `ready`.
        case afterReady(milliseconds: Int)
        /// As soon as it has acknowledged so many times.
        case acknowledgements(Int)
    }

    /// A program's life and end.
    public struct Round: Sendable, CustomStringConvertible {
        /// Its number, from 1.
        public let number: Int
        /// When it was killed.
        public let timestamp: CrashPoint
        /// Whether it had come to say `ready`.
        public let wasReady: Bool
        /// The lines that it said after that.
        public let acknowledged: [String]

        /// The number, the moment and the last acknowledgement: the comment of an expectation.
        public var description: String {
            "round \(number), killed \(timestamp), last acknowledged: \(acknowledged.last ?? "none")"
        }
    }

    /// The program could not be started, or ended before it was killed.
    public struct Failure: Error, CustomStringConvertible {
        /// What happened.
        public let description: String
    }

    /// Starts and kills the program so many times, and checks what it has left after each.
    public func run(rounds: Int, check: (Round) throws -> Void) throws {
        var random = SeededGenerator(seed: seed)
        for number in 1...max(1, rounds) {
            try check(round(number, timestamp(&random)))
        }
    }

    /// Where a program of this package is: beside the bundle of the tests; nil if it is not there.
    /// The path is whole, so that it holds in other directories, too.
    public static func program(named name: String) -> String? {
        let bundles = Bundle.allBundles.map(\.bundlePath).filter { $0.hasSuffix(".xctest") }
        let places = bundles + CommandLine.arguments.prefix(1) + [Bundle.main.executablePath ?? ""]
        return places.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
            .map { $0.appendingPathComponent(name).path }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private func timestamp(_ random: inout SeededGenerator) -> CrashPoint {
        switch random.below(6) {
        case 0: .afterStart(milliseconds: random.below(longestTime + 1))
        case 1, 2: .afterReady(milliseconds: random.below(longestTime + 1))
        default: .acknowledgements(1 + random.below(mostAcknowledgements))
        }
    }

    private func round(_ number: Int, _ timestamp: CrashPoint) throws -> Round {
        let process = try SpokenProcess([program] + arguments)
        defer { process.end() }
        let isEarly = if case .afterStart = timestamp { true } else { false }
        var deadline = isEarly ? process.deadline(timestamp) : nil
        while true {
            let lines = process.lines
            if !isEarly, deadline == nil, lines.first == "ready" {
                deadline = process.deadline(timestamp)
            }
            if case .acknowledgements(let count) = timestamp, lines.count > count { break }
            guard try process.listen(until: deadline) else { break }
        }
        let end = process.end()
        guard end.isSignalled, end.status == SIGKILL else {
            throw Failure(
                description: "\(program) ended by itself in round \(number), status \(end.status); "
                    + "it said: \(process.lines.suffix(3))")
        }
        let lines = process.lines
        return Round(
            number: number, timestamp: timestamp, wasReady: lines.first == "ready",
            acknowledged: Array(lines.dropFirst()))
    }
}

extension SpokenProcess {
    /// When it is to be killed, on the clock of `listen(until:)`; nil if not by time.
    fileprivate func deadline(_ timestamp: CrashHarness.CrashPoint) -> ContinuousClock.Instant? {
        switch timestamp {
        case .afterStart(let milliseconds), .afterReady(let milliseconds):
            ContinuousClock.now + .milliseconds(milliseconds)
        case .acknowledgements: nil
        }
    }
}

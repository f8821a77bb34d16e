/// Compares a store with a model of it, over random histories.
///
/// ```swift
/// for seed in 1...200 as ClosedRange<UInt64> {
///     try HistoryTest(configuration).run(seed: seed) { try MyDriver() }
/// }
/// ```
/// The same seed and configuration give the same history on every machine. A failing history is
/// shortened as far as possible and thrown as a `HistoryFailure`, which prints it.
public struct HistoryTest: Sendable {
    /// The parameters of the histories.
    public var configuration: HistoryConfiguration
    /// The maximum number of shorter histories to try after a failure.
    public var shrinkingAttempts = 3000

    /// Creates a test of histories with a configuration.
    public init(_ configuration: HistoryConfiguration = HistoryConfiguration()) {
        self.configuration = configuration
    }

    /// The history generated from a seed.
    public func history(seed: UInt64) -> [HistoryStep] {
        var generator = HistoryGenerator(seed: seed, configuration)
        return generator.history()
    }

    /// Runs the history of a seed on a new driver.
    ///
    /// - Parameter makeDriver: creates a driver with empty stores; called again for each shorter
    ///   history that is tried.
    /// - Returns: the number of operations by outcome.
    ///
    /// Throws `HistoryFailure`, or errors of `makeDriver`.
    @discardableResult
    public func run(
        seed: UInt64, makeDriver: @escaping () throws -> any HistoryDriver
    ) throws -> HistoryTally {
        let history = history(seed: seed)
        var run = HistoryRun(try makeDriver(), configuration)
        do {
            try run.run(history)
            return run.tally
        } catch let mismatch as HistoryMismatch {
            throw try shrunk(history, mismatch, seed: seed, makeDriver)
        }
    }

    /// Runs an explicit history, such as one that has failed before.
    public func run(_ history: [HistoryStep], on driver: any HistoryDriver) throws {
        var run = HistoryRun(driver, configuration)
        do { try run.run(history) } catch let mismatch as HistoryMismatch {
            throw HistoryFailure(nil, history, mismatch, originalCount: history.operationCount)
        }
    }

    private func shrunk(
        _ history: [HistoryStep], _ mismatch: HistoryMismatch, seed: UInt64,
        _ makeDriver: @escaping () throws -> any HistoryDriver
    ) throws -> HistoryFailure {
        var mismatch = mismatch
        var shrinker = HistoryShrinker(attempts: shrinkingAttempts) { candidate in
            var run = HistoryRun(try makeDriver(), configuration)
            do {
                try run.run(candidate)
                return nil
            } catch let found as HistoryMismatch {
                return found
            }
        }
        let least = try shrinker.shrink(history, &mismatch)
        return HistoryFailure(
            seed, least, mismatch, originalCount: history.operationCount)
    }
}

/// The number of operations by outcome, such as `save: conflict`.
public struct HistoryTally: Sendable {
    /// The counts, by operation and outcome.
    public private(set) var counts: [String: Int] = [:]

    /// Creates an empty tally.
    public init() {}

    mutating func add(_ operation: String, _ end: String) {
        counts["\(operation): \(end)", default: 0] += 1
    }

    /// Adds the counts of another tally.
    public mutating func add(_ other: HistoryTally) {
        counts.merge(other.counts, uniquingKeysWith: +)
    }
}

extension [HistoryStep] {
    /// The total number of operations in all steps.
    public var operationCount: Int { reduce(0) { $0 + $1.operationCount } }
}

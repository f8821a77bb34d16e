/// Compares a store with a model of it, over random histories.
///
/// ```swift
/// for seed in 1...200 as ClosedRange<UInt64> {
///     try HistoryTest(configuration).run(seed: seed) { try MyDriver() }
/// }
/// ```
/// The same seed and configuration give the same history on every machine. A history that fails
/// is made as short as it can be and thrown as a `HistoryFailure`, which prints it.
public struct HistoryTest: Sendable {
    /// How histories are made.
    public var configuration: HistoryConfiguration
    /// How many shorter histories are tried when one has failed.
    public var shrinkingAttempts = 3000

    /// A test of histories of this kind.
    public init(_ configuration: HistoryConfiguration = HistoryConfiguration()) {
        self.configuration = configuration
    }

    /// The history of a seed.
    public func history(seed: UInt64) -> [HistoryStep] {
        var generator = HistoryGenerator(seed: seed, configuration)
        return generator.history()
    }

    /// Runs the history of a seed on a new driver.
    ///
    /// - Parameter makeDriver: makes a driver with empty stores; called again for each shorter
    ///   history that is tried.
    ///
    /// Returns what happened how often. Throws `HistoryFailure`, or what `makeDriver` throws.
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

    /// Runs a history that was written down, such as one that has failed before.
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

/// How often each operation of histories came to which end, such as `save: conflict`.
public struct HistoryTally: Sendable {
    /// How often, by the operation and its end.
    public private(set) var counts: [String: Int] = [:]

    /// Nothing yet.
    public init() {}

    mutating func add(_ operation: String, _ end: String) {
        counts["\(operation): \(end)", default: 0] += 1
    }

    /// Adds what another one counted.
    public mutating func add(_ other: HistoryTally) {
        counts.merge(other.counts, uniquingKeysWith: +)
    }
}

extension [HistoryStep] {
    /// How many operations there are in all steps.
    public var operationCount: Int { reduce(0) { $0 + $1.operationCount } }
}

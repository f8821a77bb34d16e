/// Compares a store with a model of it, over random histories.
///
/// A history is a sequence of saves, deletions, purges, expirations, moves and reads, with
/// transactions and savepoints that are committed or rolled back. Each operation is executed by
/// your ``HistoryDriver`` and by a model made of dictionaries, and their results must be equal:
///
/// ```swift
/// var configuration = HistoryConfiguration()
/// configuration.operations = 300
/// for seed in 1...200 as ClosedRange<UInt64> {
///     try HistoryTest(configuration).run(seed: seed) { try makeDriver() }
/// }
/// ```
///
/// The same seed and configuration give the same history on every machine. A failing history is
/// shortened as far as possible and thrown as a ``HistoryFailure``, which prints it. Written as a
/// value, it is a regression test:
///
/// ```swift
/// let save = HistoryOperation.save(
///     key: "a", store: "default", HistoryContent(version: [1]), flags: [], .right)
/// try HistoryTest().run(
///     [
///         .transaction([.operation(save)], rollsBack: true),
///         .reopen, .operation(.count(store: "default")),
///     ], on: makeDriver())
/// ```
public struct HistoryTest: Sendable {
    /// The parameters of the histories.
    public var configuration: HistoryConfiguration
    /// The maximum number of shorter histories to try after a failure; 3,000 by default. Each takes
    /// a new driver.
    public var shrinkingAttempts = 3000

    /// Creates a test of histories with a configuration.
    ///
    /// - Parameter configuration: the parameters; two stores, one raw store and a thousand
    ///   operations by default.
    public init(_ configuration: HistoryConfiguration = HistoryConfiguration()) {
        self.configuration = configuration
    }

    /// The history generated from a seed, without running it.
    ///
    /// ```swift
    /// let history = HistoryTest().history(seed: 77)
    /// show(history.operationCount)  // 1000, or a few more
    /// ```
    ///
    /// - Parameter seed: determines the history, together with the configuration.
    /// - Returns: the steps. A transaction at the end may exceed the configured number of
    ///   operations.
    public func history(seed: UInt64) -> [HistoryStep] {
        var generator = HistoryGenerator(seed: seed, configuration)
        return generator.history()
    }

    /// Runs the history of a seed on a new driver.
    ///
    /// ```swift
    /// let tally = try HistoryTest().run(seed: 7) { try makeDriver() }
    /// #expect(tally.counts["save: conflict", default: 0] > 0)
    /// ```
    ///
    /// After each reopening and at the end everything that can be read is compared, and the driver
    /// checks its invariants.
    ///
    /// - Parameters:
    ///   - seed: determines the history.
    ///   - makeDriver: creates a driver with empty stores; called again for each shorter history
    ///     that is tried.
    /// - Returns: the number of operations by outcome.
    /// - Throws: ``HistoryFailure``, or errors of `makeDriver`. An error that the driver throws is
    ///   a ``HistoryFailure``, too.
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
    ///
    /// The history is not shortened when it fails.
    ///
    /// - Parameters:
    ///   - history: the steps.
    ///   - driver: the driver, with empty stores.
    /// - Throws: ``HistoryFailure``, whose seed is nil.
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
///
/// A test that runs many histories adds them up, and checks that each outcome has occurred:
///
/// ```swift
/// var total = HistoryTally()
/// for seed in 1...20 as ClosedRange<UInt64> {
///     total.add(try HistoryTest().run(seed: seed) { try makeDriver() })
/// }
/// #expect(total.counts["move: missing"] != nil)
/// ```
public struct HistoryTally: Sendable {
    /// The counts, by operation and outcome, separated by a colon and a space.
    public private(set) var counts: [String: Int] = [:]

    /// Creates an empty tally.
    public init() {}

    mutating func add(_ operation: String, _ end: String) {
        counts["\(operation): \(end)", default: 0] += 1
    }

    /// Adds the counts of another tally.
    ///
    /// - Parameter other: the tally of another history.
    public mutating func add(_ other: HistoryTally) {
        counts.merge(other.counts, uniquingKeysWith: +)
    }
}

extension [HistoryStep] {
    /// The total number of operations in all steps.
    public var operationCount: Int { reduce(0) { $0 + $1.operationCount } }
}

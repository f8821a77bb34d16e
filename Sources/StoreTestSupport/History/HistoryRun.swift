internal import DocumentStore

/// Executes a history on a driver and the model in parallel.
struct HistoryRun {
    private let driver: any HistoryDriver
    private let configuration: HistoryConfiguration
    private var model = HistoryModel()
    private(set) var tally = HistoryTally()

    init(_ driver: any HistoryDriver, _ configuration: HistoryConfiguration) {
        self.driver = driver
        self.configuration = configuration
    }

    /// Runs all steps, and compares everything after each reopening and at the end.
    mutating func run(_ steps: [HistoryStep]) throws {
        for (index, step) in steps.enumerated() {
            do {
                try perform(step, inTransaction: false)
            } catch var mismatch as HistoryMismatch {
                mismatch.step = index
                throw mismatch
            }
        }
        try compareAll(when: "at the end")
    }

    private mutating func perform(_ step: HistoryStep, inTransaction: Bool) throws {
        switch step {
        case .operation(let operation) where operation.isWrite && !inTransaction:
            try bracket([step], rollsBack: false, "transaction", driver.transaction)
        case .operation(let operation): try perform(operation)
        case .transaction(let steps, let rollsBack):
            try bracket(steps, rollsBack: rollsBack, "transaction", driver.transaction)
        case .savepoint(let steps, let rollsBack):
            // The rest of a transaction that the shrinker has removed.
            let open = inTransaction ? driver.savepoint : driver.transaction
            try bracket(steps, rollsBack: rollsBack, "savepoint", open)
        case .reopen:
            try noting("reopen") { try driver.reopen() }
            tally.add("reopen", "done")
            try compareAll(when: "after reopening")
        }
    }

    private mutating func bracket(
        _ steps: [HistoryStep], rollsBack: Bool, _ name: String,
        _ open: (Bool, () throws -> Void) throws -> Void
    ) throws {
        let before = model
        try noting("the end of a \(name)") {
            try open(rollsBack) {
                for step in steps { try perform(step, inTransaction: true) }
            }
        }
        if rollsBack { model = before }
        tally.add(name, rollsBack ? "rolled back" : "committed")
    }

    private mutating func perform(_ operation: HistoryOperation) throws {
        let call = resolved(operation)
        let (expected, got) = try noting("\(operation)") {
            (call.result(of: &model), try call.result(of: driver))
        }
        tally.add(operation.name, expected.kind)
        guard expected == got else {
            throw HistoryMismatch(
                operation: "\(operation)", expected: "\(expected)", got: "\(got)")
        }
    }

    /// Compares everything that can be read, store by store.
    private mutating func compareAll(when: String) throws {
        var query = HistoryQuery()
        query.includesDeleted = true
        var operations: [HistoryOperation] = []
        for store in configuration.stores {
            operations += [
                .enumerate(store: store, query), .count(store: store),
                .lastSequence(store: store), .purgeCount(store: store),
                .nextExpiration(store: store),
            ]
        }
        for store in configuration.rawStores {
            operations += configuration.keys.map { .getRaw(key: $0, store: store) }
        }
        let counted = tally
        for operation in operations {
            do { try perform(operation) } catch var mismatch as HistoryMismatch {
                mismatch.operation += ", \(when)"
                throw mismatch
            }
        }
        tally = counted
        try noting("the invariants \(when)") { try driver.checkInvariants() }
    }

    /// An error of the driver is a mismatch, too: no operation of a history should fail.
    private func noting<T>(_ operation: String, _ body: () throws -> T) throws -> T {
        do { return try body() } catch let mismatch as HistoryMismatch {
            throw mismatch
        } catch {
            throw HistoryMismatch(operation: operation, expected: "no error", got: "\(error)")
        }
    }
}

/// A result that differs from the model's.
struct HistoryMismatch: Error {
    var operation: String
    let expected: String
    let got: String
    /// The index of the outermost step.
    var step: Int?
}

extension HistoryRun {
    /// The operation with the sequences that the model has for the writer's expectation.
    private func resolved(_ operation: HistoryOperation) -> HistoryCall {
        switch operation {
        case .save(let key, let store, let content, let flags, let expectation):
            let update = HistoryUpdate(
                key: key, content: content, flags: flags,
                expected: version(expectation, model.record(key, in: store)),
                keepsSequence: false)
            return .save(update, store)
        case .saveFlags(let key, let store, let flags, let expectation):
            return .save(flagsOnly(key, store, flags, expectation), store)
        case .addFlags(let key, let store, let flags, let expectation):
            let expected = version(expectation, model.record(key, in: store))
            return .addFlags(flags, key, expected?.sequence ?? Int64.max, store)
        case .purge(let key, let store, let expectation):
            // Without a record and an expected version, there is nothing to purge.
            return .purge(key, version(expectation, model.record(key, in: store)), store)
        case .getBySequence(let key, let store, let level):
            let sequence = model.record(key, in: store)?.sequence ?? 1_000_000
            return .getBySequence(sequence, level, store)
        default: return .plain(operation)
        }
    }

    private func flagsOnly(
        _ key: String, _ store: String, _ flags: DocumentFlags, _ expectation: HistoryExpectation
    ) -> HistoryUpdate {
        let old = model.record(key, in: store)
        let deleted = old?.flags.intersection(.deleted) ?? []
        // Without an old record there is no sequence to keep: it must be a conflict.
        let expected = version(expectation, old) ?? HistoryVersion(sequence: 7, subsequence: 7)
        return HistoryUpdate(
            key: key, content: old?.content ?? HistoryContent(version: [1]),
            flags: flags.union(deleted), expected: expected, keepsSequence: true)
    }

    private func version(
        _ expectation: HistoryExpectation, _ old: HistoryRecord?
    ) -> HistoryVersion? {
        let old = old?.historyVersion
        switch expectation {
        case .right: return old
        case .none, .anything: return nil
        case .staleSequence:
            let sequence = old?.sequence ?? 0
            return HistoryVersion(
                sequence: sequence > 1 ? sequence - 1 : sequence + 1,
                subsequence: old?.subsequence ?? 0)
        case .staleSubsequence:
            let subsequence = old?.subsequence ?? 0
            return HistoryVersion(
                sequence: old?.sequence ?? 1,
                subsequence: subsequence > 0 ? subsequence - 1 : subsequence + 1)
        }
    }
}

internal import DocumentStore
internal import SampleData

/// Generates random histories, which are determined by the seed and the configuration.
struct HistoryGenerator {
    private var random: SeededGenerator
    private let configuration: HistoryConfiguration

    init(seed: UInt64, _ configuration: HistoryConfiguration) {
        random = SeededGenerator(seed: seed)
        self.configuration = configuration
    }

    mutating func history() -> [HistoryStep] {
        var steps: [HistoryStep] = []
        var left = configuration.operations
        while left > 0 {
            let step = self.step()
            left -= step.operationCount
            steps.append(step)
        }
        return steps
    }

    private mutating func step() -> HistoryStep {
        if chance(configuration.reopenPercent) { return .reopen }
        if chance(45) { return .operation(reading()) }
        if chance(15) { return .operation(writing()) }
        let steps = inner(count: 1 + random.below(10), savepoints: true)
        return .transaction(steps, rollsBack: chance(configuration.rollbackPercent))
    }

    private mutating func inner(count: Int, savepoints: Bool) -> [HistoryStep] {
        (0..<count).map { _ in
            if savepoints, chance(6) {
                // A savepoint can contain another one.
                let steps = inner(count: 1 + random.below(5), savepoints: chance(50))
                return .savepoint(steps, rollsBack: chance(50))
            }
            return .operation(chance(75) ? writing() : reading())
        }
    }

    private mutating func writing() -> HistoryOperation {
        let key = random.pick(configuration.keys)
        let store = random.pick(configuration.stores)
        switch random.below(100) {
        case ..<46: return saving(key, store)
        case ..<54: return .saveFlags(key: key, store: store, flags: flags(), expectation())
        case ..<60: return .addFlags(key: key, store: store, flags: flags(), expectation())
        case ..<68:
            let any = chance(50)
            return .purge(key: key, store: store, any ? .anything : expectation())
        case ..<80: return .setExpiration(key: key, store: store, time: expiration())
        case ..<85: return .purgeExpired(store: store, time: time())
        case ..<91: return moving(key, store)
        default: return puttingRaw(key)
        }
    }

    private mutating func saving(_ key: String, _ store: String) -> HistoryOperation {
        var flags = flags()
        // A third are deletions; saves without the flag revive tombstones.
        if chance(33) { flags.insert(.deleted) }
        return .save(key: key, store: store, content(), flags: flags, expectation())
    }

    private mutating func moving(_ key: String, _ store: String) -> HistoryOperation {
        let others = configuration.stores.filter { $0 != store }
        guard !others.isEmpty else { return .purge(key: key, store: store, .anything) }
        return .move(key: key, store: store, target: random.pick(others))
    }

    private mutating func puttingRaw(_ key: String) -> HistoryOperation {
        guard !configuration.rawStores.isEmpty else { return saving(key, configuration.stores[0]) }
        return .putRaw(key: key, store: random.pick(configuration.rawStores), content())
    }

    private mutating func reading() -> HistoryOperation {
        let key = random.pick(configuration.keys)
        let store = random.pick(configuration.stores)
        switch random.below(100) {
        case ..<22: return .get(key: key, store: store, level())
        case ..<34: return .getBySequence(key: key, store: store, level())
        case ..<44: return .getMany(keys: someKeys(), store: store, level())
        case ..<50:
            guard !configuration.rawStores.isEmpty else { return .count(store: store) }
            return .getRaw(key: key, store: random.pick(configuration.rawStores))
        case ..<80: return .enumerate(store: store, query())
        case ..<86: return .count(store: store)
        case ..<91: return .lastSequence(store: store)
        case ..<95: return .purgeCount(store: store)
        default: return .nextExpiration(store: store)
        }
    }
}

extension HistoryGenerator {
    private mutating func chance(_ percent: Int) -> Bool { random.below(100) < percent }

    private mutating func expectation() -> HistoryExpectation {
        switch random.below(100) {
        case ..<76: .right
        case ..<84: .none
        case ..<92: .staleSequence
        default: .staleSubsequence
        }
    }

    private mutating func flags() -> DocumentFlags {
        var flags: DocumentFlags = []
        for flag in [DocumentFlags.conflicted, .hasAttachments, .synced, .rejected]
        where chance(20) {
            flags.insert(flag)
        }
        return flags
    }

    private mutating func content() -> HistoryContent {
        HistoryContent(
            version: bytes(1 + random.below(12)),
            body: chance(10) ? [] : body(),
            extra: chance(60) ? [] : bytes(1 + random.below(40)))
    }

    private mutating func body() -> [UInt8] {
        configuration.hasDocuments
            ? TestIndexes.body(&random) : bytes(1 + random.below(configuration.largestBody))
    }

    private mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    private mutating func level() -> HistoryLevel { random.pick(HistoryLevel.allCases) }

    /// There are few different times, so that something often expires at exactly the queried time.
    private mutating func time() -> Int64 { Int64(10 + 10 * random.below(30)) }

    private mutating func expiration() -> Int64? { chance(25) ? nil : 2 * time() - 10 }

    private mutating func someKeys() -> [String] {
        (0..<1 + random.below(8)).map { _ in random.pick(configuration.keys) }
    }

    private mutating func query() -> HistoryQuery {
        var query = HistoryQuery()
        query.order = random.pick(HistoryQuery.Order.allCases)
        query.includesDeleted = chance(50)
        query.onlyConflicted = chance(15)
        query.onlyWithAttachments = chance(15)
        query.level = level()
        guard query.order != .unsorted else { return query }
        query.descending = chance(50)
        if chance(25) { query.limit = random.below(8) }
        if query.order == .key {
            if chance(30) { query.startKey = random.pick(configuration.keys) }
            if chance(30) { query.endKey = random.pick(configuration.keys) }
        } else {
            let most = max(1, configuration.operations / 4)
            if chance(30) { query.startSequence = Int64(1 + random.below(most)) }
            if chance(30) { query.endSequence = Int64(1 + random.below(most)) }
        }
        return query
    }
}

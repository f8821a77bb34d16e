import DocumentStore
import StoreTestSupport

/// A store in memory that implements the format: a list of live rows and one of tombstones, and a
/// sequence counter for both; optionally with one defect.
final class ListDriver: HistoryDriver {
    enum Defect: CaseIterable {
        case ignoresSubsequence, ignoresSequence, insertsOverTombstone, keepsSubsequence
        case losesExpirationAtDeletion, losesExpirationAtMove, movesTombstones
        case expiryIsExclusive, expiryIsNoPurge, expirySparesTombstones
        case countsTombstones, purgeReusesSequence, conflictTakesSequence
        case rollbackKeepsSequence, savepointIsKept, rollbackIsKept, reopeningForgetsSequence
        case sortsKeysByCharacters, descendingEndIsExclusive, limitIsOneMore
        case unsortedLacksTombstones, conflictedWithoutFilter, metadataHasBody
        case manyLacksTombstones, bySequenceLacksTombstones, rawIsInsertedOnce
        case flagsAreReplaced, throwsAtMove
    }

    struct Row {
        var record: HistoryRecord
        var key: [UInt8] { Array(record.key.utf8) }
    }

    struct Table {
        var live: [Row] = []
        var tombstones: [Row] = []
        var lastSequence: Int64 = 0
        var purgeCount: Int64 = 0
    }

    struct Failure: Error {}

    var tables: [String: Table] = [:]
    var raw: [String: [(key: [UInt8], content: HistoryContent)]] = [:]
    let defect: Defect?

    /// How many more checks of its invariants succeed; nil for all.
    private var soundChecks: Int?

    init(_ defect: Defect? = nil, findsWrongAfter soundChecks: Int? = nil) {
        self.defect = defect
        self.soundChecks = soundChecks
    }

    func checkInvariants() throws {
        guard let left = soundChecks else { return }
        soundChecks = left - 1
        if left == 0 { throw Failure() }
    }

    func transaction(rollsBack: Bool, _ body: () throws -> Void) throws {
        let before = (tables, raw)
        do { try body() } catch {
            (tables, raw) = before
            throw error
        }
        guard rollsBack, defect != .rollbackIsKept else { return }
        let after = tables
        (tables, raw) = before
        guard defect == .rollbackKeepsSequence else { return }
        for (name, table) in after {
            tables[name, default: Table()].lastSequence = table.lastSequence
        }
    }

    func savepoint(rollsBack: Bool, _ body: () throws -> Void) throws {
        let before = (tables, raw)
        try body()
        if rollsBack, defect != .savepointIsKept { (tables, raw) = before }
    }

    func reopen() throws {
        guard defect == .reopeningForgetsSequence else { return }
        for (name, table) in tables {
            let all = (table.live + table.tombstones).map(\.record.sequence)
            tables[name]?.lastSequence = all.max() ?? 0
        }
    }

    func row(_ key: String, in store: String) -> Row? {
        let key = Array(key.utf8)
        let table = tables[store] ?? Table()
        return (table.live + table.tombstones).first { $0.key == key }
    }

    func change<T>(_ store: String, _ body: (inout Table) -> T) -> T {
        body(&tables[store, default: Table()])
    }

    func remove(_ key: String, _ table: inout Table) {
        let key = Array(key.utf8)
        table.live.removeAll { $0.key == key }
        table.tombstones.removeAll { $0.key == key }
    }

    func add(_ record: HistoryRecord, _ table: inout Table) {
        if record.flags.contains(.deleted) {
            table.tombstones.append(Row(record: record))
        } else {
            table.live.append(Row(record: record))
        }
    }
}

extension ListDriver {
    func save(_ update: HistoryUpdate, in store: String) throws -> HistorySaved {
        let old = row(update.key, in: store)?.record
        guard isExpected(update.expected, old) else {
            if defect == .conflictTakesSequence { change(store) { $0.lastSequence += 1 } }
            return .conflict
        }
        return change(store) { table in
            var record = HistoryRecord(
                key: update.key, sequence: 0, subsequence: 0, flags: update.flags,
                content: update.content, expiration: old?.expiration)
            if update.keepsSequence, let old {
                record.sequence = old.sequence
                record.subsequence = old.subsequence + (defect == .keepsSubsequence ? 0 : 1)
            } else {
                table.lastSequence += 1
                record.sequence = table.lastSequence
            }
            if defect == .losesExpirationAtDeletion,
                record.flags.contains(.deleted) != old?.flags.contains(.deleted)
            {
                record.expiration = nil
            }
            remove(update.key, &table)
            add(record, &table)
            return .saved(sequence: record.sequence, subsequence: record.subsequence)
        }
    }

    private func isExpected(_ expected: HistoryVersion?, _ old: HistoryRecord?) -> Bool {
        guard let expected else {
            let isTombstone = old?.flags.contains(.deleted) ?? false
            return old == nil || defect == .insertsOverTombstone && isTombstone
        }
        guard let old else { return false }
        let sequence = old.sequence == expected.sequence || defect == .ignoresSequence
        let subsequence =
            old.subsequence == expected.subsequence || defect == .ignoresSubsequence
        return sequence && subsequence
    }

    func addFlags(
        _ flags: DocumentFlags, key: String, sequence: Int64, in store: String
    ) throws -> Bool {
        guard var record = row(key, in: store)?.record, record.sequence == sequence else {
            return false
        }
        let deleted = record.flags.intersection(.deleted)
        record.flags =
            defect == .flagsAreReplaced ? flags.union(deleted) : record.flags.union(flags)
        record.subsequence += 1
        change(store) { table in
            remove(key, &table)
            add(record, &table)
        }
        return true
    }

    func purge(_ key: String, expecting: HistoryVersion?, in store: String) throws -> Bool {
        guard let old = row(key, in: store)?.record else { return false }
        if let expecting, !isExpected(expecting, old) { return false }
        change(store) { table in
            remove(key, &table)
            table.purgeCount += 1
            if defect == .purgeReusesSequence, table.lastSequence == old.sequence {
                table.lastSequence -= 1
            }
        }
        return true
    }

    func setExpiration(_ time: Int64?, key: String, in store: String) throws -> Bool {
        guard var record = row(key, in: store)?.record else { return false }
        record.expiration = time
        change(store) { table in
            remove(key, &table)
            add(record, &table)
        }
        return true
    }

    func purgeExpired(at time: Int64, in store: String) throws -> Int {
        change(store) { table in
            let isDue = { (row: Row) in
                guard let expiration = row.record.expiration else { return false }
                return self.defect == .expiryIsExclusive ? expiration < time : expiration <= time
            }
            let before = table.live.count + table.tombstones.count
            table.live.removeAll(where: isDue)
            if defect != .expirySparesTombstones { table.tombstones.removeAll(where: isDue) }
            let count = before - table.live.count - table.tombstones.count
            if defect != .expiryIsNoPurge { table.purgeCount += Int64(count) }
            return count
        }
    }

    func move(_ key: String, from store: String, to target: String) throws -> HistoryMoved {
        guard var record = row(key, in: store)?.record,
            !record.flags.contains(.deleted) || defect == .movesTombstones
        else { return .missing }
        guard row(key, in: target) == nil else { return .conflict }
        if defect == .throwsAtMove { throw Failure() }
        change(store) { table in
            remove(key, &table)
            table.purgeCount += 1
        }
        if defect == .losesExpirationAtMove { record.expiration = nil }
        return change(target) { table in
            table.lastSequence += 1
            record.sequence = table.lastSequence
            record.subsequence = 0
            add(record, &table)
            return .moved(sequence: record.sequence)
        }
    }

    func putRaw(_ key: String, _ content: HistoryContent, in store: String) throws {
        let key = Array(key.utf8)
        if defect == .rawIsInsertedOnce, raw[store]?.contains(where: { $0.key == key }) == true {
            return
        }
        raw[store]?.removeAll { $0.key == key }
        raw[store, default: []].append(
            (key, HistoryContent(version: content.version, body: content.body)))
    }
}

internal import SQLCore
internal import StoreFormat

/// Finds commits by other processes, by comparing the file with the last reported state.
enum ExternalChanges {
    /// The changes that others have committed in the observed stores before this snapshot.
    static func found(in snapshot: Snapshot) throws -> FoundChanges {
        try foundIfNeeded(in: snapshot)
            ?? FoundChanges(observer: snapshot.state.changes.comparedObserver)
    }

    /// Reports what this transaction has committed, after earlier commits by others.
    static func publish(
        _ transaction: Transaction, _ others: FoundChanges
    ) {
        let notifier = transaction.state.changes
        guard transaction.changeLog.isRecording else {
            // An observer subscribed during the transaction: compare the rows.
            defer { notifier.notifyOfUnrecorded() }
            guard let found = try? compare(transaction) else { return notifier.requireComparison() }
            return notifier.publish(found)
        }
        var changes = others.changes
        for (store, own) in transaction.changeLog.stores {
            changes[store, default: KeyStoreChanges(store)].add(own)
        }
        for store in transaction.deletedStores {
            changes[store, default: KeyStoreChanges(store)].addUnnamed()
        }
        var reported: [KeyStoreName: ChangeNotifier.StorePosition] = [:]
        for store in changes.keys { reported[store] = try? progress(of: store, transaction) }
        notifier.publish(
            FoundChanges(changes: changes, reported: reported, observer: others.observer))
    }

    /// Finds and reports commits by others; called periodically.
    static func publishFound(in snapshot: Snapshot) throws {
        if let found = try foundIfNeeded(in: snapshot) { snapshot.state.changes.publish(found) }
    }

    /// The changes of others; nil if the file has no observer, or if the state of this snapshot has
    /// been compared already.
    private static func foundIfNeeded(in snapshot: Snapshot) throws -> FoundChanges? {
        let connection = try snapshot.connection()
        let notifier = snapshot.state.changes
        guard notifier.isObserved, !connection.isCompared || notifier.needsComparison
        else { return nil }
        let found = try compare(snapshot)
        connection.comparedRows = connection.rowsToken
        return found
    }

    private static func compare(_ snapshot: Snapshot) throws -> FoundChanges {
        let (stores, observer) = snapshot.state.changes.reported
        var result = FoundChanges(observer: observer)
        for (name, before) in stores {
            let isGone = try snapshot.connection().storeTables(name) == nil
            let now = isGone ? .gone : try progress(of: name, snapshot)
            guard now != before else { continue }
            guard !isGone else {
                // The store no longer exists: report that without naming records.
                result.changes[name, default: KeyStoreChanges(name)].addUnnamed()
                result.reported[name] = now
                continue
            }
            let found = try self.changes(of: KeyStore(name), since: before, now, snapshot)
            if !found.isEmpty { result.changes[name] = found }
            result.reported[name] = now
        }
        return result
    }

    private static func progress(
        of name: KeyStoreName, _ snapshot: Snapshot
    ) throws -> ChangeNotifier.StorePosition {
        let store = KeyStore(name)
        return ChangeNotifier.StorePosition(
            lastSequence: try store.lastSequence(in: snapshot),
            purgeCount: try store.purgeCount(in: snapshot))
    }

    /// The records saved or deleted since then; of purges only whether there were any.
    static func changes(
        of store: KeyStore, since before: ChangeNotifier.StorePosition,
        _ now: ChangeNotifier.StorePosition,
        _ snapshot: Snapshot
    ) throws -> KeyStoreChanges {
        var changes = KeyStoreChanges(store.name)
        // A lower sequence than before: the store was deleted and created again.
        let isNew = now.lastSequence < before.lastSequence
        if isNew || now.purgeCount != before.purgeCount { changes.addUnnamed() }
        let last = isNew ? 0 : max(before.lastSequence, 0)
        guard now.lastSequence > last else { return changes }
        var options = RecordEnumerator.Options()
        options.order = .sequence
        options.sequences = last + 1...now.lastSequence
        options.includesDeleted = true
        options.content = .metadata
        options.limit = KeyStoreChanges.largestCount + 1
        try store.records(options, in: snapshot).forEachRow { row in
            let kind: RecordChange.Kind = row.flags.contains(.deleted) ? .deleted : .saved
            changes.add(RecordChange(key: row.key, kind: kind, sequence: row.sequence))
            return true
        }
        changes.extend(to: now.lastSequence)
        return changes
    }
}

extension Connection {
    /// Whether the rows of this state have been compared with what observers know.
    fileprivate var isCompared: Bool { comparedRows == rowsToken }
}

/// Interrupts a statement in which a trigger of another program does not terminate.
///
/// Only needed if the file's schema is trusted; otherwise such triggers do not run.
final class TriggerWatch {
    private let limit: Int
    /// The trigger that started last in the current statement.
    private var trigger: String?
    private var operations = 0
    private var isExceeded = false

    /// - Parameter limit: the maximum number of SQLite virtual machine operations per statement.
    init(limit: Int) {
        self.limit = limit
    }

    /// Runs `body`, a transaction.
    ///
    /// Throws `.unsupported`, naming the trigger, if it was interrupted.
    func watching<T>(_ connection: Connection, _ body: () throws -> T) throws -> T {
        let found = try ForeignSchema.find(in: connection.context, path: connection.path)
        guard found.contains(where: { $0.kind == .trigger }) else { return try body() }
        let hook = try connection.context.trace { self.note($0) }
        defer { hook?.remove() }
        do {
            return try connection.context.withProgress(
                { self.shouldContinue(after: $0) }, body: body)
        } catch  where isExceeded {
            throw StoreError(
                .unsupported,
                "\(connection.path) was not changed: the trigger \(trigger ?? "") did not end "
                    + "within \(limit) operations of SQLite; drop it", underlying: error)
        }
    }

    /// SQLite traces each statement that starts: those of triggers and virtual tables as comments.
    private func note(_ sql: String) {
        if sql.hasPrefix(Self.mark) {
            trigger = String(sql.dropFirst(Self.mark.count))
        } else if !sql.hasPrefix("--") {
            trigger = nil
            operations = 0
        }
    }

    private static let mark = "-- TRIGGER "

    private func shouldContinue(after count: Int) -> Bool {
        guard trigger != nil else { return true }
        operations += count
        isExceeded = operations > limit
        return !isExceeded
    }
}

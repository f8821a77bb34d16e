internal import DataFileCore
internal import SQLCore
internal import StoreFormat

/// A step that fixes findings without losing documents.
enum FixStep: Hashable, Sendable {
    /// Creates the tombstone table of a collection.
    case createTombstoneTable(KeyStoreName)
    /// Drops a trigger that belongs to no index.
    case dropTrigger(String)
    /// Drops a table that belongs to no index.
    case dropTable(String)
    /// Removes an index of a store that does not exist.
    case removeIndex(String)
    /// Swaps expirations and revisions that are in each other's columns.
    case unswap(KeyStoreName)
    /// Moves tombstones and documents to their own tables.
    case separate(KeyStoreName)
    /// Sets the attachments flag of some documents.
    case setAttachments(KeyStoreName, keys: [String])
    /// Raises the last sequence to that of the rows.
    case raiseSequence(KeyStoreName)
    /// Sets the clock of the file to the system clock.
    case resetClock
    /// Sets versions that are years ahead of the system clock to the present time.
    case boundVersions(KeyStoreName)
    /// Creates an index that a store creates for itself.
    case createOwnIndex(KeyStoreName, String)
    /// Rebuilds an index from the documents, or from the rows if it is not registered.
    case rebuildIndex(String)

    /// Whether the step is possible while triggers of another program would run with each write.
    var removesForeign: Bool { if case .dropTrigger = self { true } else { false } }

    /// The steps for findings, in the order in which they must run.
    static func steps(for findings: [VerificationFinding]) -> [FixStep] {
        var steps: [FixStep] = []
        var attachments: [KeyStoreName: [String]] = [:]
        for finding in findings where finding.isFixable {
            if finding.kind == .attachmentsFlag, let store = finding.store, let key = finding.key {
                attachments[store, default: []].append(key)
                continue
            }
            // First, since any other write would run it.
            if finding.kind == .differentTrigger, let name = finding.object {
                steps.append(.dropTrigger(name))
            }
            if let step = FixStep(finding), !steps.contains(step) {
                steps.append(step)
            }
        }
        for (store, keys) in attachments { steps.append(.setAttachments(store, keys: keys)) }
        return steps.enumerated().sorted {
            ($0.element.order, $0.offset) < ($1.element.order, $1.offset)
        }.map(\.element)
    }

    private init?(_ finding: VerificationFinding) {
        switch (finding.kind, finding.store, finding.object) {
        case (.missingTombstoneTable, let store?, _): self = .createTombstoneTable(store)
        case (.orphanedTrigger, _, let name?): self = .dropTrigger(name)
        case (.orphanedTable, _, let name?): self = .dropTable(name)
        case (.swappedColumns, let store?, _): self = .unswap(store)
        case (.misplacedTombstone, let store?, _), (.misplacedDocument, let store?, _):
            self = .separate(store)
        case (.laggingSequence, let store?, _): self = .raiseSequence(store)
        case (.implausibleClock, _, _): self = .resetClock
        case (.implausibleVersion, let store?, _): self = .boundVersions(store)
        case (.ownIndex, let store?, let name?): self = .createOwnIndex(store, name)
        case (.orphanedRegistration, _, _):
            guard let index = finding.index else { return nil }
            self = .removeIndex(index)
        case (.missingIndexPart, _, _), (.differentIndexPart, _, _), (.indexRows, _, _),
            (.indexWords, _, _), (.missingTrigger, _, _), (.differentTrigger, _, _):
            guard let index = finding.index else { return nil }
            self = .rebuildIndex(index)
        default: return nil
        }
    }

    /// Indexes come last, since they are built from the rows.
    private var order: Int {
        switch self {
        case .dropTrigger: 0
        case .createTombstoneTable: 1
        case .dropTable: 2
        case .removeIndex: 3
        case .unswap: 4
        case .separate: 5
        case .setAttachments: 6
        case .raiseSequence: 7
        case .resetClock: 8
        case .boundVersions: 9
        case .createOwnIndex: 10
        case .rebuildIndex: 11
        }
    }
}

// Versions that are years ahead of the system clock.
extension FixStep {
    /// Sets all such versions of a store to the present time.
    ///
    /// - Returns: what was done.
    func boundVersions(
        of store: KeyStoreName, _ transaction: Transaction
    ) throws -> [String] {
        guard let name = CollectionName(store) else { return [] }
        let collection = DocumentCollection(name)
        var count = 0
        for key in try keysOfVectors(store, transaction) {
            do {
                guard let record = try collection.keyStore.get(key, in: transaction) else {
                    continue
                }
                var history = try DocumentHistory(record, sharedKeys: transaction.sharedKeys)
                guard try history.boundTimes(in: transaction) else { continue }
                try collection.write(history, over: record, in: transaction)
                count += 1
            } catch let error as StoreError
                where error.has(.corruptRevisionData) || error.has(.corruptData)
            {
                // Its other revisions are unreadable, which is a separate finding.
                continue
            }
        }
        return count == 0
            ? []
            : [
                "the versions of \(count) documents of \(store.displayName) were set to the present"
                    + " time"
            ]
    }

    /// The keys of the rows that may have such a version.
    private func keysOfVectors(
        _ store: KeyStoreName, _ transaction: Transaction
    ) throws -> [String] {
        let latest = transaction.clock.latestPlausible
        let context = try transaction.connection().context
        var keys: [String] = []
        for table in try tables(of: store, context) {
            let sql = """
                SELECT key, version, ifnull(length(extra), 0) FROM main.\(table.name.sqlName)
                WHERE substr(version, 1, 1) = x'00' AND typeof(key) = 'text'
                """
            try context.forEach(sql) { row in
                let vector = try? VersionVector(binary: row.bytes(at: 1))
                guard let vector, row.long(at: 2) > 0 || vector.latestTime > latest else { return }
                if let key = row.text(at: 0) { keys.append(key) }
            }
        }
        return keys
    }
}

internal import DataFileCore
internal import FleeceLite
internal import QueryLanguage
internal import SQLCore
internal import StoreFormat
internal import StorePlatform

/// Reads the result of a live query, and after each commit only the rows that it may have changed.
///
/// For one task; it reads on read-only connections.
final class LiveReader: Sendable {
    /// How many queries were run, for tests.
    struct Counts: Equatable {
        /// Runs that read all rows.
        var runs = 0
        /// Runs that read the rows of changed documents.
        var probes = 0
    }

    /// The state of the last result.
    private final class Known {
        var rows: [LiveRow] = []
        var columns: [String] = []
        var number = 0
        /// The rows by the IDs of their documents.
        var rowsByID: [ExactString: LiveRow] = [:]
        /// Whether all rows are known, so that a patch can be applied.
        var isPatchable = false
        /// The progress of the stores when the rows were read; nil before the first run.
        var progress: [KeyStoreName: ChangeNotifier.StorePosition]?
        var counts = Counts()
    }

    /// The outcome of a refresh.
    private enum Outcome: Sendable {
        case same
        case new(LiveVersion)
        /// The snapshot contains more than the reported changes.
        case torn
    }

    private let shared: SharedFile
    private let query: Query
    private let parameters: QueryParameters
    private let limits: QueryLimits
    private let plan: LivePlan
    private let known = Locked(Known())
    private let boxes = Locked<[PendingChanges]>([])
    /// Changes that were reported during a read: whether the snapshot contained them is unknown.
    private let carried = Locked(LiveChanges())

    /// With more changed documents than these, all rows are read again.
    private static let mostProbes = 500
    /// How many snapshots are tried until one contains no more than the reported changes.
    private static let maxAttempts = 3

    init(
        _ shared: SharedFile, _ query: Query, _ parameters: QueryParameters, _ limits: QueryLimits
    ) {
        self.shared = shared
        self.query = query
        self.parameters = parameters
        self.limits = limits
        plan = LivePlan(query, limits)
    }

    var counts: Counts { known.withLock { $0.counts } }

    /// Whether the file was closed, so that no more changes are reported.
    var isClosed: Bool { boxes.withLock { $0.contains(where: \.isFinished) } }

    /// Ends the subscriptions.
    func end() {
        let boxes = boxes.withLock { $0 }
        for box in boxes { box.end() }
    }

    /// Subscribes to the changes of all collections that the query reads.
    ///
    /// - Throws: the errors of the query.
    func subscribe(_ wake: @escaping @Sendable () -> Void) async throws {
        try await read { [self] snapshot in
            let prepared = try snapshot.prepared(query, options)
            let stores = prepared.tables.map(\.store)
            let notifier = snapshot.state.changes
            let progress = try self.progress(stores, snapshot)
            let new = progress.map { notifier.subscribe($0, $1, catchUp: nil, wake: wake) }
            boxes.withLock { $0 = new }
        }
    }

    private func read<T: Sendable>(
        _ body: @escaping @Sendable (Snapshot) throws -> T
    ) async throws -> T {
        try await StoreError.wrapping(path: shared.path) { try await shared.read(body) }
    }

    private func take() -> LiveChanges {
        boxes.withLock { boxes in
            var changes = LiveChanges()
            for box in boxes { if let more = box.take() { changes.add(more) } }
            return changes
        }
    }
}

// Refreshing.
extension LiveReader {
    /// Reads the reported changes and returns the new result; nil if it equals the previous one.
    ///
    /// - Parameter isFresh: whether to read the current state of the file even if no change was
    ///   reported.
    func refresh(isFresh: Bool) async throws -> LiveVersion? {
        var reported = carried.withLock { carried in
            defer { carried = LiveChanges() }
            return carried
        }
        reported.add(take())
        for attempt in 1...Self.maxAttempts {
            let isLast = attempt == Self.maxAttempts
            let (outcome, later) = try await read { [self, reported] snapshot in
                // Changes reported from here on are included, but may be newer than the snapshot.
                let later = take()
                var all = reported
                all.add(later)
                return (try refresh(all, isFresh, isLast: isLast, snapshot), later)
            }
            reported.add(later)
            switch outcome {
            case .torn: continue
            case .same: carry(later)
            case .new(let version):
                carry(later)
                return version
            }
            break
        }
        return nil
    }

    private func carry(_ changes: LiveChanges) {
        let progress = known.withLock { $0.progress } ?? [:]
        carried.withLock { $0.add(changes.after(progress)) }
    }

    /// Whether there are reported changes that must be read again.
    var hasMore: Bool { carried.withLock { !$0.isEmpty } }

    private func refresh(
        _ reported: LiveChanges, _ isFresh: Bool, isLast: Bool, _ snapshot: Snapshot
    ) throws -> Outcome {
        try known.withLock { known -> Outcome in
            guard let before = known.progress else { return try readAll(known, snapshot) }
            let news = reported.after(before)
            let now = try progress(before.keys, snapshot)
            if news.isEmpty {
                let isOld = plan.isVolatile || now != before
                return isFresh && isOld ? try readAll(known, snapshot) : .same
            }
            guard plan.reach != .everything, before.count == 1, known.isPatchable,
                let (store, changes) = news.stores.first, changes.isComplete,
                changes.changes.count <= Self.mostProbes, let old = before[store],
                let new = now[store]
            else { return try readAll(known, snapshot) }
            if new.isBeyond(old, changes) {
                return isLast ? try readAll(known, snapshot) : .torn
            }
            guard let outcome = try patch(known, changes, snapshot) else {
                return try readAll(known, snapshot)
            }
            known.progress = now
            return outcome
        }
    }

    private var options: TranslationOptions {
        var options = TranslationOptions()
        options.addsKeys = true
        return options
    }

    private func progress(
        _ stores: some Sequence<KeyStoreName>, _ snapshot: Snapshot
    ) throws -> [KeyStoreName: ChangeNotifier.StorePosition] {
        var progress: [KeyStoreName: ChangeNotifier.StorePosition] = [:]
        for name in stores {
            let store = KeyStore(name)
            progress[name] = ChangeNotifier.StorePosition(
                lastSequence: try store.lastSequence(in: snapshot),
                purgeCount: try store.purgeCount(in: snapshot))
        }
        return progress
    }
}

// Reading rows.
extension LiveReader {
    private func readAll(_ known: Known, _ snapshot: Snapshot) throws -> Outcome {
        known.counts.runs += 1
        let rows = try query.rows(in: snapshot, parameters, limits, options, changed: nil)
        let columns = rows.columnNames
        let new = try rows.all()
        let stores = try snapshot.prepared(query, options).tables.map(\.store)
        let progress = try progress(stores, snapshot)
        let isFirst = known.progress == nil
        known.progress = progress
        let keepsOrder = plan.reach == .itself && !plan.isOrdered
        let merged = LiveDifference.merged(known.rows, new, keepsOrder: keepsOrder)
        let difference = LiveDifference.between(known.rows, merged)
        guard isFirst || !difference.isEmpty || columns != known.columns else { return .same }
        known.columns = columns
        known.rows = merged
        if plan.reach != .everything { remember(known) }
        return version(known, isFirst ? QueryDifference() : difference)
    }

    private func remember(_ known: Known) {
        known.rowsByID = Dictionary(minimumCapacity: known.rows.count)
        for row in known.rows {
            if let key = row.row.key { known.rowsByID[ExactString(key)] = row }
        }
        known.isPatchable = known.rowsByID.count == known.rows.count
    }

    private func version(_ known: Known, _ difference: QueryDifference) -> Outcome {
        known.number += 1
        return .new(LiveVersion(known.rows, known.columns, difference, number: known.number))
    }

    /// Reads the rows of the changed documents; nil if all rows must be read.
    private func patch(
        _ known: Known, _ changes: KeyStoreChanges, _ snapshot: Snapshot
    ) throws -> Outcome? {
        known.counts.probes += 1
        let keys = changes.changes.map(\.key)
        let touched = keys.compactMap { known.rowsByID[ExactString($0)] }
        let now = try rows(of: keys, snapshot)
        if touched.isEmpty, now.isEmpty { return .same }
        guard plan.reach == .itself,
            Set(now.compactMap(\.key).map(ExactString.init)).count == now.count
        else { return nil }
        var patch = LivePatch(known.rows, touched: touched, now: now)
        if !plan.isOrdered {
            if patch.isNothing { return .same }
            patch.keepPositions()
        } else {
            guard now.count <= LiveSearch.mostRows else { return nil }
            let search = LiveSearch { try self.rows(of: $0, snapshot) }
            guard try patch.sort(search) else { return nil }
        }
        let (rows, difference) = patch.result()
        if difference.isEmpty { return .same }
        for entry in difference.removed { known.rowsByID[ExactString(entry.id ?? "")] = nil }
        for entry in difference.inserted + difference.updated {
            known.rowsByID[ExactString(entry.id ?? "")] = rows[entry.position]
        }
        known.rows = rows
        return version(known, difference)
    }

    /// The rows of the query for documents with these IDs.
    private func rows(of keys: [String], _ snapshot: Snapshot) throws -> [ResultRow] {
        var options = options
        options.onlyChanged = true
        var parameters = parameters
        for name in plan.unusedParameters { parameters[name] = nil }
        return try plan.probe.rows(in: snapshot, parameters, limits, options, changed: keys).all()
    }
}

extension ChangeNotifier.StorePosition {
    /// Whether a store has more changes than were reported since an earlier state.
    fileprivate func isBeyond(_ earlier: Self, _ reported: KeyStoreChanges) -> Bool {
        let gone = reported.changes.count { $0.kind == .purged || $0.kind == .expired }
        // The counts come from the file and can have any value.
        let (purges, isOver) = purgeCount.subtractingReportingOverflow(earlier.purgeCount)
        return lastSequence > max(earlier.lastSequence, reported.sequences?.upperBound ?? 0)
            || isOver || purges > Int64(gone)
    }
}

public import FleeceLite
internal import SQLCore

/// The file as it was at one moment: what others commit meanwhile is not seen.
///
/// Valid inside the `DataFile.read` that made it, on that thread.
public class Snapshot {
    /// What reads through the snapshot and has to let go at its end.
    private var readers: [WeakReader] = []
    private let openSession: Session
    private var isActive = true
    /// The keys that the bodies' integer keys stand for.
    public internal(set) var sharedKeys: SharedKeys

    /// Begins on a session whose SQL transaction is open.
    init(session: Session) throws {
        openSession = session
        try session.refreshSchema()
        sharedKeys = try session.currentSharedKeys()
    }

    /// Makes every later use an error, and ends what is still being read.
    func end() {
        isActive = false
        for reader in readers { reader.value?.snapshotEnded() }
        readers = []
    }

    /// Remembers a reader that keeps a statement under way.
    func add(_ reader: any SnapshotReader) {
        readers.removeAll { $0.value == nil }
        readers.append(WeakReader(value: reader))
    }

    /// The session, while the snapshot lasts.
    ///
    /// Throws `.notInTransaction` after its end.
    func session() throws -> Session {
        guard isActive else {
            throw StoreError(
                .notInTransaction, "a snapshot or transaction was used after its end")
        }
        return openSession
    }
}

extension Snapshot {
    /// The names of all KeyStores, collections and raw stores, sorted.
    public func keyStoreNames() throws -> [KeyStoreName] {
        let statement = try session().statement(SchemaSQL.tableNames)
        defer { statement.reset() }
        var names: [KeyStoreName] = []
        while try statement.next() {
            if let name = KeyStoreName(tableName: statement.text(at: 0) ?? "") {
                names.append(name)
            }
        }
        return names.sorted { $0.rawName < $1.rawName }
    }
}

/// Something that keeps a statement under way, which would hold the connection's snapshot open.
protocol SnapshotReader: AnyObject {
    /// Lets go of the statement.
    func snapshotEnded()
}

private struct WeakReader {
    weak var value: (any SnapshotReader)?
}

package import DataFileCore
internal import Dispatch
package import SQLCore
package import StoreFormat
internal import StorePlatform
package import StoreTestSupport
package import Testing

/// A data file in a temporary directory, for tests of the stores themselves.
package struct EngineFixture: Sendable {
    package let directory: TemporaryDirectory
    package let path: String
    package let store = KeyStore(.default)

    package init() throws {
        directory = try TemporaryDirectory()
        path = directory("test.cblite2")
        try DataFile(path: path, options: DataFileOptions(access: .create)).close()
    }

    /// Opens the file without maintenance, so that the test alone changes it.
    package func open(
        _ access: DataFileOptions.Access = .readWrite,
        _ configure: (inout DataFileOptions) -> Void = { _ in }
    ) throws -> DataFile {
        var options = DataFileOptions(access: access)
        options.maintenance = false
        configure(&options)
        return try DataFile(path: path, options: options)
    }

    /// The SQLite file on a separate connection, as in another program.
    package func sqlite() throws -> SQLContext {
        let context = try SQLContext(path: path + "/db.sqlite3", flags: .readWrite)
        try context.setBusyTimeout(milliseconds: 5000)
        return context
    }

    /// The rows of a query as strings, with columns separated by `|`; `NULL` is the empty string.
    package func rows(_ sql: String) throws -> [String] { try sqlite().lines(sql) }

    /// `key|sequence|flags|body` of the live table, by key.
    package func liveRows(_ store: KeyStoreName = .default) throws -> [String] {
        try rows(
            "SELECT key, sequence, flags, CAST(body AS TEXT) FROM \(store.tableName.sqlName) "
                + "ORDER BY key")
    }

    /// `key|sequence|flags|body` of the tombstone table, by key.
    package func tombstoneRows(_ store: KeyStoreName = .default) throws -> [String] {
        try rows(
            "SELECT key, sequence, flags, CAST(body AS TEXT) "
                + "FROM \(store.tombstoneTableName.sqlName) ORDER BY key")
    }
}

extension SQLContext {
    /// The rows of a query as strings, with columns separated by `|`; `NULL` is the empty string.
    package func lines(_ sql: String) throws -> [String] {
        try selectAll(sql: sql).map { row in
            row.map { value in
                switch value {
                case .null: ""
                case .long(let number): "\(number)"
                case .real(let number): "\(number)"
                case .text(let text): text
                case .blob(let bytes): bytes.map { String($0, radix: 16) }.joined(separator: " ")
                }
            }.joined(separator: "|")
        }
    }
}

extension KeyStore {
    /// Stores a record whose body is a string; an existing one is replaced unconditionally.
    @discardableResult
    package func set(
        _ key: String, _ body: String = "", flags: DocumentFlags = [], in transaction: Transaction
    ) throws -> PutResult {
        let expected = try get(key, content: .metadata, in: transaction)
            .map { RecordUpdate.Expectation.revision(of: $0) }
        let result = try put(
            RecordUpdate(
                key, version: [1], body: Array(body.utf8), flags: flags,
                expecting: expected ?? .absent),
            in: transaction)
        #expect(result != .conflict)
        return result
    }

    /// The body of a record as a string, nil if there is none.
    package func text(_ key: String, in snapshot: Snapshot) throws -> String? {
        try get(key, in: snapshot)?.body.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The keys that an enumeration returns.
    package func keys(
        _ options: RecordEnumerator.Options = .init(), in snapshot: Snapshot
    ) throws -> [String] {
        var keys: [String] = []
        try records(options, in: snapshot).forEachRow { row in
            keys.append(row.key)
            return true
        }
        return keys
    }
}

extension RecordEnumerator.Options {
    /// Creates options and configures them.
    package init(_ configure: (inout Self) -> Void) {
        self.init()
        configure(&self)
    }
}

/// The `StoreError` that `body` throws; fails if it throws none.
@discardableResult
package func storeError(
    _ code: StoreError.Code? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) -> StoreError? {
    let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try body() }
    if let error, let code {
        #expect(error.has(code), "\(error)", sourceLocation: sourceLocation)
    }
    return error
}

/// An error for a closure to throw.
package struct Mishap: Error {
    package init() {}
}

/// An event that happens once, and that tasks can wait for.
package final class Signal: Sendable {
    private struct State {
        var hasHappened = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    package init() {}

    package func send() {
        let waiting = state.withLock { state in
            defer { state = State(hasHappened: true) }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    package func wait() async {
        await withCheckedContinuation { continuation in
            let hasHappened = state.withLock { state in
                if !state.hasHappened { state.waiting.append(continuation) }
                return state.hasHappened
            }
            if hasHappened { continuation.resume() }
        }
    }

    /// Blocks the thread until the event has happened: for threads outside Swift's concurrency.
    package func block() {
        let semaphore = DispatchSemaphore(value: 0)
        Task {
            await wait()
            semaphore.signal()
        }
        semaphore.wait()
    }
}

import CBaseline
import DocumentStore
import Foundation
import SQLCore

/// The files of queries: people with and without indexes, and, for the baseline, the same values in
/// plain columns, with and without indexes.
final class QueryFiles: Sendable {
    private static let made = Result { try QueryFiles() }

    static func get() throws -> QueryFiles { try made.get() }

    /// The expected results, computed without a query, like `BaselineQuery.sum`.
    struct Facts {
        /// The total length of the keys of people in the queried state.
        var wantedKeys = 0
        /// The number of people with the queried name below the queried age.
        var named = 0
        /// The total length of their keys.
        var namedKeys = 0
        /// Groups: the lengths of their names, and their counts.
        var states = 0
        var likes = 0
        /// The first hundred birthdays.
        var birthdays = 0
    }

    static let state = "TX"
    /// A name and an age that select 2,205 of 100,000 people, and the same fraction of other sizes:
    /// those with the name who are younger.
    static let (last, age) = ("Kowalski", 58)

    static func path(_ isIndexed: Bool, isPlain: Bool = false) -> String {
        let name = (isPlain ? "plain" : "people") + (isIndexed ? "-indexed" : "")
        return "\(StoreData.directory)/q-\(name)"
    }

    let facts: Facts

    private static func facts(_ data: StoreData) -> Facts {
        let persons = data.persons
        let wanted = zip(data.keys, persons).filter { $1.contact.address.state == state }
        let named = zip(data.keys, persons).filter { $1.name.last == last && $1.age < age }
        let states = persons.map(\.contact.address.state)
        let likes = persons.flatMap(\.likes)
        let birthdays = persons.map(\.birthday).sorted().prefix(100)
        return Facts(
            wantedKeys: length(wanted.map(\.0)), named: named.count,
            namedKeys: length(named.map(\.0)),
            states: length(Set(states)) + states.count, likes: length(Set(likes)) + likes.count,
            birthdays: length(birthdays))
    }

    private static func length(_ texts: some Sequence<String>) -> Int {
        texts.reduce(0) { $0 + $1.utf8.count }
    }

    private init() throws {
        facts = Self.facts(try StoreData.get())
        for isIndexed in [false, true] {
            try FileManager.default.copyItem(
                atPath: StoreData.path(.filled), toPath: Self.path(isIndexed))
        }
        let file = try DataFile(path: Self.path(true), options: StoreData.options(.readWrite))
        try file.write { transaction in
            for spec in Self.indexes {
                try StoreWorkloads.people.createIndex(spec, in: transaction)
            }
        }
        file.close()
        for isIndexed in [false, true] { try Self.makePlain(isIndexed) }
    }

    private static let indexes: [IndexSpec] = [
        .value("byState", on: "contact.address.state"),
        .value("byPhone", on: "contact.phone[0]"), .array("byLikes", path: "likes"),
        .value("byName", on: "name.last, age"),
    ]

    private static func makePlain(_ isIndexed: Bool) throws {
        let target = path(isIndexed, isPlain: true)
        try FileManager.default.copyItem(atPath: StoreData.path(.filled), toPath: target)
        let context = try IndexFiles.open(target, hasFunctions: true)
        try context.transaction {
            try context.exec(sql: plainTables)
            if isIndexed { try context.exec(sql: plainIndexes) }
        }
        try context.exec(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private static let plainTables = """
        CREATE TABLE plain (id INTEGER PRIMARY KEY, key TEXT, state TEXT, phone TEXT,
          birthday TEXT, last TEXT, age INTEGER, body BLOB);
        INSERT INTO plain SELECT rowid, key, fl_value(body, 'contact.address.state'),
          fl_value(body, 'contact.phone[0]'), fl_value(body, 'birthday'),
          fl_value(body, 'name.last'), fl_value(body, 'age'), body FROM kv_default;
        CREATE TABLE each (docid INTEGER, i INTEGER, body TEXT, PRIMARY KEY (docid, i));
        INSERT INTO each SELECT kv_default.rowid, e.rowid, e.value
          FROM kv_default, fl_each(kv_default.body, 'likes') AS e;
        """
    private static let plainIndexes = """
        CREATE INDEX byState ON plain (state); CREATE INDEX byPhone ON plain (phone);
        CREATE INDEX byLikes ON each (body); CREATE INDEX byName ON plain (last, age);
        """
}

/// A query executed through SQLite's C interface alone.
final class BaselineQuery {
    private let database: OpaquePointer
    private let statement: OpaquePointer

    convenience init(_ sql: String, isIndexed: Bool = false, isPlain: Bool = true) throws {
        _ = try QueryFiles.get()
        try self.init(sql, path: QueryFiles.path(isIndexed, isPlain: isPlain))
    }

    /// Opens the database in a directory.
    init(_ sql: String, path: String, pragmas: String = BaselineFile.pragmas) throws {
        guard let database = baseline_open(path + "/db.sqlite3"),
            baseline_exec(database, pragmas) == 0,
            let statement = baseline_prepare(database, sql)
        else { throw BenchmarkError(message: "SQLite cannot be asked \(sql)") }
        (self.database, self.statement) = (database, statement)
    }

    deinit {
        baseline_finalize(statement)
        baseline_close(database)
    }

    /// Sums its rows: numbers, and the lengths of strings and blobs.
    func sum(_ text: String? = nil, most: Int = .max) -> Int {
        guard var text else { return Int(baseline_ask(statement, nil, 0, Int64(most))) }
        return text.withUTF8 { bytes in
            Int(baseline_ask(statement, bytes.baseAddress, Int32(bytes.count), Int64(most)))
        }
    }

    /// Reads within one snapshot.
    func snapshot(_ body: (BaselineQuery) -> Int) -> Int {
        guard baseline_exec(database, "BEGIN") == 0 else { return -1 }
        defer { baseline_exec(database, "COMMIT") }
        return body(self)
    }

    /// Compiles another statement on the same connection, and finalizes it.
    func compile(_ sql: String) -> Bool {
        guard let compiled = baseline_prepare(database, sql) else { return false }
        baseline_finalize(compiled)
        return true
    }
}

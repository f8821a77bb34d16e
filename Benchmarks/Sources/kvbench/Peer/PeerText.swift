import Foundation
import SQLCore

/// People as JSON text in an SQLite table, with the settings of the engine, and with statements
/// that are compiled once for each pass.
final class PeerText: PeerFile {
    static let name = "SQLite JSON text"
    static let recount = "SELECT count(*), sum(json_extract(body, '$.age')) FROM person"
    static let directories = Result { try createDirectories() }

    private static let state = "json_extract(body, '$.contact.address.state')"
    private static let phone = "json_extract(body, '$.contact.phone[0]')"
    private static let last = "json_extract(body, '$.name.last')"
    private static let age = "json_extract(body, '$.age')"

    let context: SQLContext

    init(_ directory: String) throws {
        context = try SQLContext(path: directory + "/db.sqlite3")
        try context.exec(sql: PeerDirectories.pragmas)
    }

    func close() throws { try context.close() }

    private static func createDirectories() throws -> PeerDirectories {
        try PeerDirectories("peer-text") { directory in
            let file = try PeerText(directory)
            try file.context.exec(
                sql: """
                    PRAGMA journal_mode=WAL;
                    CREATE TABLE person (key TEXT PRIMARY KEY, body TEXT)
                    """)
            try file.close()
        } fill: { directory, data in
            let file = try PeerText(directory)
            try file.insert(data, 0..<data.keys.count)
            try file.close()
        } index: { directory in
            let file = try PeerText(directory)
            try file.context.exec(
                sql: "CREATE INDEX byState ON person (\(state)); "
                    + "CREATE INDEX byPhone ON person (\(phone)); "
                    + "CREATE INDEX byName ON person (\(last), \(age))")
            try file.close()
        }
    }
}

// Writing.
extension PeerText {
    /// Inserts the text unchanged, in one transaction.
    func insert(_ data: StoreData, _ numbers: Range<Int>) throws {
        try context.transaction(.immediate) {
            try context.withStatement(sql: "INSERT INTO person (key, body) VALUES (?, ?)") {
                for number in numbers {
                    try $0.bind(data.keys[number], at: 1)
                    try $0.bind(data.json[number], at: 2)
                    while try $0.next() {}
                }
            }
        }
    }

    /// Sets the age of people in the sample to that of the next one: SQLite changes the text.
    func changeInSQL(_ data: StoreData) throws {
        try change(
            data, "SELECT json_extract(body, '$.age') FROM person WHERE key = ?",
            "UPDATE person SET body = json_set(body, '$.age', ?) WHERE key = ?"
        ) { old, age, new in
            guard !old.isNull(at: 0) else { throw BenchmarkError(message: "an age is missing") }
            try new.bind(Int64(age), at: 1)
        }
    }

    /// The same change, but the program parses the text and writes a new one.
    func changeInFoundation(_ data: StoreData) throws {
        try change(
            data, "SELECT body FROM person WHERE key = ?",
            "UPDATE person SET body = ? WHERE key = ?"
        ) { old, age, new in
            var person = try Self.parsed(old)
            person["age"] = age
            let text = try JSONSerialization.data(withJSONObject: person)
            try new.bind(String(decoding: text, as: UTF8.self), at: 1)
        }
    }

    private func change(
        _ data: StoreData, _ select: String, _ update: String,
        _ body: (SQLStatement, Int, SQLStatement) throws -> Void
    ) throws {
        try context.transaction(.immediate) {
            let (old, new) = (try context.prepare(sql: select), try context.prepare(sql: update))
            for number in data.sample {
                let key = data.keys[Int(number)]
                try old.bind(key, at: 1)
                guard try old.next() else { throw BenchmarkError(message: "\(key) is missing") }
                try body(old, data.ages[(Int(number) + 1) % data.ages.count], new)
                old.reset()
                try new.bind(key, at: 2)
                while try new.next() {}
                guard context.changes == 1 else { throw BenchmarkError(message: "\(key): as is") }
            }
        }
    }
}

// Reading.
extension PeerText {
    /// The sum over a column of people in the sample, as converted by `read`.
    func get(
        _ data: StoreData, _ column: String, _ read: (SQLStatement) throws -> Int
    ) throws -> Int {
        try context.transaction {
            let select = try context.prepare(sql: "SELECT \(column) FROM person WHERE key = ?")
            return try data.sample.reduce(0) { sum, number in
                try select.bind(data.keys[Int(number)], at: 1)
                defer { select.reset() }
                return try select.next() ? sum + read(select) : -1
            }
        }
    }

    /// The ages of all, in an SQL order.
    func walk(_ order: String) throws -> Int {
        try context.transaction {
            let select = try context.prepare(
                sql: "SELECT key, json_extract(body, '$.age') FROM person \(order)")
            var sum = 0
            while try select.next() { sum += Int(select.long(at: 1)) }
            return sum
        }
    }

    /// The text in the first column, parsed by Foundation.
    static func parsed(_ row: SQLStatement) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: row.blob(at: 0) ?? Data())
        guard let person = value as? [String: Any] else {
            throw BenchmarkError(message: "a person is not a dictionary")
        }
        return person
    }
}

// Queries through SQLite's C interface.
extension PeerText {
    static let keysOfState = "SELECT key FROM person WHERE \(state) = ?"
    static let keysOfName = "SELECT key \(ofName)"
    static let countOfName = "SELECT count(*) \(ofName)"
    private static let ofName = "FROM person WHERE \(last) = ? AND \(age) < \(QueryFiles.age)"
    static let keysOfPhone = "SELECT key FROM person WHERE \(phone) = ?"
    static let count = "SELECT count(*) FROM person"
    static let groupsOfState = "SELECT \(state), count(*) FROM person GROUP BY \(state)"
    static let birthdays = """
        SELECT json_extract(body, '$.birthday') FROM person
        ORDER BY json_extract(body, '$.birthday') LIMIT 100
        """
    static let likes = """
        SELECT taste.value, count(*) FROM person, json_each(person.body, '$.likes') AS taste
        GROUP BY taste.value
        """

    static func ask(
        _ query: BenchmarkQuery, _ sql: String, _ suffix: String = "",
        _ pass: @escaping (BaselineQuery) throws -> Int
    ) -> Workload {
        query.peer(name + suffix) {
            let directories = try directories.get()
            let path = query.isIndexed ? directories.indexed : directories.filled
            let asked = try BaselineQuery(sql, path: path, pragmas: PeerDirectories.pragmas)
            return { try pass(asked) }
        }
    }
}

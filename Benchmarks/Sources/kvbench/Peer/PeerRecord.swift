import Foundation
import GRDB

/// A person as a record of GRDB.
protocol PeerRecord: FetchableRecord, PersistableRecord {
    /// Its label in the names of workloads.
    static var who: String { get }
    static var columns: String { get }
    /// The expression for the state.
    static var stateColumn: SQLExpression { get }
    /// The expression for the family name.
    static var lastColumn: SQLExpression { get }
    static var directories: Result<PeerDirectories, any Error> { get }

    var age: Int { get set }

    init(_ key: String, _ person: StorePerson)
}

/// GRDB's usual way: columns for the properties, as JSON if they are not scalar.
struct PeerCodableRecord: PeerRecord, Codable {
    static let who = "GRDB, Codable record"
    static let databaseTableName = "person"
    static let columns = """
        key TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, gender TEXT NOT NULL,
        age INTEGER NOT NULL, birthday TEXT NOT NULL, contact TEXT NOT NULL, likes TEXT NOT NULL,
        memberSince TEXT NOT NULL, active BOOLEAN NOT NULL, score DOUBLE NOT NULL
        """
    /// A literal: GRDB's own functions bind the path as a parameter, so that SQLite would not use
    /// the index.
    static var stateColumn: SQLExpression {
        SQL(sql: "json_extract(contact, '$.address.state')").sqlExpression
    }
    static var lastColumn: SQLExpression { SQL(sql: "json_extract(name, '$.last')").sqlExpression }
    static let directories = Result { try PeerRecordFile<Self>.createDirectories("peer-codable") }

    var key: String
    var name: StorePerson.Name
    var gender: String
    var age: Int
    var birthday: String
    var contact: StorePerson.Contact
    var likes: [String]
    var memberSince: String
    var active: Bool
    var score: Double

    init(_ key: String, _ person: StorePerson) {
        self.key = key
        name = person.name
        gender = person.gender
        age = person.age
        birthday = person.birthday
        contact = person.contact
        likes = person.likes
        memberSince = person.memberSince
        active = person.active
        score = person.score
    }
}

/// Written by hand: a column for each value; a list is a string with one element per line.
struct PeerPlainRecord: PeerRecord {
    static let who = "GRDB, record by hand"
    static let databaseTableName = "person"
    static let columns = """
        key TEXT PRIMARY KEY NOT NULL, first TEXT NOT NULL, last TEXT NOT NULL,
        gender TEXT NOT NULL, age INTEGER NOT NULL, birthday TEXT NOT NULL, street TEXT NOT NULL,
        city TEXT NOT NULL, state TEXT NOT NULL, zip TEXT NOT NULL, email TEXT NOT NULL,
        phone TEXT NOT NULL, region TEXT NOT NULL, likes TEXT NOT NULL, memberSince TEXT NOT NULL,
        active BOOLEAN NOT NULL, score DOUBLE NOT NULL
        """
    static var stateColumn: SQLExpression { Column("state").sqlExpression }
    static var lastColumn: SQLExpression { Column("last").sqlExpression }
    static let directories = Result { try PeerRecordFile<Self>.createDirectories("peer-plain") }

    var key: String
    var person: StorePerson

    var age: Int {
        get { person.age }
        set { person.age = newValue }
    }

    init(_ key: String, _ person: StorePerson) {
        self.key = key
        self.person = person
    }

    /// By position, which is GRDB's fastest way.
    init(row: Row) {
        key = row[0]
        person = StorePerson(
            name: .init(first: row[1], last: row[2]), gender: row[3], age: row[4],
            birthday: row[5],
            contact: .init(
                address: .init(street: row[6], city: row[7], state: row[8], zip: row[9]),
                email: Self.list(row[10]), phone: Self.list(row[11]), region: row[12]),
            likes: Self.list(row[13]), memberSince: row[14], active: row[15], score: row[16])
    }

    func encode(to container: inout PersistenceContainer) {
        container["key"] = key
        container["first"] = person.name.first
        container["last"] = person.name.last
        container["gender"] = person.gender
        container["age"] = person.age
        container["birthday"] = person.birthday
        let address = person.contact.address
        container["street"] = address.street
        container["city"] = address.city
        container["state"] = address.state
        container["zip"] = address.zip
        container["email"] = person.contact.email.joined(separator: "\n")
        container["phone"] = person.contact.phone.joined(separator: "\n")
        container["region"] = person.contact.region
        container["likes"] = person.likes.joined(separator: "\n")
        container["memberSince"] = person.memberSince
        container["active"] = person.active
        container["score"] = person.score
    }

    private static func list(_ text: String) -> [String] {
        text.split(separator: "\n").map { String($0) }
    }
}

/// A table of such records, with the settings of the engine.
final class PeerRecordFile<Person: PeerRecord>: PeerFile {
    static var recount: String { "SELECT count(*), sum(age) FROM person" }
    static var directories: Result<PeerDirectories, any Error> { Person.directories }

    let queue: DatabaseQueue

    init(_ directory: String) throws {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.prepareDatabase { try $0.execute(sql: PeerDirectories.pragmas) }
        queue = try DatabaseQueue(path: directory + "/db.sqlite3", configuration: configuration)
    }

    func close() throws { try queue.close() }

    static func createDirectories(_ name: String) throws -> PeerDirectories {
        try PeerDirectories(name) { directory in
            let file = try Self(directory)
            try file.queue.write {
                try $0.execute(sql: "CREATE TABLE person (\(Person.columns))")
            }
            try file.close()
        } fill: { directory, data in
            let file = try Self(directory)
            try file.insert(data, 0..<data.keys.count)
            try file.close()
        } index: { directory in
            let file = try Self(directory)
            try file.queue.write {
                try $0.create(index: "byState", on: "person", expressions: [Person.stateColumn])
                try $0.create(
                    index: "byName", on: "person", expressions: [Person.lastColumn, Column("age")])
            }
            try file.close()
        }
    }
}

extension PeerRecordFile {
    /// Inserts people in one transaction.
    func insert(_ data: StoreData, _ numbers: Range<Int>) throws {
        try queue.write { database in
            for number in numbers {
                try Person(data.keys[number], data.persons[number]).insert(database)
            }
        }
    }

    func get(_ data: StoreData) throws -> Int {
        try queue.read { database in
            try data.sample.reduce(0) {
                $0 + (try Person.fetchOne(database, key: data.keys[Int($1)])?.age ?? -1)
            }
        }
    }

    /// Gets people with a cached statement, which `fetchOne(_:key:)` compiles each time.
    func getWithStatement(_ data: StoreData) throws -> Int {
        try queue.read { database in
            let select = try database.cachedStatement(sql: "SELECT * FROM person WHERE key = ?")
            return try data.sample.reduce(0) {
                let arguments: StatementArguments = [data.keys[Int($1)]]
                return $0 + (try Person.fetchOne(select, arguments: arguments)?.age ?? -1)
            }
        }
    }

    /// Iterates over all people.
    func walk() throws -> Int {
        try queue.read { database in
            let people = try Person.fetchCursor(database)
            var sum = 0
            while let person = try people.next() { sum += person.age }
            return sum
        }
    }

    /// Sets the age of people in the sample to that of the next one.
    func change(_ data: StoreData) throws {
        try queue.write { database in
            for number in data.sample.map({ Int($0) }) {
                guard var person = try Person.fetchOne(database, key: data.keys[number]) else {
                    throw BenchmarkError(message: "\(data.keys[number]) is missing")
                }
                person.age = data.ages[(number + 1) % data.ages.count]
                try person.update(database)
            }
        }
    }
}

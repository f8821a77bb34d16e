import GRDB

/// The queries of users of SQLite and GRDB, in the groups with the same names.
enum PeerQueries {
    /// The keys of the people of a state, without an index.
    static func keysOfState(_ query: BenchmarkQuery) -> [Workload] {
        [
            PeerText.ask(query, PeerText.keysOfState) { $0.sum(QueryFiles.state) },
            ask(query, PeerCodableRecord.self, keys),
            ask(query, PeerPlainRecord.self, keys),
            ask(query, PeerPlainRecord.self, ", whole") { database in
                try length(ofState(PeerPlainRecord.self).fetchAll(database).map(\.key))
            },
        ]
    }

    static func countOfAll(_ query: BenchmarkQuery) -> [Workload] {
        [
            PeerText.ask(query, PeerText.count) { $0.sum() },
            ask(query, PeerPlainRecord.self) { try PeerPlainRecord.fetchCount($0) },
        ]
    }

    /// The keys of the people with a name below an age, with an index.
    static func keysOfName(_ query: BenchmarkQuery) -> [Workload] {
        [
            PeerText.ask(query, PeerText.keysOfName) { $0.sum(QueryFiles.last) },
            ask(query, PeerCodableRecord.self, keysOfName),
            ask(query, PeerPlainRecord.self, keysOfName),
            ask(query, PeerPlainRecord.self, ", whole") { database in
                try length(ofName(PeerPlainRecord.self).fetchAll(database).map(\.key))
            },
        ]
    }

    static func countOfName(_ query: BenchmarkQuery) -> [Workload] {
        [
            PeerText.ask(query, PeerText.countOfName) { $0.sum(QueryFiles.last) },
            ask(query, PeerPlainRecord.self) {
                try ofName(PeerPlainRecord.self).fetchCount($0)
            },
        ]
    }

    static func groupsOfState(_ query: BenchmarkQuery) -> [Workload] {
        [
            PeerText.ask(query, PeerText.groupsOfState) { $0.sum() },
            ask(query, PeerCodableRecord.self, groups),
            ask(query, PeerPlainRecord.self, groups),
        ]
    }

    static func birthdays(_ query: BenchmarkQuery) -> [Workload] {
        [
            PeerText.ask(query, PeerText.birthdays) { $0.sum() },
            ask(query, PeerPlainRecord.self) { database in
                let birthday = Column("birthday")
                let first = PeerPlainRecord.select(birthday, as: String.self).order(birthday)
                return try length(first.limit(100).fetchAll(database))
            },
        ]
    }

    static func likes(_ query: BenchmarkQuery) -> [Workload] {
        [PeerText.ask(query, PeerText.likes) { $0.sum() }]
    }

    /// The keys of people with these phone numbers.
    static func keysOfPhones(
        _ query: BenchmarkQuery, _ phones: @escaping () -> [String]
    ) -> [Workload] {
        [
            PeerText.ask(query, PeerText.keysOfPhone) { asked in
                asked.snapshot { asked in phones().reduce(0) { $0 + asked.sum($1) } }
            }
        ]
    }
}

// With GRDB.
extension PeerQueries {
    private static func ask<Person: PeerRecord>(
        _ query: BenchmarkQuery, _: Person.Type, _ suffix: String = "",
        _ pass: @escaping (Database) throws -> Int
    ) -> Workload {
        query.peer(Person.who + suffix) {
            let directories = try Person.directories.get()
            let file = try PeerRecordFile<Person>(
                query.isIndexed ? directories.indexed : directories.filled)
            return { try file.queue.read(pass) }
        }
    }

    private static func ask<Person: PeerRecord>(
        _ query: BenchmarkQuery, _ type: Person.Type,
        _ pass: @escaping (Database, Person.Type) throws -> Int
    ) -> Workload {
        ask(query, type) { try pass($0, type) }
    }

    private static func ofState<Person: PeerRecord>(
        _: Person.Type
    ) -> QueryInterfaceRequest<Person> {
        Person.filter(Person.stateColumn == QueryFiles.state)
    }

    private static func ofName<Person: PeerRecord>(
        _: Person.Type
    ) -> QueryInterfaceRequest<Person> {
        Person.filter(Person.lastColumn == QueryFiles.last && Column("age") < QueryFiles.age)
    }

    private static func keysOfName<Person: PeerRecord>(
        _ database: Database, _ type: Person.Type
    ) throws -> Int {
        try length(ofName(type).select(Column("key"), as: String.self).fetchAll(database))
    }

    private static func keys<Person: PeerRecord>(
        _ database: Database, _ type: Person.Type
    ) throws -> Int {
        let keys = ofState(type).select(Column("key"), as: String.self)
        return try length(keys.fetchAll(database))
    }

    private static func groups<Person: PeerRecord>(
        _ database: Database, _ type: Person.Type
    ) throws -> Int {
        let state = Person.stateColumn
        let rows = try Person.select([state, count(Column.rowID)], as: Row.self).group(state)
            .fetchCursor(database)
        var sum = 0
        while let row = try rows.next() {
            let (state, count): (String, Int) = (row[0], row[1])
            sum += state.utf8.count + count
        }
        return sum
    }

    private static func length(_ texts: [String]) -> Int {
        texts.reduce(0) { $0 + $1.utf8.count }
    }
}

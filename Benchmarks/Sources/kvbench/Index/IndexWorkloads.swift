import DocumentStore
import Foundation
import SQLCore

/// Indexes through the engine's interface: created, maintained by changes, searched.
enum IndexWorkloads {
    static func groups() -> [[Workload]] { [creations, insertions, updates] }

    private static var creations: [Workload] {
        let (kinds, texts) = (IndexFiles.peopleIndexes, IndexFiles.textCount)
        return [
            plain(
                "index: create, value: SQLite, a column", "DROP INDEX IF EXISTS i",
                "CREATE INDEX i ON plain (state)", .ofState),
            creation("index: create, value", kinds[0], .ofState),
            plain(
                "index: create, array: SQLite, a table of elements",
                "DROP TABLE IF EXISTS each",
                IndexFiles.createEach + "INSERT INTO each SELECT docid, i, body FROM elements;"
                    + "CREATE INDEX byLikes ON each (body)", .ofLike),
            creation("index: create, array", kinds[4], .ofLike),
            plain(
                "index: create, words: SQLite, unicode61", "DROP TABLE IF EXISTS words",
                IndexFiles.createWords
                    + "INSERT INTO words (docid, street) SELECT id, street FROM plain", .ofStreet),
            creation("index: create, words", kinds[3], .ofStreet),
            plain(
                "index: create, words of texts: SQLite, unicode61", "DROP TABLE IF EXISTS w",
                "CREATE VIRTUAL TABLE w USING fts4(text, tokenize=unicode61);"
                    + "INSERT INTO w (docid, text) SELECT id, text FROM texts", .ofWord, texts),
            creation("index: create, words of texts", IndexFiles.textIndex, .ofWord, .texts, texts),
        ].enumerated().map { index, workload in
            index % 2 == 0 ? workload : workload.beside(Self.baselineNames[index / 2])
        }
    }

    private static let baselineNames = [
        "index: create, value: SQLite, a column",
        "index: create, array: SQLite, a table of elements",
        "index: create, words: SQLite, unicode61",
        "index: create, words of texts: SQLite, unicode61",
    ]

    private static func plain(
        _ name: String, _ before: String, _ sql: String, _ check: IndexCheck,
        _ count: Int = StoreData.count
    ) -> Workload {
        Workload(name) {
            _ = try IndexFiles.get()
            let path = try IndexFiles.copy(of: IndexFiles.path(.plain))
            let context = try IndexFiles.open(path)
            var prepared = Workload.Prepared(
                .items(count), setUp: { try context.exec(sql: before) },
                tearDown: { try check.require(in: context, name) }
            ) {
                try context.transaction { try context.exec(sql: sql) }
                return 1
            }
            prepared.path = { path }
            return prepared
        }
    }

    private static func creation(
        _ name: String, _ spec: IndexSpec, _ check: IndexCheck,
        _ template: IndexFiles.Template? = nil, _ count: Int = StoreData.count
    ) -> Workload {
        Workload(name) {
            _ = try IndexFiles.get()
            let source = template.map(IndexFiles.path) ?? StoreData.path(.filled)
            let path = try IndexFiles.copy(of: source)
            let file = try DataFile(path: path, options: StoreData.options(.readWrite))
            let people = StoreWorkloads.people
            var prepared = Workload.Prepared(
                .items(count),
                setUp: { _ = try file.write { try people.deleteIndex(spec.name, in: $0) } },
                tearDown: { try check.require(in: file, name) }
            ) {
                guard try file.write({ try people.createIndex(spec, in: $0) }) else {
                    throw BenchmarkError(message: "\(name): the index is empty")
                }
                return 1
            }
            prepared.path = { path }
            return prepared
        }
    }
}

// Changes of documents with indexes, each pass on a new copy of the file.
extension IndexWorkloads {
    private final class State {
        var path = ""
        var file: DataFile?
        var context: SQLContext?
        var isChecked = false
    }

    /// - Parameter ages: the expected sum of the ages of all people in the file at the end.
    private static func fresh(
        _ name: String, baseline: String? = nil, _ template: IndexFiles.Template, isPlain: Bool,
        count: Int, ages: @escaping (StoreData) -> Int,
        _ pass: @escaping (State, StoreData) throws -> Void
    ) -> Workload {
        Workload(name, baseline: baseline) {
            let data = try StoreData.get()
            _ = try IndexFiles.get()
            let state = State()
            var prepared = Workload.Prepared(
                .items(StoreData.sampleCount),
                setUp: {
                    state.path = try IndexFiles.copy(of: IndexFiles.path(template))
                    if isPlain {
                        state.context = try IndexFiles.open(state.path)
                    } else {
                        state.file = try DataFile(
                            path: state.path, options: StoreData.options(.readWrite))
                    }
                },
                tearDown: {
                    if !state.isChecked { try check(state, name, count, ages(data)) }
                    state.isChecked = true
                    state.file?.close()
                    (state.file, state.context) = (nil, nil)
                }
            ) {
                try pass(state, data)
                return 1
            }
            prepared.path = { state.path }
            prepared.removeFile = { try FileManager.default.removeItem(atPath: state.path) }
            return prepared
        }
    }

    /// Indexes must find what they would find in the first `count` people.
    private static func check(_ state: State, _ name: String, _ count: Int, _ ages: Int) throws {
        for check in [IndexCheck.ofState, .ofLike, .ofStreet] {
            if let file = state.file { try check.require(in: file, name, count) }
            if let context = state.context {
                try check.require(in: context, name, count, index: "byState")
            }
        }
        let found = try (
            state.file?.read { snapshot in
                try Query("SELECT COUNT(*), SUM(age) FROM _").rows(in: snapshot).next()
                    .map { [$0[0].int ?? -1, $0[1].int ?? -1] }
            },
            state.context?.selectAll(sql: "SELECT count(*), sum(age) FROM plain").first
                .map { $0.map { $0.longValue ?? -1 } }
        )
        try Recount.require(found.0 ?? found.1 ?? [], [Int64(count), Int64(ages)], name)
    }

    private static var updates: [Workload] {
        let name = "index: read at random, change, save, with five"
        let baseline = name + ": SQLite, plain columns"
        return [
            fresh(
                baseline, .plainIndexed, isPlain: true, count: StoreData.count,
                ages: \.shiftedAgeSum
            ) { state, data in
                guard let context = state.context else { return }
                try context.transaction {
                    for number in data.sample { try updatePlain(context, Int(number), data) }
                }
            },
            fresh(
                name, baseline: baseline, .indexed, isPlain: false, count: StoreData.count,
                ages: \.shiftedAgeSum
            ) { state, data in
                _ = try state.file?.write { transaction in
                    for number in data.sample { try update(Int(number), data, transaction) }
                }
            },
        ]
    }

    private static func updatePlain(
        _ context: SQLContext, _ number: Int, _ data: StoreData
    ) throws {
        try context.withStatement(sql: "SELECT body FROM plain WHERE key = ?") { statement in
            try statement.bind(data.keys[number], at: 1)
            guard try statement.next() else { throw BenchmarkError(message: "missing") }
        }
        // All columns are listed, so that each index is updated, as an index on an expression is.
        try context.withStatement(
            sql: """
                UPDATE plain SET body = ?1, age = ?2, sequence = ?3, state = state, last = last,
                  first = first, street = street WHERE key = ?4
                """
        ) { statement in
            let next = (number + 1) % StoreData.count
            try (data.inserts[next].body ?? []).withUnsafeBytes { try statement.bind($0, at: 1) }
            try statement.bind(Int64(data.ages[next]), at: 2)
            try statement.bind(Int64(StoreData.count + number), at: 3)
            try statement.bind(data.keys[number], at: 4)
            while try statement.next() {}
        }
    }

    private static func update(
        _ number: Int, _ data: StoreData, _ transaction: Transaction
    ) throws {
        let key = data.keys[number]
        guard var person = try StoreWorkloads.people.get(key, in: transaction)?.mutableCopy()
        else { throw BenchmarkError(message: "\(key) is missing") }
        person["age"] = .int(Int64(data.ages[(number + 1) % StoreData.count]))
        guard try StoreWorkloads.people.save(&person, in: transaction).saved != nil else {
            throw BenchmarkError(message: "\(key) has been changed")
        }
    }

    private static var insertions: [Workload] {
        let (name, count) = ("index: insert in one transaction, with five", StoreData.sampleCount)
        let baseline = name + ": SQLite, plain columns"
        return [
            fresh(
                baseline, .plainIndexedEmpty, isPlain: true, count: count,
                ages: { $0.ageSum(first: count) }
            ) { state, _ in
                guard let context = state.context else { return }
                try context.transaction { try insertPlain(context) }
            },
            fresh(
                name, baseline: baseline, .indexedEmpty, isPlain: false, count: count,
                ages: { $0.ageSum(first: count) }
            ) { state, data in
                _ = try state.file?.write { transaction in
                    for number in 0..<StoreData.sampleCount {
                        let json = data.json[number]
                        _ = try StoreWorkloads.people.save(data.keys[number], in: transaction) {
                            try $0.writeJSON(json)
                        }
                    }
                }
            },
        ]
    }

    /// Row by row, with the values from a table that represents the caller.
    private static func insertPlain(_ context: SQLContext) throws {
        let sql = """
            INSERT INTO plain SELECT id, key, sequence, state, age, last, first, street, body
            FROM source WHERE id = ?
            """
        for number in 0..<StoreData.sampleCount {
            try context.withStatement(sql: sql) { statement in
                try statement.bind(Int64(number + 1), at: 1)
                while try statement.next() {}
            }
        }
    }
}

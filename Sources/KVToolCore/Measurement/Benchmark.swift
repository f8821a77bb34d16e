package import DocumentStore
internal import SampleData

/// Benchmarks of tasks on a database.
package struct Benchmark {
    /// The result of a task.
    package struct Result: Sendable {
        package let task: String
        /// The number of documents that were processed.
        package let count: Int
        package let seconds: Double
    }

    package let file: DataFile
    package let collection: DocumentCollection
    /// The number of documents per task.
    package let count: Int
    /// The seed for the documents, and for the order of lookups.
    package let seed: UInt64

    package init(file: DataFile, collection: DocumentCollection, count: Int, seed: UInt64) {
        self.file = file
        self.collection = collection
        self.count = count
        self.seed = seed
    }

    /// Fills a new database, updates all documents, and creates an index.
    package func writing() throws -> [Result] {
        let people = Array(People(count: count, seed: seed))
        // Other documents with the same IDs.
        let others = Array(People(count: count, seed: seed &+ 1))
        let insert = try measure("insert") {
            try file.write { transaction in
                for person in people { try save(person, transaction) }
            }
            return people.count
        }
        let update = try measure("update") {
            try file.write { transaction in
                for person in others { try save(person, transaction) }
            }
            return others.count
        }
        let index = try measure("index") {
            try file.write { transaction in
                let spec = IndexSpec("bench", .value, on: "age")
                _ = try collection.createIndex(spec, in: transaction) { _ in
                    !Interruption.isRequested
                }
            }
            return people.count
        }
        return [insert, update, index]
    }

    /// Reads the documents of the collection.
    package func reading() throws -> [Result] {
        try file.read { snapshot in
            let ids = try keys(snapshot)
            let get = try measure("get") {
                var generator = SeededGenerator(seed: seed)
                guard !ids.isEmpty else { return 0 }
                for _ in 0..<count {
                    try Interruption.check()
                    _ = try collection.get(generator.pick(ids), in: snapshot)
                }
                return count
            }
            let scan = try measure("scan") {
                var found = 0
                try collection.forEach(options, in: snapshot) { _ in
                    try Interruption.check()
                    found += 1
                }
                return found
            }
            let export = try measure("export") {
                var sink: any DocumentSink = DiscardingSink()
                var exporter = Exporter(collection: collection)
                exporter.limit = count
                exporter.isQuiet = true
                return try exporter.run(snapshot, into: &sink).count
            }
            let query = try measure("query") {
                let rows = try Query("SELECT META().id FROM \(source) LIMIT \(count)")
                    .rows(in: snapshot)
                var found = 0
                while try rows.next() != nil {
                    try Interruption.check()
                    found += 1
                }
                return found
            }
            return [get, scan, export, query]
        }
    }

    /// The collection in the syntax of a query.
    private var source: String { "`\(collection.name.scope)`.`\(collection.name.name)`" }

    private var options: RecordEnumerator.Options {
        var options = RecordEnumerator.Options()
        options.limit = count
        return options
    }

    private func save(_ person: String, _ transaction: Transaction) throws {
        try Interruption.check()
        var person = person
        _ = try person.withUTF8 { text in
            try collection.save(in: transaction) {
                try $0.writeJSON(UnsafeRawBufferPointer(text), lifting: "_id")
            }
        }
    }

    private func keys(_ snapshot: Snapshot) throws -> [String] {
        var options = options
        options.content = .metadata
        var keys: [String] = []
        try collection.records(options, in: snapshot).forEachRow {
            keys.append($0.key)
            return true
        }
        return keys
    }

    private func measure(_ task: String, _ body: () throws -> Int) rethrows -> Result {
        let began = System.nanoseconds
        let count = try body()
        return Result(
            task: task, count: count, seconds: Double(System.nanoseconds - began) / 1e9)
    }
}

/// A sink that discards documents.
private struct DiscardingSink: DocumentSink {
    mutating func write(_ json: borrowing JSONText, id: String) throws {}
    mutating func finish() throws {}
}

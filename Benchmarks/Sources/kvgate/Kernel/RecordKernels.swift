import BenchmarkGate
import DocumentStore

/// Records and documents of a file in memory.
enum RecordKernels {
    static var all: [Kernel] {
        [
            recordGet, documentGet, walk, recordInsert, documentSave, readTransaction,
            writeTransaction,
        ]
    }

    /// The number of records written in a transaction, which is a pass.
    private static let batch = 250

    /// By random keys, all in one snapshot, with one property.
    private static var recordGet: Kernel {
        Kernel("record-get", items: GateData.count, passes: 5, usesSQLite: true) { place in
            let data = GateData()
            let file = try data.filledFile("filled", in: place)
            let ids = data.ids
            let keys = GateData.shuffled.map { ids[$0] }
            return Kernel.Prepared(expected: data.ageSum) {
                try file.read { snapshot in
                    var age = FleeceKey("age")
                    var sum = 0
                    for key in keys {
                        let record = try GateData.store.get(key, in: snapshot)
                        let document = try FleeceDocument(
                            trusted: record?.body ?? [], sharedKeys: snapshot.sharedKeys)
                        sum &+= document.withUnsafeRoot {
                            Int($0.dictionary?.value(&age)?.int ?? -1)
                        }
                    }
                    return sum
                }
            }
        }
    }

    private static var documentGet: Kernel {
        Kernel("document-get", items: GateData.count, passes: 5, usesSQLite: true) { place in
            let data = GateData()
            let file = try data.filledFile("filled", in: place)
            let ids = data.ids
            let keys = GateData.shuffled.map { ids[$0] }
            return Kernel.Prepared(expected: data.ageSum) {
                try file.read { snapshot in
                    var sum = 0
                    for key in keys {
                        let document = try GateData.collection.get(key, in: snapshot)
                        sum &+= Int(document?["age"]?.int ?? -1)
                    }
                    return sum
                }
            }
        }
    }

    /// All records in storage order, with one property.
    private static var walk: Kernel {
        Kernel("record-walk", items: GateData.count, passes: 10, usesSQLite: true) { place in
            let data = GateData()
            let file = try data.filledFile("filled", in: place)
            var options = RecordEnumerator.Options()
            options.order = .unsorted
            options.content = .body
            return Kernel.Prepared(expected: data.ageSum) { [options] in
                var age = FleeceKey("age")
                var sum = 0
                try file.read { snapshot in
                    try GateData.store.records(options, in: snapshot).forEachRow { row in
                        try row.withProperties { sum &+= Int($0?.value(&age)?.int ?? -1) }
                        return true
                    }
                }
                return sum
            }
        }
    }

    /// Snapshots in which nothing is read.
    private static var readTransaction: Kernel {
        Kernel("read-transaction", items: GateData.count, passes: 5, usesSQLite: true) { place in
            let file = try GateData().filledFile("filled", in: place)
            return Kernel.Prepared(expected: GateData.count) {
                var count = 0
                for _ in 0..<GateData.count { count += try file.read { _ in 1 } }
                return count
            }
        }
    }

    /// Transactions in which nothing is written.
    private static var writeTransaction: Kernel {
        Kernel("write-transaction", items: GateData.count, passes: 5, usesSQLite: true) { place in
            let data = GateData()
            let file = try GateData.makeFile("written", in: place)
            _ = try addKeys(data, to: file)
            return Kernel.Prepared(expected: GateData.count) {
                var count = 0
                for _ in 0..<GateData.count { count += try file.write { _ in 1 } }
                return count
            }
        }
    }

    /// New records whose bodies are already encoded; each transaction with its commit.
    private static var recordInsert: Kernel {
        writing("record-insert", knowsKeys: true) { data, place in
            let updates = try updates(data, in: place)
            return { number, transaction in
                guard
                    case .saved(let sequence, _) = try GateData.store.put(
                        updates[number], in: transaction)
                else { throw GateError("\(updates[number].key) was not saved") }
                return sequence
            }
        }
    }

    /// New documents of JSON; each transaction with its commit.
    private static var documentSave: Kernel {
        writing("document-save") { data, _ in
            let (ids, bodies) = (data.ids, data.bodies)
            return { number, transaction in
                try GateData.collection.save(ids[number], in: transaction) {
                    try $0.writeJSON(bodies[number])
                }.sequence
            }
        }
    }

    /// Each pass writes the next people to a file that is empty at first; `write` returns the
    /// sequence of one. The passes end with the people.
    ///
    /// - Parameter knowsKeys: whether the file already has the shared keys.
    private static func writing(
        _ name: String, knowsKeys: Bool = false,
        _ prepare: @escaping (GateData, Kernel.Place) throws -> (Int, Transaction) throws -> Int64
    ) -> Kernel {
        let passes = GateData.count / batch / 2
        return Kernel(name, items: batch, passes: passes, usesSQLite: true) { place in
            let data = GateData()
            let write = try prepare(data, place)
            let file = try GateData.makeFile("written", in: place)
            let used = knowsKeys ? try addKeys(data, to: file) : 0
            return Kernel.Prepared {
                // The sequences of a pass are consecutive.
                batch * ($0 * batch + used) + batch * (batch + 1) / 2
            } verify: {
                try data.verify(file, holds: $0 * batch)
            } pass: { pass in
                try file.write { transaction in
                    var sum = 0
                    for number in pass * batch..<(pass + 1) * batch {
                        sum &+= Int(try write(number, transaction))
                    }
                    return sum
                }
            }
        }
    }

    /// Adds the keys of the people to the shared ones of a file; returns the number of sequences
    /// used.
    private static func addKeys(_ data: GateData, to file: DataFile) throws -> Int {
        try file.write { transaction in
            let saved = try GateData.collection.save(data.ids[0], in: transaction) {
                try $0.writeJSON(data.bodies[0])
            }
            try GateData.store.purge(data.ids[0], in: transaction)
            return Int(saved.sequence)
        }
    }

    private static func updates(
        _ data: GateData, in place: Kernel.Place
    ) throws -> [RecordUpdate] {
        let file = try data.filledFile("filled", in: place)
        defer { file.close() }
        return try file.read { snapshot in
            try data.ids.map { id in
                guard let record = try GateData.store.get(id, in: snapshot) else {
                    throw GateError("\(id) is missing")
                }
                return RecordUpdate(
                    id, version: record.version, body: record.body, expecting: .absent)
            }
        }
    }
}

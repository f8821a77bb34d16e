import BenchmarkGate
import DocumentStore
@_spi(Measuring) import QueryFunctions
import SQLCore

/// Functions that SQL calls, and queries.
enum QueryKernels {
    static var all: [Kernel] { [scan, cachedQuery, indexLookup, compilation] }

    /// The number of queries in a pass.
    private static let queries = 250

    /// `fl_value` of each row, compared with a parameter, without an index or a cache.
    private static var scan: Kernel {
        Kernel("fl-value", items: GateData.count, passes: 10, usesSQLite: true) { place in
            let data = GateData()
            let file = try data.filledFile("filled", in: place)
            let sharedKeys = try file.read { $0.sharedKeys }
            file.close()
            let context = try SQLContext(path: file.path + "/db.sqlite3")
            try context.registerDocumentFunctions(sharedKeys: sharedKeys)
            let statement = try context.prepare(
                sql: """
                    SELECT count(*) FROM kv_default
                    WHERE fl_value(body, 'contact.address.state') = ?
                    """)
            let expected = data.states.count { $0 == "TX" }
            guard expected > 0 else { throw GateError("there is no person in TX") }
            return Kernel.Prepared(expected: expected) {
                var count: Int64 = 0
                try statement.bind("TX", at: 1)
                while try statement.next() { count = statement.long(at: 0) }
                statement.reset()
                return Int(count)
            }
        }
    }

    /// A query found again by its text in the cache: a document by its id.
    private static var cachedQuery: Kernel {
        Kernel("query-cached", items: queries, passes: 4, usesSQLite: true) { place in
            let data = GateData()
            let file = try data.filledFile("filled", in: place)
            let wanted = Array(data.ids.prefix(queries))
            return Kernel.Prepared(expected: queries) {
                try file.read { snapshot in
                    var found = 0
                    for id in wanted {
                        let query = try Query("SELECT META().id FROM _ WHERE META().id = $id")
                        let rows = try query.rows(in: snapshot, ["id": .string(id)])
                        while let row = try rows.next() { found += row[0].string == id ? 1 : -1 }
                    }
                    return found
                }
            }
        }
    }

    /// One row by an index, with a reused query.
    private static var indexLookup: Kernel {
        Kernel("index-lookup", items: queries, passes: 4, usesSQLite: true) { place in
            let data = GateData()
            let file = try data.filledFile("filled", in: place)
            try file.write { transaction in
                _ = try GateData.collection.createIndex(
                    .value("byPhone", on: "contact.phone[0]"), in: transaction)
            }
            let wanted = Array(zip(data.ids, data.phones).prefix(queries))
            guard Set(data.phones).count == GateData.count else {
                throw GateError("people share a telephone")
            }
            let query = try Query("SELECT META().id FROM _ WHERE contact.phone[0] = $phone")
            return Kernel.Prepared(expected: queries) {
                try file.read { snapshot in
                    var found = 0
                    for (id, phone) in wanted {
                        let rows = try query.rows(in: snapshot, ["phone": .string(phone)])
                        while let row = try rows.next() { found += row[0].string == id ? 1 : -1 }
                    }
                    return found
                }
            }
        }
    }

    /// Parsing, translating and compiling a query whose text is new, with an index that serves it.
    private static var compilation: Kernel {
        Kernel("query-compile", items: queries, passes: 2, usesSQLite: true) { place in
            let file = try GateData().filledFile("filled", in: place)
            try file.write { transaction in
                _ = try GateData.collection.createIndex(
                    .value("byState", on: "contact.address.state"), in: transaction)
            }
            var last = 0
            return Kernel.Prepared(expected: queries) {
                try file.read { snapshot in
                    var found = 0
                    for _ in 0..<queries {
                        last += 1
                        let query = try Query(
                            """
                            SELECT META().id, name.last FROM _ WHERE contact.address.state = $state
                            AND age > \(last) ORDER BY name.last LIMIT 10
                            """)
                        found += try query.columnNames(in: snapshot).count / 2
                    }
                    return found
                }
            }
        }
    }
}

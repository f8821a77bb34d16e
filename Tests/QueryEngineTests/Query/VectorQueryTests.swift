import DataFileCore
import FleeceLite
import QueryEngine
import QueryFunctions
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing
import VectorIndex

@Suite("APPROX_VECTOR_DISTANCE")
struct VectorQueryTests {
    private let store: TemporaryStore
    private let collection = DocumentCollection(.default)

    /// Documents on a line: `p1` is at 1, `p2` at 2, …, each at 0 in the other direction.
    init() throws {
        store = try TemporaryStore()
        try store.file.write { transaction in
            for number in 1...20 {
                _ = try collection.save("p\(number)", in: transaction) {
                    try $0.writeJSON(
                        """
                        {"at": [\(number), 0], "number": \(number), "isEven": \(number % 2 == 0),
                         "text": "\(number % 5 == 0 ? "five" : "other")"}
                        """)
                }
            }
            _ = try collection.save("none", in: transaction) { try $0.writeJSON("{}") }
        }
    }

    private func createIndex(
        _ options: VectorIndexOptions = .init(dimensions: 2, encoding: .none),
        where condition: String? = nil
    ) throws {
        let spec = IndexSpec.vector("byPlace", on: "at", options, where: condition)
        try store.file.write { _ = try collection.createIndex(spec, in: $0) }
    }

    private func rows(
        _ text: String, _ parameters: QueryParameters = [:]
    ) throws -> [String] {
        try store.file.read { snapshot in
            try Query(text).rows(in: snapshot, parameters).all().map { row in
                (0..<row.count).map { "\(row[$0])" }.joined(separator: " ")
            }
        }
    }

    private func ids(_ text: String, _ parameters: QueryParameters = [:]) throws -> [String] {
        try store.file.read { snapshot in
            try Query("SELECT META(d).id FROM _ AS d " + text).rows(in: snapshot, parameters).all()
                .map { $0[0].string ?? "" }
        }
    }

    private let distance = "APPROX_VECTOR_DISTANCE(d.at, [7, 0])"

    @Test("orders documents by their distance from a vector")
    func order() throws {
        try createIndex()
        #expect(
            try ids("ORDER BY \(distance), META(d).id LIMIT 5") == ["p7", "p6", "p8", "p5", "p9"])
        #expect(try ids("ORDER BY \(distance), META(d).id LIMIT 2 OFFSET 1") == ["p6", "p8"])
    }

    @Test("is a value like others: the square of the distance, unless the index has another metric")
    func value() throws {
        try createIndex()
        let found = try store.file.read { snapshot in
            try Query("SELECT \(distance) FROM _ AS d ORDER BY \(distance) LIMIT 3")
                .rows(in: snapshot).all().map { $0[0].double ?? -1 }
        }
        #expect(found == [0, 1, 1])
    }

    @Test(
        "is in the metric of the index",
        arguments: [
            (VectorMetric.euclidean, 3.0), (.euclideanSquared, 9), (.cosine, 0), (.dot, -70),
        ])
    func metrics(metric: VectorMetric, expected: Double) throws {
        try createIndex(.init(dimensions: 2, metric: metric, encoding: .none))
        let found = try store.file.read { snapshot in
            try Query("SELECT \(distance) FROM _ AS d WHERE number = 10").rows(in: snapshot).all()
                .map { $0[0].double ?? -1 }
        }
        #expect(found.count == 1 && abs(found[0] - expected) < 1e-4)
        let other = metric == .dot ? "cosine" : "dot"
        #expect(throws: StoreError.self) {
            try ids("ORDER BY APPROX_VECTOR_DISTANCE(d.at, [7, 0], '\(other)') LIMIT 1")
        }
    }

    @Test("with other conditions finds the nearest of the documents that meet them")
    func conditions() throws {
        try createIndex()
        #expect(
            try ids("WHERE d.isEven = TRUE ORDER BY \(distance), META(d).id LIMIT 2")
                == ["p6", "p8"])
        #expect(
            try ids("WHERE d.number > 100 ORDER BY \(distance) LIMIT 3").isEmpty)
        #expect(
            try ids("WHERE d.number < 5 AND \(distance) < 20 ORDER BY \(distance) LIMIT 9")
                == ["p4", "p3"])
        // Not ordered by the distance: all that meet the condition.
        #expect(try ids("WHERE d.number < 4 AND \(distance) > 0 ORDER BY d.number").count == 3)
    }

    @Test("is not limited before groups and other orders")
    func groups() throws {
        try createIndex()
        let text = """
            SELECT isEven, MIN(APPROX_VECTOR_DISTANCE(at, [7, 0])) FROM _ WHERE number > 0
            GROUP BY isEven ORDER BY isEven LIMIT 2
            """
        #expect(try rows(text).count == 2)
        #expect(
            try ids("WHERE d.number > 0 ORDER BY \(distance) DESC LIMIT 1") == ["p20"])
    }

    @Test("combines with full-text search")
    func words() throws {
        try createIndex()
        try store.file.write { transaction in
            _ = try collection.createIndex(.fullText("byText", on: "text"), in: transaction)
        }
        #expect(
            try ids("WHERE MATCH(byText, 'five') ORDER BY \(distance) LIMIT 2") == ["p5", "p10"])
    }

    @Test("combines with full-text search by the ranks in both")
    func ranks() throws {
        try createIndex()
        try store.file.write { transaction in
            _ = try collection.createIndex(.fullText("byText", on: "text"), in: transaction)
        }
        // Of those with the word, p5 is the second nearest to 4; p4 is the nearest.
        let fused = """
            WITH words AS (
                   SELECT META(d).id AS id, RANK(byText) AS score FROM _ AS d
                   WHERE MATCH(byText, $words) ORDER BY RANK(byText) DESC, META(d).id LIMIT 50),
                 nearest AS (
                   SELECT META(d).id AS id, APPROX_VECTOR_DISTANCE(d.at, $vector) AS distance
                   FROM _ AS d ORDER BY APPROX_VECTOR_DISTANCE(d.at, $vector) LIMIT 5)
            SELECT u.id, SUM(1 / (60 + u.place)) AS score
            FROM (SELECT w.id AS id, ROW_NUMBER() OVER (ORDER BY w.score DESC, w.id) AS place
                  FROM words AS w
                  UNION ALL
                  SELECT n.id AS id, ROW_NUMBER() OVER (ORDER BY n.distance) AS place
                  FROM nearest AS n) AS u
            GROUP BY u.id ORDER BY score DESC, u.id LIMIT 3
            """
        let found = try store.file.read { snapshot in
            try Query(fused).rows(
                in: snapshot,
                ["words": .string("five"), "vector": try QueryValue(json: "[4.1, 0]")]
            ).all().map { ($0[0].string ?? "", $0[1].double ?? 0) }
        }
        // With the word: p10, p15, p20, p5. Nearest: p4, p5, p3, p6, p2.
        #expect(found.map(\.0) == ["p5", "p10", "p4"])
        #expect(abs(found[0].1 - (1.0 / 64 + 1.0 / 62)) < 1e-9)
        #expect(abs(found[1].1 - 1.0 / 61) < 1e-9)
    }

    @Test("the expression can be a prediction, which is made for each change of a document")
    func prediction() throws {
        PredictiveModels.register(PlaceModel(), as: "vector_query_embedding")
        defer { PredictiveModels.unregister("vector_query_embedding") }
        let prediction = "PREDICTION('vector_query_embedding', {'number': number}, .vector)"
        try store.file.write { transaction in
            _ = try collection.createIndex(
                .vector(
                    "byModel", on: .sqlPlusPlus(prediction), .init(dimensions: 2, encoding: .none)),
                in: transaction)
            _ = try collection.save("new", in: transaction) { try $0.writeJSON(#"{"number": 6}"#) }
        }
        let found = try rows(
            """
            SELECT META().id, APPROX_VECTOR_DISTANCE(\(prediction), [0, -6.4]) AS distance FROM _
            ORDER BY APPROX_VECTOR_DISTANCE(\(prediction), [0, -6.4]), META().id LIMIT 3
            """)
        let ids = found.map { $0.split(separator: " ")[0] }
        #expect(ids == ["string(\"new\")", "string(\"p6\")", "string(\"p7\")"], "\(found)")
    }

    @Test("is an error without an index, in OR, and without LIMIT or another condition")
    func errors() throws {
        #expect(throws: StoreError.self) { try ids("ORDER BY \(distance) LIMIT 1") }
        try createIndex()
        #expect(throws: StoreError.self) { try ids("ORDER BY \(distance)") }
        #expect(throws: StoreError.self) {
            try ids("WHERE \(distance) < 1 OR d.number = 1 ORDER BY d.number LIMIT 1")
        }
        for vector in ["[1, 2, 3]", "'text'", "NULL", "[1, 'x']"] {
            #expect(throws: (any Error).self) {
                try ids("ORDER BY APPROX_VECTOR_DISTANCE(d.at, \(vector)) LIMIT 1")
            }
        }
    }

    @Test("takes the vector as a parameter: an array, the bytes, or their Base64")
    func parameters() throws {
        try createIndex()
        let text = "ORDER BY APPROX_VECTOR_DISTANCE(d.at, $vector), META(d).id LIMIT 2"
        let bytes = [Float(3), 0].flatMap { number in
            withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) }
        }
        #expect(try ids(text, ["vector": .data(bytes)]) == ["p3", "p2"])
        #expect(try ids(text, ["vector": "AABAQAAAAAA="]) == ["p3", "p2"])
    }

    @Test("sees what a transaction has written, before and after it is indexed")
    func changes() throws {
        try createIndex()
        let nearest = "ORDER BY \(distance), META(d).id LIMIT 2"
        try store.file.write { transaction in
            _ = try collection.save("new", in: transaction) { try $0.writeJSON(#"{"at": [7, 0]}"#) }
            _ = try collection.delete("p7", in: transaction)
            let found = try Query("SELECT META(d).id FROM _ AS d " + nearest)
                .rows(in: transaction).all().map { $0[0].string ?? "" }
            #expect(found == ["new", "p6"])
        }
        #expect(try ids(nearest) == ["new", "p6"])
        struct Undone: Error {}
        #expect(throws: Undone.self) {
            try store.file.write { transaction in
                _ = try collection.delete("new", in: transaction)
                throw Undone()
            }
        }
        #expect(try ids(nearest) == ["new", "p6"])
    }

    @Test("leaves out documents whose value is not a vector of the index's dimensions")
    func invalidVectors() throws {
        try createIndex()
        try store.file.write { transaction in
            for (number, value) in [
                "[1]", "[1, 2, 3]", "\"text\"", "null", "[1, \"x\"]", "{}", "7", "\"AAAA\"",
            ].enumerated() {
                _ = try collection.save("bad\(number)", in: transaction) {
                    try $0.writeJSON("{\"at\": \(value)}")
                }
            }
            _ = try collection.save("text", in: transaction) {
                try $0.writeJSON(#"{"at": "AABAQAAAAAA="}"#)
            }
        }
        let all = try ids("WHERE \(distance) >= 0 ORDER BY d.number LIMIT 100")
        #expect(all.count == 21 && all.contains("text"))
    }

    @Test("finds only documents of a partial index")
    func partial() throws {
        try createIndex(where: "isEven = TRUE")
        #expect(try ids("ORDER BY \(distance), META(d).id LIMIT 2") == ["p6", "p8"])
        try store.file.write { transaction in
            var document = try #require(try collection.get("p6", in: transaction)).mutableCopy()
            document["isEven"] = false
            _ = try collection.save(&document, in: transaction)
        }
        #expect(try ids("ORDER BY \(distance), META(d).id LIMIT 2") == ["p8", "p4"])
    }

    @Test("is current after a program has written that has no functions of this one")
    func otherPrograms() throws {
        try createIndex()
        let context = try SQLContext(path: store.path + "/db.sqlite3", flags: .readWrite)
        // A plain SQLite program changes bodies, and deletes documents.
        try context.exec(sql: "DELETE FROM kv_default WHERE key = 'p7'")
        try context.exec(
            sql: """
                UPDATE kv_default SET body = (SELECT body FROM kv_default WHERE key = 'p6')
                WHERE key = 'p20'
                """)
        try context.close()
        let nearest = "ORDER BY \(distance), META(d).id LIMIT 3"
        #expect(try ids(nearest) == ["p20", "p6", "p8"])
        // The next write of this program indexes them.
        try store.file.write { _ = try $0.updateVectorIndexes() }
        #expect(try pending() == 0)
        #expect(try ids(nearest) == ["p20", "p6", "p8"])
    }

    private func pending() throws -> Int64? {
        let context = try SQLContext(path: store.path + "/db.sqlite3", flags: .readOnly)
        defer { try? context.close() }
        return try context.selectValue(
            sql: #"SELECT count(*) FROM "kv_default:vectors:by\Place:pending""#)?.longValue
    }

    @Test("needs its index again if another program has removed the triggers")
    func missingTriggers() throws {
        try createIndex()
        let context = try SQLContext(path: store.path + "/db.sqlite3", flags: .readWrite)
        try context.exec(sql: #"DROP TRIGGER "kv_default:vectors:by\Place:pending::ins""#)
        try context.close()
        let text = "ORDER BY \(distance) LIMIT 1"
        #expect(throws: (any Error).self) { try ids(text) }
        // Documents can still be written.
        try store.file.write { transaction in
            _ = try collection.save("new", in: transaction) { try $0.writeJSON(#"{"at": [7, 0]}"#) }
        }
        try store.file.write { try collection.rebuildIndex("byPlace", in: $0) }
        #expect(try ids("ORDER BY \(distance), META(d).id LIMIT 2") == ["new", "p7"])
    }

    @Test("bounded from below, of two properties, and in an outer join is not limited too early")
    func otherForms() throws {
        try createIndex()
        #expect(
            try ids("WHERE \(distance) > 100 ORDER BY \(distance), META(d).id LIMIT 2")
                == ["p18", "p19"])
        #expect(
            try ids("WHERE \(distance) <= 1 ORDER BY \(distance), META(d).id LIMIT 5")
                == ["p7", "p6", "p8"])
        try store.file.write { transaction in
            _ = try collection.createIndex(
                .vector("byOther", on: "other", .init(dimensions: 2)), in: transaction)
            _ = try collection.save("p1", in: transaction) {
                try $0.writeJSON(#"{"at": [1, 0], "other": [1, 0], "number": 1}"#)
            }
        }
        let other = "APPROX_VECTOR_DISTANCE(d.other, [1, 0])"
        #expect(try ids("WHERE \(other) < 1 ORDER BY \(distance) LIMIT 2") == ["p1"])
        let joined = try store.file.read { snapshot in
            try Query(
                "SELECT META(e).id FROM _ AS e LEFT JOIN _ AS d ON d.number = e.number + 1 "
                    + "ORDER BY \(distance) LIMIT 1"
            ).rows(in: snapshot).all().map { $0[0].string ?? "" }
        }
        #expect(joined == ["p6"])
        #expect(throws: StoreError.self) {
            try ids("ORDER BY APPROX_VECTOR_DISTANCE(d.at, d.other) LIMIT 1")
        }
    }

    @Test("uses the index whose metric the query names, of all documents before a partial one")
    func severalIndexes() throws {
        try createIndex()
        try store.file.write { transaction in
            for spec in [
                IndexSpec.vector("zPartial", on: "at", .init(dimensions: 2), where: "isEven"),
                .vector("zCosine", on: "at", .init(dimensions: 2, metric: .cosine)),
            ] {
                _ = try collection.createIndex(spec, in: transaction)
            }
        }
        #expect(try ids("ORDER BY \(distance) LIMIT 1") == ["p7"])
        let cosine = "APPROX_VECTOR_DISTANCE(d.at, [7, 0], 'cosine')"
        #expect(try ids("WHERE \(cosine) < 0.01 AND d.number = 3 ORDER BY d.number") == ["p3"])
    }

    @Test("with damaged tables is an error, and documents can still be written")
    func damage() throws {
        for damage in [
            #"UPDATE "kv_default:vectors:by\Place:vectors" SET cell = 9223372036854775807"#,
            #"UPDATE "kv_default:vectors:by\Place:vectors" SET vector = x'00'"#,
            #"DROP TABLE "kv_default:vectors:by\Place:postings""#,
            #"INSERT INTO "kv_default:vectors:by\Place:cells" VALUES (0, x'0102030405060708')"#,
            "UPDATE vector_indexes SET expression = '=n((('",
        ] {
            try createIndex()
            let context = try SQLContext(path: store.path + "/db.sqlite3", flags: .readWrite)
            try context.exec(sql: damage)
            try context.close()
            _ = try? ids("ORDER BY \(distance) LIMIT 1")
            try store.file.write { transaction in
                _ = try collection.save("p3", in: transaction) {
                    try $0.writeJSON(#"{"at": [3, 0], "number": 3}"#)
                }
            }
            try store.file.write { _ = try collection.deleteIndex("byPlace", in: $0) }
        }
        try createIndex()
        #expect(try ids("ORDER BY \(distance) LIMIT 1") == ["p7"])
    }

    @Test("finds what remains after the nearest thousands were deleted, before that is indexed")
    func manyChanges() throws {
        try store.file.write { transaction in
            for number in 1...6000 {
                // The first 4000 are near 0, the others far away.
                let place = number <= 4000 ? number % 97 : 5000 + number % 89
                _ = try collection.save("q\(number)", in: transaction) {
                    try $0.writeJSON("{\"at\": [\(place), \(number % 13)], \"n\": \(number)}")
                }
            }
        }
        try createIndex()
        let near = "APPROX_VECTOR_DISTANCE(d.at, [50, 5])"
        #expect(try ids("WHERE d.n > 4000 ORDER BY \(near) LIMIT 10").count == 10)
        let context = try SQLContext(path: store.path + "/db.sqlite3", flags: .readWrite)
        try context.exec(sql: "DELETE FROM kv_default WHERE key GLOB 'q*' AND rowid < 4000")
        try context.close()
        let left = try ids("WHERE d.n IS NOT MISSING ORDER BY d.n LIMIT 1")
        #expect(left != ["q1"])
        #expect(try ids("ORDER BY \(near) LIMIT 30").count == 30)
        _ = try store.file.write { try $0.updateVectorIndexes() }
        #expect(try ids("ORDER BY \(near) LIMIT 30").count == 30)
    }

    @Test("is deleted with its index, and with its collection")
    func deletion() throws {
        try createIndex()
        func tables() throws -> Int64? {
            let context = try SQLContext(path: store.path + "/db.sqlite3", flags: .readOnly)
            defer { try? context.close() }
            return try context.selectValue(
                sql: "SELECT count(*) FROM sqlite_master WHERE name LIKE '%:vectors:%'")?.longValue
        }
        #expect(try tables() == 9)
        try store.file.write { _ = try collection.deleteIndex("byPlace", in: $0) }
        #expect(try tables() == 0)
        #expect(try store.file.read { try $0.indexes() }.isEmpty)
        let other = DocumentCollection(try CollectionName("other"))
        try store.file.write { transaction in
            try other.create(in: transaction)
            _ = try other.save("a", in: transaction) { try $0.writeJSON(#"{"at": [7, 0]}"#) }
            _ = try other.createIndex(
                .vector("ofOther", on: "at", .init(dimensions: 2)), in: transaction)
            _ = try other.keyStore.delete(in: transaction)
        }
        #expect(try tables() == 0)
        #expect(try store.file.read { try $0.indexes() }.isEmpty)
    }
}

/// The number of a document as a place on another line.
private struct PlaceModel: PredictiveModel {
    func predict(_ input: FleeceDictionary) throws -> MutableFleeceValue? {
        guard let number = input["number"]?.double else { return nil }
        return ["vector": [0, .double(-number)]]
    }
}

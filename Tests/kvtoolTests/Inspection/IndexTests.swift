import DocumentStore
import Foundation
import StoreTestSupport
import Testing

/// The tool as a second program that writes to a file whose indexes an application has created.
@Suite("kvtool on a database with indexes", .enabled(if: SQLiteShell.isPresent))
struct IndexTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 3)
    }

    private func create(_ spec: IndexSpec) throws {
        var options = DataFileOptions(access: .readWrite)
        options.maintenance = false
        let file = try DataFile(path: database.path, options: options)
        try file.write { _ = try DocumentCollection(.default).createIndex(spec, in: $0) }
        file.close()
    }

    /// An index with a model that no process has registered.
    private func createPredictive(_ failure: PredictiveOptions.Failure) throws {
        try database.run("purge", "person-0001", "person-0002", "person-0003", "--yes")
            .success()
        try create(
            .predictive(
                "byMood", on: "prediction('mood', {'text': text}, .label)",
                PredictiveOptions(onFailure: failure)))
    }

    @Test("refuses a write that needs the model of an index, with a message")
    func refusing() throws {
        try createPredictive(.refusesWrite)
        let outcome = try database.run("put", "a", #"{"text":"fine"}"#)
        #expect(outcome.status != 0 && !outcome.isSignalled)
        #expect(outcome.stderr.contains("prediction by the model mood: no model has this name"))
        #expect(try database.exported() == [])
    }

    @Test("omits the document from the index and writes it, if the index allows it")
    func leavingOut() throws {
        try createPredictive(.leavesOut)
        let outcome = try database.run("put", "a", #"{"text":"fine"}"#)
        #expect(outcome.status == 0)
        #expect(outcome.stderr.contains("documents are not in the indexes of a model that failed"))
        #expect(outcome.stderr.contains("mood"))
        #expect(try database.exported() == [#"{"_id":"a","text":"fine"}"#])
        let table = try #require(
            try database.rows("SELECT indexTableName FROM indexes").first)
        #expect(try database.rows("SELECT count(*) FROM \"\(table)\"") == ["0"])
    }

    @Test("info prints which indexes may be stale, and why")
    func stale() throws {
        try create(.value("byAge", on: "age"))
        try create(
            .value("byName", on: .json(#"[["COLLATE",{"UNICODE":true},[".name.last"]]]"#)))
        let lines = try database.run("info").success().lines
        #expect(lines[7] == "Indexes:      _default.byAge (value), _default.byName (value)")
        #expect(lines[8].hasPrefix("Collection  "))
        try database.rows(
            """
            DELETE FROM kv_info WHERE key='textOrders';
            INSERT INTO indexes (name, type, keyStore, expression, indexTableName)
            VALUES ('byMeaning', 4, 'default', '[[".v"]]', 'kv_default:vector:by\\Meaning')
            """)
        #expect(
            try database.run("info").success().lines[7...9] == [
                "Indexes:      _default.byAge (value), _default.byMeaning (vector), "
                    + "_default.byName (value)",
                "Stale:        _default.byMeaning: only the program that created it updates it; "
                    + "re-create it there",
                "              _default.byName: its collation may have changed; "
                    + "rebuild it with reindex",
            ])
        let json = try database.run("info", "--json").success().standardOutput
        let info = try #require(JSONSerialization.jsonObject(with: json) as? NSDictionary)
        #expect(
            info["indexes"] as? NSArray == [
                ["name": "byAge", "kind": "value", "collection": "_default"],
                [
                    "name": "byMeaning", "kind": "vector", "collection": "_default",
                    "stale": "foreign",
                ],
                [
                    "name": "byName", "kind": "value", "collection": "_default",
                    "stale": "collationChanged",
                ],
            ])
    }
}

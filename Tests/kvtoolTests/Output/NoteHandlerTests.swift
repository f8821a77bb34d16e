import Foundation
import Logging
import StoreTestSupport
import Testing

@testable import KVToolCore

@Suite("Log messages of the engine")
struct NoteHandlerTests {
    private func event(_ metadata: Logger.Metadata?) -> LogEvent {
        LogEvent(
            level: .warning, message: "it is so", metadata: metadata, source: nil, file: "",
            function: "", line: 0)
    }

    @Test("are shown if they are warnings or errors")
    func levels() {
        let shown = Logger.Level.allCases.filter { $0 >= NoteHandler.logger.logLevel }
        #expect(Set(shown) == [.warning, .error, .critical])
    }

    @Test("are notes, with their metadata in the order of the names")
    func text() {
        var handler = NoteHandler()
        #expect(handler.text(event(nil)) == "note: it is so")
        handler[metadataKey: "b"] = "1"
        handler[metadataKey: "c"] = "2"
        #expect(handler[metadataKey: "c"] == "2")
        #expect(handler.text(event(nil)) == "note: it is so (b: 1, c: 2)")
        #expect(
            handler.text(event(["b": "3", "a": "4"])) == "note: it is so (a: 4, b: 3, c: 2)")
    }

    @Test(
        "are one line on standard error, as JSON with --json",
        .enabled(if: SQLiteShell.isPresent))
    func lines() throws {
        let database = try SampleDatabase(people: 1)
        // Small pages: the WAL soon has enough of them for the engine's warning.
        try database.rows(
            """
            PRAGMA journal_mode=delete; PRAGMA page_size=512; VACUUM; PRAGMA journal_mode=wal;
            CREATE TABLE ballast(n INTEGER PRIMARY KEY, t TEXT);
            WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 40000)
            INSERT INTO ballast SELECT i, printf('%0400d', i) FROM c;
            PRAGMA wal_checkpoint(TRUNCATE);
            """)
        let reader = try OtherProcess(database.file, "BEGIN; SELECT count(*) FROM ballast;")
        let plain = try database.run("compact", "--full", "--timeout", "0.1")
        #expect(plain.status == 0, "\(plain)")
        let note = plain.complaint()
        #expect(note.hasPrefix("note: the WAL of \(database.path) has grown to "), "\(note)")
        let json = try database.run("compact", "--full", "--timeout", "0.1", "--json")
        #expect(json.status == 0, "\(json)")
        #expect(json.stderr.split(separator: "\n").count == 1, "\(json)")
        let object = try #require(
            try JSONSerialization.jsonObject(with: json.standardError) as? [String: Any])
        let warning = try #require(object["warning"] as? [String: Any])
        #expect(warning.keys.sorted() == ["message"])
        let message = try #require(warning["message"] as? String)
        #expect(message.hasPrefix("note: the WAL of \(database.path) has grown to "))
        reader.finish()
        // No process uses the WAL any more, so there is no warning.
        try database.run("compact", "--full").success()
        #expect(try database.run("verify").status == 0)
    }
}

import SQLPlus
import Testing

/// The sample of encryption in SkipSQL's description, with its import.
private func encryptionSample(_ directory: URL) throws -> SQLContext {
    let dbpath = directory.appendingPathComponent("encrypted.sqlite")
    let db = try SQLContext(
        path: dbpath.path, flags: [.create, .readWrite], configuration: .plus)
    try db.exec(sql: "PRAGMA key = 'password'")
    try db.exec(sql: "CREATE TABLE SOME_TABLE(col)")
    try db.exec(
        sql: "INSERT INTO SOME_TABLE(col) VALUES(?)", parameters: [.text("SOME SECRET STRING")])
    return db
}

@Suite("import SQLPlus")
struct SingleImportTests {
    @Test("brings all that the sample of encryption needs")
    func sample() throws {
        let directory = URL.temporaryDirectory.appendingPathComponent("single-import-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let db = try encryptionSample(directory)
        let value: SQLValue? = try db.selectValue(sql: "SELECT col FROM SOME_TABLE")
        #expect(value == .text("SOME SECRET STRING"))
        try db.close()
        let bytes = try Data(contentsOf: directory.appendingPathComponent("encrypted.sqlite"))
        #expect(!bytes.starts(with: "SQLite format 3".utf8))
    }
}

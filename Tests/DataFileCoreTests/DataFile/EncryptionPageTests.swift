import DataFileCore
import EngineTestSupport
import Foundation
import SQLCore
import SQLPlus
import StoreTestSupport
import Testing

/// The programs of docs/encryption.md.
@Suite("docs/encryption.md")
struct EncryptionPageTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory("people.cblite2")
    }

    @Test("a data file with a key")
    func withKey() throws {
        // page begins
        var options = DataFileOptions(access: .create)
        options.encryption = try EncryptionKey("correct horse battery staple")
        let file = try DataFile(path: path, options: options)
        // page ends
        try file.write { try DocumentCollection(.default).create(in: $0) }
        #expect(try file.integrityCheck().isIntact)
    }

    @Test("in place")
    func inPlace() throws {
        try DataFile(path: path, options: DataFileOptions(access: .create)).close()
        let (key, newKey) = (EncryptionKey.random(), EncryptionKey.random())
        // page begins
        try DataFile.encrypt(path: path, key: key)
        try DataFile.rekey(path: path, from: key, to: newKey)
        try DataFile.decrypt(path: path, key: newKey)
        // page ends
        #expect(try DataFile(path: path).integrityCheck().isIntact)
    }

    @Test("SQLite alone")
    func alone() throws {
        let (path, otherPath, copyPath) = (directory("a.db"), directory("b.db"), directory("c.db"))
        // page begins
        let context = try SQLContext(path: path, configuration: .plus)
        try context.key("correct horse battery staple")
        try context.exec(sql: "CREATE TABLE notes (text)")
        try context.attach(path: otherPath, as: "other", key: EncryptionKey("another key"))
        try context.export(copyPath, key: "a third key")
        try context.rekey("a fourth key")
        // page ends
        for (path, key) in [(path, "a fourth key"), (copyPath, "a third key")] {
            let again = try SQLContext(path: path, configuration: .plus)
            try again.key(key)
            #expect(try again.selectValue(sql: "SELECT count(*) FROM notes") == .long(0))
        }
    }

    @Test("the page has these programs, and no others")
    func page() throws {
        let programs = try PagePrograms.inSource(URL(fileURLWithPath: #filePath))
        #expect(try programs == PagePrograms.onPage("encryption.md"))
    }
}

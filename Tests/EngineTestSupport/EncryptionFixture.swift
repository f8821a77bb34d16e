package import DataFileCore
internal import FleeceLite
package import Foundation
package import SQLCore
package import SQLPlus
package import StoreFormat
package import StoreTestSupport
internal import Testing

/// A database with or without a key, whose files are read and changed without the engine.
package struct EncryptionFixture: Sendable {
    package let directory: TemporaryDirectory
    package let path: String
    package let key = EncryptionKey.random()
    package let documents = DocumentCollection(.default)

    package init() throws {
        directory = try TemporaryDirectory()
        path = directory("test.cblite2")
    }

    package func options(
        _ key: EncryptionKey?, _ access: DataFileOptions.Access = .readWrite
    ) -> DataFileOptions {
        var options = DataFileOptions(access: access)
        options.encryption = key
        options.maintenance = false
        options.blobGraceSeconds = 0
        options.busyTimeoutMilliseconds = 0
        return options
    }

    /// Opens a database, by default the fixture's.
    package func open(
        _ key: EncryptionKey?, _ access: DataFileOptions.Access = .readWrite,
        at path: String? = nil
    ) throws -> DataFile {
        try DataFile(path: path ?? self.path, options: options(key, access))
    }

    /// Creates the database, with documents of these numbers, and closes it.
    package func make(_ key: EncryptionKey?, _ numbers: ClosedRange<Int> = 1...100) throws {
        let file = try open(key, .create)
        try save(numbers, in: file)
        file.close()
    }

    /// Saves documents `d1`, `d2`, …, about eight per page, in one transaction.
    package func save(_ numbers: ClosedRange<Int>, in file: DataFile) throws {
        try file.write { transaction in
            for number in numbers {
                let text = String(repeating: "x", count: 400)
                _ = try documents.save("d\(number)", in: transaction) {
                    try $0.writeJSON(#"{"n":\#(number),"text":"\#(text)"}"#)
                }
            }
        }
    }

    /// The numbers of a database's documents, sorted.
    package func numbers(in file: DataFile) throws -> [Int] {
        var numbers: [Int] = []
        try file.read { snapshot in
            try documents.forEach(in: snapshot) {
                numbers.append(try Int($0.get().id.dropFirst()) ?? 0)
            }
        }
        return numbers.sorted()
    }

    /// Opens a database for writing, checks that it is intact, and returns the numbers of its
    /// documents.
    package func wholeNumbers(_ key: EncryptionKey?, at path: String? = nil) throws -> [Int] {
        let file = try open(key, at: path)
        defer { file.close() }
        #expect(try file.integrityCheck().isIntact)
        return try numbers(in: file)
    }
}

// The files.
extension EncryptionFixture {
    /// The SQLite file on a separate connection, without the engine.
    package func sqlite(_ key: EncryptionKey?, at path: String? = nil) throws -> SQLContext {
        try SQLContext(
            path: (path ?? self.path) + "/db.sqlite3", flags: .readWrite,
            configuration: .plus(key: key))
    }

    package func journalMode(_ key: EncryptionKey?, at path: String? = nil) throws -> String? {
        let context = try sqlite(key, at: path)
        defer { try? context.close() }
        return try context.pragma("journal_mode")?.textValue
    }

    /// Copies the bundle in its current state on the disk, as a crash would leave it.
    ///
    /// Another process copies it: closing the files in this one would release SQLite's locks.
    package func copyFiles(to name: String) throws -> String {
        let copy = directory(name)
        let result = try ChildProcess.run(["cp", "-r", path, copy])
        #expect(result.status == 0, "\(result.output)")
        return copy
    }

    /// The names in a bundle, sorted.
    package func names(_ path: String? = nil) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path ?? self.path).sorted()
    }

    /// The contents of all files in a directory, by their relative paths.
    package func contents(_ path: String) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            guard FileSystem.entry("\(path)/\(name)") == .file else { continue }
            contents[name] = try Data(contentsOf: URL(filePath: "\(path)/\(name)"))
        }
        return contents
    }

    package func size(_ path: String) -> Int { FileSystem.size(path) }

    /// Flips a bit of a file that is not open; a negative offset counts from its end.
    package func damage(_ path: String, at offset: Int) throws {
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[offset < 0 ? bytes.count + offset : offset] ^= 4
        try bytes.write(to: URL(filePath: path))
    }
}

extension EncryptionFixture {
    /// The encryption error that is the cause of a `StoreError`.
    package func cause(_ error: StoreError?) -> EncryptionError? {
        error?.underlying as? EncryptionError
    }
}

internal import Foundation

/// Rollback journals as an attacker would write them to make SQLite delete a file.
///
/// A rollback journal may name a super-journal, a file that SQLite deletes after playing the
/// journal back. A program that opens databases of others must not delete files of the user that
/// way:
///
/// ```swift
/// let precious = testDirectory("precious.txt")
/// try "data".write(toFile: precious, atomically: true, encoding: .utf8)
/// try HostileJournal.write(naming: precious, beside: peoplePath + "/db.sqlite3")
/// _ = try? DataFile(path: peoplePath, options: DataFileOptions(access: .readWrite))
/// #expect(FileManager.default.fileExists(atPath: precious))
/// ```
public enum HostileJournal {
    private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

    /// A journal without pages that names a super-journal, which SQLite deletes after playing the
    /// journal back.
    ///
    /// - Parameters:
    ///   - superJournal: the path of the super-journal.
    ///   - pageSize: the page size of the database, in bytes; 4096 by default.
    ///   - isHot: whether SQLite plays it back when the database is next read; if not, it looks
    ///     like one that a writer keeps open, and its end is read when that writer rolls back.
    /// - Returns: the bytes of the journal.
    public static func bytes(
        naming superJournal: String, pageSize: Int = 4096, isHot: Bool = true
    ) -> [UInt8] {
        let name = Array(superJournal.utf8)
        let sum = name.reduce(0) { $0 + Int($1) }
        let start = isHot ? magic : Array(repeating: 0, count: 8)
        let header = start + [0, 1, 0, 512, pageSize].flatMap(bigEndian)
        return header + Array(repeating: 0, count: 512 - header.count)
            + bigEndian(0x4000_0000 / pageSize + 1) + name + bigEndian(name.count)
            + bigEndian(sum) + magic
    }

    /// Writes such a journal next to a database file.
    ///
    /// - Parameters:
    ///   - superJournal: the path of the super-journal.
    ///   - database: the path of the SQLite file; the journal has the suffix `-journal`.
    ///   - isHot: whether SQLite plays it back when the database is next read (default).
    /// - Throws: an error of Foundation if the journal cannot be written.
    public static func write(
        naming superJournal: String, beside database: String, isHot: Bool = true
    ) throws {
        try Data(bytes(naming: superJournal, isHot: isHot))
            .write(to: URL(fileURLWithPath: database + "-journal"))
    }

    private static func bigEndian(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
}

internal import Foundation

/// Rollback journals as an attacker would write them to make SQLite delete a file.
public enum HostileJournal {
    private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

    /// A journal without pages that names a super-journal, which SQLite deletes after playing the
    /// journal back.
    ///
    /// - Parameters:
    ///   - superJournal: the path of the super-journal.
    ///   - isHot: whether SQLite plays it back when the database is next read; if not, it looks
    ///     like one that a writer keeps open, and its end is read when that writer rolls back.
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

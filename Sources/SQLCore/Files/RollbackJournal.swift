// The end of a rollback journal of a transaction over several files (`readSuperJournal` of SQLite),
// numbers big-endian:
//
//   u32 number of the lock page | the name | u32 its length | u32 sum of its bytes | magic

/// The header and the super-journal name of a rollback journal, read without SQLite.
package struct RollbackJournal {
    /// The path of the journal.
    package let path: String
    /// Whether SQLite plays it back, unless its writer is still active.
    package let isHot: Bool
    /// The path of the super-journal that the journal names, which SQLite deletes after the journal
    /// is played back; nil if it names none.
    package let superJournal: String?
    /// Whether `superJournal` has exactly the bytes of the name: false if they are not UTF-8.
    private let isNameExact: Bool
    /// The number of bytes before that name.
    package let lengthWithoutName: Int

    private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    /// SQLite ignores a longer name.
    private static let longestName = 4096

    /// Reads a journal; nil if it does not exist or this process may not read it.
    ///
    /// Throws `SQLFileRefusal` for a symbolic link and for a file that is not regular.
    package init?(_ path: String) throws(SQLFileRefusal) {
        guard let file = try ReadableFile(path) else { return nil }
        self.path = path
        isHot = (file.bytes(1, at: 0).first ?? 0) != 0
        let name = Self.name(in: file)
        let text = name?.prefix { $0 != 0 }
        superJournal = text.map { String(decoding: $0, as: UTF8.self) }
        isNameExact = text.map { String(validating: $0, as: UTF8.self) != nil } ?? true
        lengthWithoutName = file.length - (name.map { $0.count + 20 } ?? 0)
    }

    private static func name(in file: ReadableFile) -> [UInt8]? {
        let end = file.bytes(16, at: file.length - 16)
        guard end.count == 16, end[8...].elementsEqual(magic) else { return nil }
        let count = number(end[..<4])
        guard count > 0, count <= longestName, count <= file.length - 16 else { return nil }
        let name = file.bytes(count, at: file.length - 16 - count)
        // C's char is signed on some machines, unsigned on others.
        let unsigned = name.reduce(UInt32(0)) { $0 &+ UInt32($1) }
        let signed = name.reduce(UInt32(0)) {
            $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1)))
        }
        let sum = UInt32(number(end[4..<8]))
        guard name.count == count, name.first != 0, sum == unsigned || sum == signed else {
            return nil
        }
        return name
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}

extension RollbackJournal {
    /// Whether the super-journal has a name that SQLite gives, in the directory of the journal.
    package var hasOwnSuperJournal: Bool {
        guard let superJournal else { return true }
        return isNameExact && Self.isSuperJournal(superJournal)
            && Self.directory(superJournal).elementsEqual(Self.directory(path))
    }

    /// Why SQLite must not play the journal back; nil if it may. After the playback SQLite reads
    /// and deletes the super-journal, so that file must be in the directory of the journal, no
    /// longer exist, or list the journal.
    var refusal: SQLFileRefusal? {
        guard let superJournal else { return nil }
        let foreign = SQLFileRefusal(path, .foreignSuperJournal(superJournal))
        guard isNameExact, Self.isSuperJournal(superJournal) else { return foreign }
        switch FileType(superJournal) {
        case .nothing: return nil
        case .directory, .link, .other: return foreign
        case .regular: break
        }
        guard let file = try? ReadableFile(superJournal) else { return foreign }
        let malformed = SQLFileRefusal(path, .malformedSuperJournal(superJournal))
        guard file.length <= Self.longestList else { return malformed }
        let names = file.bytes(file.length, at: 0).split(separator: 0)
        guard hasOwnSuperJournal || names.contains(where: { $0.elementsEqual(path.utf8) }) else {
            return foreign
        }
        let isList = names.count <= Self.mostNames && names.allSatisfy(Self.isJournal)
        return isList ? nil : malformed
    }

    /// Whether SQLite can open a journal at a path without blocking on a FIFO.
    private static func isJournal(_ path: ArraySlice<UInt8>) -> Bool {
        let path = String(decoding: path, as: UTF8.self)
        return path.hasSuffix("-journal") && FileType.refusal(path) == nil
    }

    /// A super-journal lists the journals of the main and the attached databases: at most 126
    /// (SQLITE_MAX_ATTACHED is at most 125), each with a path of at most 4,096 bytes.
    private static let mostNames = 126
    private static let longestList = mostNames * (longestName + 1)

    /// Whether a path is absolute and ends like SQLite's names of super-journals: `-mj`, six
    /// hexadecimal digits, a 9, and two more hexadecimal digits.
    static func isSuperJournal(_ path: String) -> Bool {
        let end = path.utf8.suffix(12)
        guard path.utf8.first == UInt8(ascii: "/"), end.count == 12,
            end.starts(with: "-mj".utf8), end.dropLast(2).last == UInt8(ascii: "9")
        else { return false }
        return end.dropFirst(3).allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0)
        }
    }

    /// The bytes of a path before its last slash.
    private static func directory(_ path: String) -> Substring.UTF8View {
        path.utf8[..<(path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.utf8.startIndex)]
    }
}

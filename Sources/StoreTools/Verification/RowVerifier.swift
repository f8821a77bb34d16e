internal import DataFileCore
internal import FleeceLite
internal import SQLCore
internal import StoreFormat

/// Checks the rows of one table, one after the other, in SQLite's memory.
struct RowVerifier {
    typealias Column = TableScan.Column

    /// The context that is known before the first row.
    struct Setting {
        let sink: VerificationSink
        let blobUse: BlobUse
        let bodies: RowBodyCheck
        /// Whether string keys that could be shared keys are findings.
        let sharesKeys: Bool
        /// Whether an integer key can stand for a reserved property.
        let canNumberReserved: Bool
        /// The current time in milliseconds since 1970.
        let now: Int64
        /// The latest plausible time of a version.
        let latestPlausible: LogicalTime

        var sharedKeys: SharedKeys { bodies.sharedKeys }
    }

    let setting: Setting
    let table: StoreTable
    /// The last row of this table that may be a tombstone; nil for none.
    let lastTombstone: Int64?
    private let isCollection: Bool
    private var unsharedKeys: UnsharedKeys

    private(set) var rows = 0
    private(set) var tombstones = 0
    private(set) var sequences = SequenceTrack()

    /// The reserved properties of a document.
    static let reserved = ["_id", "_rev", "_deleted"]

    init(_ setting: Setting, _ table: StoreTable, lastTombstone: Int64?) throws {
        self.setting = setting
        self.table = table
        self.lastTombstone = lastTombstone
        isCollection = table.store.isCollection
        unsharedKeys = try UnsharedKeys()
    }

    /// Checks a row of a `TableScan`.
    mutating func check(_ row: SQLStatement) throws {
        rows &+= 1
        checkKey(row)
        guard isCollection else {
            setting.blobUse.look(at: row.bytes(at: Column.body))
            setting.blobUse.look(at: row.bytes(at: Column.extra))
            return
        }
        checkSequence(row)
        let flags = checkFlags(row)
        checkLocation(row, flags)
        let isSwapped = checkExpiration(row)
        let content = Content(
            version: row.bytes(at: Column.version), body: row.bytes(at: Column.body),
            extra: row.bytes(at: isSwapped ? Column.expiration : Column.extra), flags: flags)
        setting.blobUse.look(at: content.body)
        setting.blobUse.look(at: content.extra)
        try check(content, row)
    }

    /// The columns that hold a document, valid until the next step of the statement.
    struct Content {
        let version: UnsafeRawBufferPointer
        let body: UnsafeRawBufferPointer
        let extra: UnsafeRawBufferPointer
        let flags: DocumentFlags
    }

    /// Adds a finding about the row.
    @inline(never)
    func add(
        _ kind: VerificationKind, _ message: @autoclosure () -> String, _ row: SQLStatement,
        isFixable: Bool? = nil
    ) {
        if kind == .damagedBody || kind == .damagedHistory {
            setting.blobUse.hasUnreadableDocuments = true
        }
        setting.sink.add(
            kind, message(), store: table.store, key: row.text(at: Column.key),
            object: table.name, isFixable: isFixable)
    }
}

// The columns other than those of the document.
extension RowVerifier {
    @inline(__always)
    private func checkKey(_ row: SQLStatement) {
        guard row.type(at: Column.key) == .text, Self.isPlain(row.bytes(at: Column.key)) else {
            return checkOddKey(row)
        }
    }

    /// Whether a key is certainly valid: most consist of letters, digits and the like.
    @inline(__always)
    private static func isPlain(_ key: UnsafeRawBufferPointer) -> Bool {
        guard let first = key.first, first != UInt8(ascii: "_"),
            key.count <= DocumentID.maximumLength
        else { return false }
        for byte in key where byte < 0x20 || byte >= 0x7F { return false }
        return true
    }

    @inline(never)
    private func checkOddKey(_ row: SQLStatement) {
        let type = row.type(at: Column.key)
        guard type == .text else {
            return add(.invalidKey, "its key is \(type.typeName), not TEXT", row)
        }
        let key = row.bytes(at: Column.key)
        let limit = DocumentID.maximumLength
        if key.isEmpty {
            add(.invalidKey, "its key is empty", row)
        } else if String(validating: key, as: UTF8.self) == nil {
            add(.invalidKey, "its key is not UTF-8", row)
        } else if key.contains(0) {
            add(.invalidKey, "its key has a NUL byte", row)
        } else if !isCollection {
            return
        } else if key.count > limit {
            add(.invalidKey, "its key has \(key.count) bytes, more than \(limit)", row)
        } else if key.first == UInt8(ascii: "_") {
            add(.unusualKey, "its key begins with \"_\", which new documents cannot use", row)
        } else if key.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            add(.unusualKey, "its key has a control character, which new documents cannot use", row)
        }
    }

    @inline(__always)
    private mutating func checkSequence(_ row: SQLStatement) {
        let sequence = row.long(at: Column.sequence)
        if row.type(at: Column.sequence) == .long, sequence > 0 {
            sequences.add(sequence)
        } else {
            add(.missingSequence, "its sequence is not a positive number", row)
        }
    }

    @inline(__always)
    private func checkFlags(_ row: SQLStatement) -> DocumentFlags {
        let flags = row.long(at: Column.flags)
        let type = row.type(at: Column.flags)
        if type != .long && type != .null || flags < 0 {
            add(.invalidFlags, "its flags are not a number", row)
        }
        return DocumentFlags(rawValue: UInt16(truncatingIfNeeded: flags))
    }

    /// Checks that tombstones and live documents are in their own tables.
    @inline(__always)
    private mutating func checkLocation(_ row: SQLStatement, _ flags: DocumentFlags) {
        guard flags.contains(.deleted) else {
            if table.isTombstone {
                add(.misplacedDocument, "it is in the tombstone table but is not deleted", row)
            }
            return
        }
        tombstones &+= 1
        guard !table.isTombstone else { return }
        if lastTombstone.map({ row.long(at: Column.rowid) > $0 }) ?? true {
            add(.misplacedTombstone, "it is deleted but is in the live table", row)
        }
    }

    /// Whether the values of `expiration` and `extra` are swapped.
    @inline(__always)
    private func checkExpiration(_ row: SQLStatement) -> Bool {
        row.isNull(at: Column.expiration) ? false : checkTime(row)
    }

    /// The time of 9999-12-31 in milliseconds since 1970.
    private static let latestTime: Int64 = 253_402_300_799_999
    /// Smaller values are probably seconds.
    private static let earliestTime: Int64 = 100_000_000_000

    @inline(never)
    private func checkTime(_ row: SQLStatement) -> Bool {
        let extra = row.type(at: Column.extra)
        switch row.type(at: Column.expiration) {
        case .blob where extra == .null || extra == .long:
            add(.swappedColumns, "its revisions are in the column expiration", row)
            return true
        case .long: checkTime(row.long(at: Column.expiration), row)
        default: add(.invalidExpiration, "its expiration is not a number", row)
        }
        return false
    }

    private func checkTime(_ time: Int64, _ row: SQLStatement) {
        if time <= 0 {
            add(.invalidExpiration, "its expiration, \(time), is not a time after 1970", row)
        } else if time < Self.earliestTime {
            add(
                .unusualExpiration,
                "its expiration, \(time), is in the 1970s: it may be in seconds instead of "
                    + "milliseconds", row)
        } else if time > Self.latestTime {
            add(.unusualExpiration, "its expiration, \(time), is after the year 9999", row)
        } else if time <= setting.now {
            add(.expired, "it has expired (\(time)) and has not been purged", row)
        }
    }
}

// The document.
extension RowVerifier {
    /// Checks a body. Returns whether it refers to blobs, or nil if it cannot be read.
    mutating func check(body: UnsafeRawBufferPointer, _ row: SQLStatement) throws -> Bool? {
        guard !body.isEmpty else { return false }
        guard let properties = readable(body, row) else { return nil }
        unsharedKeys.look(at: body)
        if setting.sharesKeys, let key = unsharedKeys.eligible {
            add(.unsharedKey, "its key \"\(key)\" is stored as a string, not as a number", row)
        }
        if setting.canNumberReserved || unsharedKeys.hasOuterText {
            for name in Self.reserved where properties.contains(key: name) {
                add(.reservedProperty, "it has the property \"\(name)\", which is reserved", row)
            }
        }
        guard properties.hasBlobs || properties.hasAttachments else { return false }
        try checkBlobs(of: body, row)
        return true
    }

    /// The properties of a body. If it is damaged, adds a finding and returns nil.
    func readable(_ body: UnsafeRawBufferPointer, _ row: SQLStatement) -> RawBody? {
        switch setting.bodies.look(at: body) {
        case .readable(let properties): return properties
        case .notADictionary: add(.damagedBody, "its body is not a dictionary", row)
        case .damaged(let error): add(.damagedBody, "its body is damaged: \(error)", row)
        }
        return nil
    }

    /// Checks the blobs to which a readable body refers.
    func checkBlobs(of body: UnsafeRawBufferPointer, _ row: SQLStatement) throws {
        let document = try FleeceDocument(trusted: body, sharedKeys: setting.sharedKeys)
        try setting.blobUse.check(document.root.dictionary, of: table.store) {
            row.text(at: Column.key) ?? ""
        }
    }
}

internal import DataFileCore
internal import FleeceLite
internal import SQLCore
internal import StoreFormat

/// Looks at the rows of one table, one after the other, where SQLite has them.
struct RowVerifier {
    typealias Column = TableScan.Column

    /// What is known before the first row.
    struct Setting {
        let sink: VerificationSink
        let blobUse: BlobUse
        let bodies: RowBodyCheck
        /// Whether a key that could be a number should be one.
        let sharesKeys: Bool
        /// Whether a number can stand for one of the properties that the store itself gives.
        let canNumberReserved: Bool
        /// Milliseconds since 1970.
        let now: Int64
        /// The latest time of a version that is plausible.
        let latestPlausible: LogicalTime

        var sharedKeys: SharedKeys { bodies.sharedKeys }
    }

    let setting: Setting
    let table: StoreTable
    /// Up to which row tombstones may stand in this table; nil for none.
    let lastTombstone: Int64?
    private let isCollection: Bool
    private var texts: UnsharedKeys

    private(set) var rows = 0
    private(set) var tombstones = 0
    private(set) var sequences = SequenceTrack()

    /// Properties that the store itself gives to a document.
    static let reserved = ["_id", "_rev", "_deleted"]

    init(_ setting: Setting, _ table: StoreTable, lastTombstone: Int64?) throws {
        self.setting = setting
        self.table = table
        self.lastTombstone = lastTombstone
        isCollection = table.store.isCollection
        texts = try UnsharedKeys()
    }

    /// Looks at a row of a `TableScan`.
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

    /// The columns that hold a document, lent until the next step of the statement.
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

// The columns beside the document.
extension RowVerifier {
    @inline(__always)
    private func checkKey(_ row: SQLStatement) {
        guard row.type(at: Column.key) == .text, Self.isPlain(row.bytes(at: Column.key)) else {
            return checkOddKey(row)
        }
    }

    /// Whether there is nothing odd about a key: most are letters, digits and the like.
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
            add(.invalidKey, "its key has \(key.count) bytes, over \(limit)", row)
        } else if key.first == UInt8(ascii: "_") {
            add(.unusualKey, "its key begins with \"_\", as no new document's can", row)
        } else if key.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            add(.unusualKey, "its key has a control character, as no new document's can", row)
        }
    }

    @inline(__always)
    private mutating func checkSequence(_ row: SQLStatement) {
        let sequence = row.long(at: Column.sequence)
        if row.type(at: Column.sequence) == .long, sequence > 0 {
            sequences.add(sequence)
        } else {
            add(.missingSequence, "it has no sequence that is a number above 0", row)
        }
    }

    @inline(__always)
    private func checkFlags(_ row: SQLStatement) -> DocumentFlags {
        let flags = row.long(at: Column.flags)
        let type = row.type(at: Column.flags)
        if type != .long && type != .null || flags < 0 {
            add(.invalidFlags, "its flags are no number", row)
        }
        return DocumentFlags(rawValue: UInt16(truncatingIfNeeded: flags))
    }

    /// Tombstones have a table of their own.
    @inline(__always)
    private mutating func checkLocation(_ row: SQLStatement, _ flags: DocumentFlags) {
        guard flags.contains(.deleted) else {
            if table.isTombstone {
                add(.misplacedDocument, "it stands among the tombstones, and is not deleted", row)
            }
            return
        }
        tombstones &+= 1
        guard !table.isTombstone else { return }
        if lastTombstone.map({ row.long(at: Column.rowid) > $0 }) ?? true {
            add(.misplacedTombstone, "it is deleted, and stands among the live documents", row)
        }
    }

    /// Whether the columns `expiration` and `extra` have changed places.
    @inline(__always)
    private func checkExpiration(_ row: SQLStatement) -> Bool {
        row.isNull(at: Column.expiration) ? false : checkTime(row)
    }

    /// The time of 9999-12-31 in milliseconds since 1970.
    private static let latestTime: Int64 = 253_402_300_799_999
    /// What is less is rather a number of seconds.
    private static let earliestTime: Int64 = 100_000_000_000

    @inline(never)
    private func checkTime(_ row: SQLStatement) -> Bool {
        let extra = row.type(at: Column.extra)
        switch row.type(at: Column.expiration) {
        case .blob where extra == .null || extra == .long:
            add(.swappedColumns, "its revisions stand in the column expiration", row)
            return true
        case .long: checkTime(row.long(at: Column.expiration), row)
        default: add(.invalidExpiration, "its expiration is not a number", row)
        }
        return false
    }

    private func checkTime(_ time: Int64, _ row: SQLStatement) {
        if time <= 0 {
            add(.invalidExpiration, "its expiration, \(time), is no time after 1970", row)
        } else if time < Self.earliestTime {
            add(
                .unusualExpiration,
                "its expiration, \(time), is in the seventies: is it in seconds, in place of "
                    + "milliseconds?", row)
        } else if time > Self.latestTime {
            add(.unusualExpiration, "its expiration, \(time), is after the year 9999", row)
        } else if time <= setting.now {
            add(.expired, "it has expired (\(time)) and is not purged yet", row)
        }
    }
}

// The document.
extension RowVerifier {
    /// Of a body that can be read, whether it refers to blobs.
    ///
    /// Nil if it cannot be read.
    mutating func check(body: UnsafeRawBufferPointer, _ row: SQLStatement) throws -> Bool? {
        guard !body.isEmpty else { return false }
        guard let properties = readable(body, row) else { return nil }
        texts.look(at: body)
        if setting.sharesKeys, let key = texts.eligible {
            add(.unsharedKey, "its key \"\(key)\" stands there as text, not as a number", row)
        }
        if setting.canNumberReserved || texts.hasOuterText {
            for name in Self.reserved where properties.contains(key: name) {
                add(.reservedProperty, "it has the property \"\(name)\", which is reserved", row)
            }
        }
        guard properties.hasBlobs || properties.hasAttachments else { return false }
        try checkBlobs(of: body, row)
        return true
    }

    /// The properties of a body; nil if it is damaged, which is told.
    func readable(_ body: UnsafeRawBufferPointer, _ row: SQLStatement) -> RawBody? {
        switch setting.bodies.look(at: body) {
        case .readable(let properties): return properties
        case .noDictionary: add(.damagedBody, "its body is not a dictionary", row)
        case .damaged(let error): add(.damagedBody, "its body is damaged: \(error)", row)
        }
        return nil
    }

    /// Checks the blobs that a body which can be read refers to.
    func checkBlobs(of body: UnsafeRawBufferPointer, _ row: SQLStatement) throws {
        let document = try FleeceDocument(trusted: body, sharedKeys: setting.sharedKeys)
        try setting.blobUse.check(document.root.dictionary, of: table.store) {
            row.text(at: Column.key) ?? ""
        }
    }
}

internal import DocumentStore
internal import StorePlatform
internal import StoreTools

/// A line of a dump.
enum DumpLine {
    case header(versioning: Versioning, schema: Int64)
    case store(KeyStoreName)
    /// A row, with the length of its body's JSON if it has one.
    case row(StoredRow, bodyLength: Int?)
    case meta([KVMetaRow])
    case index(StoredIndex)
    case blob(BlobDigest, bytes: Int, pieces: Int)
    case data([UInt8])

    /// Parses a line.
    ///
    /// - Parameter encoder: an encoder without shared keys, reused from the line before: it caches
    ///   keys, and creating one takes longer than parsing a line.
    init(_ text: UnsafeRawBufferPointer, _ encoder: inout FleeceEncoder) throws {
        var json = text
        var head: [UInt8] = []
        var length: Int?
        if let (position, bytes) = Self.body(text) {
            head = text[..<position] + [UInt8(ascii: "}")]
            length = bytes
        }
        self = try head.withUnsafeBytes { head in
            if length != nil { json = head }
            return try Self.line(Self.object(json, &encoder), length)
        }
    }

    private static func object(
        _ json: UnsafeRawBufferPointer, _ encoder: inout FleeceEncoder
    ) throws -> FleeceDictionary {
        do {
            try encoder.writeJSON(json)
            let document = try FleeceDocument(trusted: encoder.finish())
            if let line = document.root.dictionary { return line }
        } catch let error as FleeceError {
            encoder.reset()
            throw DumpFailure(message: error.message)
        }
        throw DumpFailure(message: "it is not an object")
    }

    /// Finds the offset at which the properties of a row's body start, and the length of its JSON.
    private static func body(_ text: UnsafeRawBufferPointer) -> (position: Int, length: Int)? {
        guard text.starts(with: DumpPrefix.row) else { return nil }
        // The length determines the start, because the body is at the end of the line.
        var position = 0
        while let comma = System.firstIndex(of: UInt8(ascii: ","), in: text, from: position) {
            position = comma + 1
            let rest = UnsafeRawBufferPointer(rebasing: text[comma...])
            guard rest.starts(with: Self.length) else { continue }
            let digits = rest.dropFirst(Self.length.count).prefix { $0 >= 0x30 && $0 <= 0x39 }
            guard digits.count < 12, let length = Int(String(decoding: digits, as: UTF8.self)),
                Self.length.count + digits.count + 5 + length + 1 == rest.count
            else { continue }
            return (comma, length)
        }
        return nil
    }

    private static let length = Array(#","n":"#.utf8)

    private static func line(_ line: FleeceDictionary, _ length: Int?) throws -> DumpLine {
        if line["k"] != nil { return .row(try row(line), bodyLength: length) }
        if let name = line["dump"]?.string {
            guard name == DumpFormat.name else {
                throw DumpFailure(
                    message: "the dump has the format \(name), not \(DumpFormat.name)")
            }
            guard let number = line["versioning"]?.int,
                let versioning = Versioning(rawValue: UInt64(clamping: number))
            else { throw DumpFailure(message: "it does not specify the versioning") }
            return .header(versioning: versioning, schema: line["schema"]?.int ?? 0)
        }
        if let name = line["store"]?.string { return .store(KeyStoreName(name)) }
        if let rows = line["meta"]?.array { return .meta(try rows.map(meta)) }
        if let index = line["index"]?.dictionary { return .index(try self.index(index)) }
        if let digest = line["blob"]?.string { return try blob(digest, line) }
        if let data = line["data"]?.string { return .data(try base64(data)) }
        throw DumpFailure(message: "it is not a line of a dump")
    }

    private static func blob(_ digest: String, _ line: FleeceDictionary) throws -> DumpLine {
        guard let digest = try? BlobDigest(digest), let bytes = line["bytes"]?.int,
            let pieces = line["pieces"]?.int, bytes >= 0, pieces >= 0
        else { throw DumpFailure(message: "it does not specify the blob's digest or length") }
        return .blob(digest, bytes: Int(bytes), pieces: Int(pieces))
    }

    private static func row(_ line: FleeceDictionary) throws -> StoredRow {
        var row = StoredRow(key: "")
        var hasKey = false
        for (name, value) in line {
            switch name {
            case "k":
                hasKey = value.string != nil
                row.key = value.string ?? ""
            case "s": row.sequence = value.int
            case "f": row.flags = value.int ?? 0
            case "v": row.version = try value.string.map(hexadecimal)
            case "B": row.body = try value.string.map(base64)
            case "x": row.extra = try value.string.map(base64)
            case "e": row.expiration = value.int
            case "t": row.isInTombstoneTable = value.bool ?? false
            default:
                throw DumpFailure(
                    message: "the row has the unknown property \"\(Text.line(name))\"")
            }
        }
        guard hasKey else { throw DumpFailure(message: "the row has no key") }
        return row
    }

    private static func meta(_ value: FleeceValue) throws -> KVMetaRow {
        guard let row = value.dictionary, let name = row["name"]?.string else {
            throw DumpFailure(message: "a row of kvmeta has no name")
        }
        return KVMetaRow(
            name: name, lastSequence: row["lastSeq"]?.int ?? 0,
            purgeCount: row["purgeCnt"]?.int ?? 0)
    }

    private static func index(_ index: FleeceDictionary) throws -> StoredIndex {
        guard let name = index["name"]?.string, let store = index["store"]?.string else {
            throw DumpFailure(message: "an index has no name or no store")
        }
        return StoredIndex(
            name: name,
            kind: index["kind"]?.int.flatMap { IndexInfo.Kind(rawValue: Int($0)) },
            keyStore: KeyStoreName(store), expression: index["expression"]?.string,
            condition: index["where"]?.string, table: index["table"]?.string,
            lastSequences: index["lastSeq"]?.string,
            tokenizerArguments: index["tokenizer"]?.array?.compactMap(\.string) ?? [],
            leavesFailuresOut: index["leavesFailuresOut"]?.bool ?? false,
            vectorOptions: index["vector"]?.dictionary.flatMap(vectorOptions))
    }

    /// Nil for options of a later version.
    private static func vectorOptions(_ options: FleeceDictionary) -> VectorIndexOptions? {
        guard let dimensions = options["dimensions"]?.int,
            let metric = options["metric"]?.string.flatMap(VectorMetric.init),
            let encoding = options["encoding"]?.string.flatMap(VectorEncoding.init)
        else { return nil }
        return VectorIndexOptions(
            dimensions: Int(clamping: dimensions), metric: metric, encoding: encoding,
            probes: options["probes"]?.int.map { Int(clamping: $0) },
            isLazy: options["isLazy"]?.bool ?? false)
    }

    private static func hexadecimal(_ text: String) throws -> [UInt8] {
        guard let bytes = Hexadecimal.decoded(text.utf8) else {
            throw DumpFailure(message: "hexadecimal digits are expected, two for each byte")
        }
        return bytes
    }

    private static func base64(_ text: String) throws -> [UInt8] {
        var text = text
        guard let bytes = text.withUTF8({ Base64.decoded(UnsafeRawBufferPointer($0)) }) else {
            throw DumpFailure(message: "base64 is expected")
        }
        return bytes
    }
}

/// Converts stored bodies to JSON and back, if both directions reproduce the same bytes.
struct BodyText: ~Copyable {
    private var encoder: FleeceEncoder
    private let scratch: FleeceDocument

    private static let maximumBytes = 1 << 26

    init(sharedKeys: SharedKeys) throws {
        encoder = FleeceEncoder(sharedKeys: sharedKeys)
        encoder.addsSharedKeys = false
        scratch = try FleeceDocument.empty(sharedKeys: sharedKeys)
    }

    /// Appends a body as JSON. Returns false and appends nothing if the JSON would not reproduce
    /// the same bytes.
    mutating func append(_ body: UnsafeRawBufferPointer, to text: inout JSONText) -> Bool {
        let start = text.utf8.count
        do {
            try scratch.withUnsafeRoot(of: body) { root in
                guard let root, root.dictionary != nil else { throw Unreadable() }
                try root.appendJSON(to: &text, maximumBytes: Self.maximumBytes)
            }
            let isSame = try text.utf8.withUnsafeBytes { bytes in
                try encoder.writeJSON(UnsafeRawBufferPointer(rebasing: bytes[start...]))
                return try encoder.withFinishedBytes { $0.elementsEqual(body) }
            }
            if isSame { return true }
        } catch {
            encoder.reset()
        }
        text.utf8.removeSubrange(start...)
        return false
    }

    /// Encodes the body from JSON.
    mutating func body(_ json: UnsafeRawBufferPointer) throws -> [UInt8] {
        do {
            try encoder.writeJSON(json)
            return try encoder.finish()
        } catch {
            encoder.reset()
            throw error
        }
    }

    private struct Unreadable: Error {}
}

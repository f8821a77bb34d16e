internal import DocumentStore
internal import SQLCore

/// A value in an index, compared by its meaning.
enum IndexedValue: Hashable {
    /// `NULL`
    case missing
    /// A blob without bytes.
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    /// A blob of Fleece: an array or dictionary, as canonical JSON.
    case collection(String)
    /// A blob that is not Fleece, which an index should not contain.
    case bytes([UInt8])

    /// The SQL value of a document's value.
    init(_ value: FleeceValue?) {
        guard let value else {
            self = .missing
            return
        }
        switch value.kind {
        case .undefined: self = .missing
        case .null: self = .null
        case .bool: self = .integer(value.bool == true ? 1 : 0)
        case .integer:
            let isLarge = value.int == nil
            self = .integer(isLarge ? Int64(bitPattern: value.uint ?? 0) : value.int ?? 0)
        case .double: self = .real(value.double ?? 0)
        case .string: self = .text(Array((value.string ?? "").utf8))
        case .data, .array, .dictionary: self = .collection(Self.json(value) ?? "?")
        }
    }

    /// The value of a column.
    init(_ statement: SQLStatement, _ column: Int) {
        switch statement.value(at: column) {
        case .null: self = .missing
        case .long(let number): self = .integer(number)
        case .real(let number): self = .real(number)
        case .text(let text): self = .text(Array(text.utf8))
        case .blob(let bytes):
            let bytes = [UInt8](bytes)
            let root = try? FleeceDocument(validating: bytes, sharedKeys: SharedKeys()).root
            self =
                bytes.isEmpty
                ? .null : root.flatMap { Self.json($0) }.map { .collection($0) } ?? .bytes(bytes)
        }
    }

    private static func json(_ value: FleeceValue) -> String? {
        var writer = JSONWriter(options: .init(canonical: true))
        guard (try? writer.write(value)) != nil else { return nil }
        return writer.text.string
    }
}

extension IndexedValue: CustomStringConvertible {
    var description: String {
        switch self {
        case .missing: "missing"
        case .null: "null"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let bytes): "\"\(String(decoding: bytes, as: UTF8.self))\""
        case .collection(let json): json
        case .bytes(let bytes): "\(bytes.count) bytes"
        }
    }
}

extension FleeceValue {
    /// The value at a path of names.
    func value(at path: [String]) -> FleeceValue? {
        path.reduce(FleeceValue?.some(self)) { $0?.dictionary?[$1] }
    }

    /// The text of the value in a full-text index: its scalars separated by spaces, those of inner
    /// collections after those of outer ones, the last collection first.
    var indexedText: [UInt8] {
        var items: [String] = []
        var open: [FleeceValue] = [self]
        if let scalar = scalarText { return Array(scalar.utf8) }
        while let next = open.popLast() {
            for item in next.array.map(Array.init) ?? next.dictionary?.map(\.value) ?? [] {
                if let scalar = item.scalarText {
                    items.append(scalar)
                } else {
                    open.append(item)
                }
            }
        }
        return Array(items.joined(separator: " ").utf8)
    }

    private var scalarText: String? {
        switch kind {
        case .array, .dictionary: nil
        case .bool: bool == true ? "T" : "F"
        case .null, .undefined, .data: ""
        default: text ?? ""
        }
    }
}

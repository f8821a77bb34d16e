internal import StorePlatform

/// The text of a document in a file.
package struct SourceDocument {
    /// The JSON of an object, or the invalid text in its place.
    let json: UnsafeRawBufferPointer
    /// The line where the document starts.
    let line: Int
    var column = 1
    /// The ID from the name of the file; nil for none.
    var fileID: String?
}

/// A source of documents.
package protocol DocumentSource {
    /// The name of the source for messages.
    var name: String { get }
    /// The total number of bytes, 0 if unknown.
    var totalBytes: Int { get }
    /// The number of bytes read.
    var consumed: Int { get }
    /// Whether each document starts on its own line, so that a line number is enough to resume.
    var hasLines: Bool { get }
    /// Whether another command can resume where this one ended.
    var canResume: Bool { get }

    /// Passes the next document to `body`; returns false at the end.
    mutating func next(_ body: (SourceDocument) throws -> Void) throws -> Bool
}

extension DocumentSource {
    var canResume: Bool { true }
}

/// The format of a file.
package enum SourceFormat: String, CaseIterable {
    /// Detected from the file's name and first bytes.
    case auto
    /// One object per line.
    case lines
    /// One array of objects.
    case array
    /// One object.
    case document
    /// Comma-separated values, one record per document.
    case csv
    /// Tab-separated values.
    case tsv
}

/// One document per line; blank lines are skipped.
struct LineSource: DocumentSource {
    private var reader: LineReader
    var name: String { reader.name }
    var totalBytes: Int { reader.totalBytes }
    var consumed: Int { reader.consumed }
    var hasLines: Bool { true }

    init(_ reader: LineReader) { self.reader = reader }

    mutating func next(_ body: (SourceDocument) throws -> Void) throws -> Bool {
        while true {
            let number = reader.line + 1
            let isDocument = try reader.next { line in
                guard line.contains(where: { !$0.isBlank }) else { return false }
                try body(SourceDocument(json: line, line: number))
                return true
            }
            guard let isDocument else { return false }
            if isDocument { return true }
        }
    }
}

/// One or more files with one document each.
struct FileSource: DocumentSource {
    private var files: ArraySlice<String>
    private(set) var name: String
    private(set) var consumed = 0
    /// Whether the names are IDs that `EscapedID` encoded.
    private let areNamesEscaped: Bool
    private let encoding: String?
    var totalBytes: Int { 0 }
    var hasLines: Bool { false }

    init(_ files: [String], areNamesEscaped: Bool = false, encoding: String? = nil) {
        self.files = files[...]
        name = files.first ?? ""
        self.areNamesEscaped = areNamesEscaped
        self.encoding = encoding
    }

    mutating func next(_ body: (SourceDocument) throws -> Void) throws -> Bool {
        guard let path = files.popFirst() else { return false }
        name = path
        var window = try ByteWindow(path: path, encoding: encoding)
        try window.fillToEnd(atMost: LineReader.maximumLine)
        consumed += window.count
        let id = Self.id(path)
        try window.withBytes { bytes in
            let start = ByteOrderMark.begins(bytes) ? ByteOrderMark.length : 0
            try body(
                SourceDocument(
                    json: UnsafeRawBufferPointer(rebasing: bytes[start...]), line: 1,
                    fileID: areNamesEscaped ? EscapedID.id(id) : id))
        }
        return true
    }

    /// `person-0001` of `people/person-0001.json`.
    private static func id(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.hasSuffix(".json") ? String(name.dropLast(5)) : name
    }
}

/// Ids as file names: bytes that a name cannot contain become `%` and two hexadecimal digits.
enum EscapedID {
    /// The longest name that file systems accept, without `.json` and a number.
    private static let maximumLength = 240

    /// The name for an ID, without an extension.
    static func name(_ id: String) -> String {
        var name: [UInt8] = []
        for byte in id.utf8 {
            if needsEscape(byte, isFirst: name.isEmpty) {
                name.append(UInt8(ascii: "%"))
                name += Hexadecimal.encoded([byte]).uppercased().utf8
            } else {
                name.append(byte)
            }
        }
        guard name.count > maximumLength else { return String(decoding: name, as: UTF8.self) }
        // The file contains the ID, too; the name only has to be unique.
        var checksum = CRC32()
        name.withUnsafeBytes { checksum.add($0) }
        var start = name.prefix(maximumLength - 10)
        while let last = start.last, last >= 0x80 { start.removeLast() }
        return String(decoding: start, as: UTF8.self) + "~" + checksum.text
    }

    /// Decodes the ID from a name; returns the name itself if the result is not UTF-8.
    static func id(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "%")) else { return name }
        var id: [UInt8] = []
        var rest = Array(name.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2,
                let escaped = Hexadecimal.decoded(digits)
            {
                id += escaped
                rest = rest.dropFirst(2)
            } else {
                id.append(byte)
            }
        }
        return String(validating: id, as: UTF8.self) ?? name
    }

    private static func needsEscape(_ byte: UInt8, isFirst: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "."): isFirst
        case 0..<0x20, 0x7F, UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "%"),
            UInt8(ascii: ":"), UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "\""),
            UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "|"):
            true
        default: false
        }
    }
}

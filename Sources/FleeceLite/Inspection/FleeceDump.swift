internal import StorePlatform

/// A readable dump of a document's bytes, value by value; the document may be corrupt.
///
/// Use it to find out why a document cannot be read, or how it is encoded:
///
/// ```swift
/// let dump = FleeceDump(fleeceBytes)
/// show(dump.description)
/// if dump.hasProblems {
///     for line in dump.lines where line.problem != nil { show(dump.text(of: line)) }
/// }
/// ```
///
/// Its `description` for `{"foo":123}`:
///
/// ```
/// 0000  43 66 6f 6f               string "foo"
/// 0004  70 01                     dictionary of 1
/// 0006  80 03                       key: pointer back 6 to 0000: string "foo"
/// 0008  00 7b                       value: integer 123
/// 000a  80 03                     root: pointer back 6 to 0004: dictionary of 1
/// ```
///
/// A line consists of an address, up to 8 bytes from there, and their meaning; a problem is
/// appended after ` ! `. Bytes that are not reachable from the root are shown as well, as values if
/// they look like values. The text is less than 400 times as long as the document, plus a line.
///
/// It never throws. ``FleeceDocument/dump()`` creates a dump with the document's shared keys and
/// base. To decide whether a document is valid, use ``FleeceValidation``: it checks more. See
/// <doc:DoubtfulDocuments>.
public struct FleeceDump: Sendable {
    /// The document, without its base.
    public let bytes: [UInt8]
    /// The keys that numeric keys refer to; if it is empty, numbers are shown without a problem.
    public let sharedKeys: SharedKeys
    /// The document into which extern pointers lead; empty if it is not known. It is not shown
    /// itself.
    public let base: [UInt8]
    private let reach: DumpReach

    /// Creates a dump of any bytes, and determines which positions are reachable from the root, in
    /// time proportional to their number.
    ///
    /// - Parameters:
    ///   - bytes: the document, or any other bytes.
    ///   - sharedKeys: the table to which numeric keys refer (default: an empty one).
    ///   - base: the bytes into which extern pointers lead (default: none).
    public init(
        _ bytes: [UInt8], sharedKeys: SharedKeys = SharedKeys(), base: [UInt8] = []
    ) {
        self.bytes = bytes
        self.sharedKeys = sharedKeys
        self.base = base
        reach = bytes.withUnsafeBytes { DumpReach($0, baseCount: base.count) }
    }

    /// A line of a dump: a value, a slot of a collection, the pointer at the end, or a gap.
    ///
    /// ``FleeceDump/text(of:)`` formats it.
    public struct Line: Hashable, Sendable {
        /// The offset of the first byte in the document.
        public let offset: Int
        /// The number of bytes, without padding.
        public let count: Int
        /// Whether it is a slot of the preceding collection; its text is then indented.
        public let isSlot: Bool
        /// The meaning of the bytes, such as `string "foo"`. Long strings are truncated.
        public let meaning: String
        /// The problem with the bytes; nil if there is none.
        public let problem: String?
    }

    /// Passes the lines to a closure, by ascending address. A collection's slots follow its header,
    /// so that addresses go back where values overlap.
    ///
    /// Lines are created one by one: use it for long documents.
    ///
    /// - Parameter operation: a closure that receives each line.
    /// - Throws: only what the closure throws, which ends the dump.
    public func forEachLine(_ operation: (Line) throws -> Void) rethrows {
        try bytes.withUnsafeBytes { bytes in
            try base.withUnsafeBytes { base in
                let text = DumpText(bytes: bytes, base: base, sharedKeys: sharedKeys)
                var reader = DumpReader(text, reach: reach)
                while let lines = reader.next() {
                    for line in lines { try operation(line) }
                }
            }
        }
    }

    /// All lines. Each call creates them again; see ``forEachLine(_:)``.
    public var lines: [Line] {
        var lines: [Line] = []
        forEachLine { lines.append($0) }
        return lines
    }

    /// Whether a line has a problem. All lines are created to find out.
    ///
    /// A document without problems here can still fail ``FleeceValidation``.
    public var hasProblems: Bool {
        var found = false
        forEachLine { if $0.problem != nil { found = true } }
        return found
    }
}

extension FleeceDump: CustomStringConvertible {
    /// The lines as text, each with a line feed.
    public var description: String {
        var text = ""
        forEachLine { line in
            text += self.text(of: line)
            text += "\n"
        }
        return text
    }

    /// A line as text, without a line feed: address, bytes, meaning and problem.
    ///
    /// - Parameter line: a line of this dump.
    public func text(of line: Line) -> String {
        let shown = min(line.count, FleeceLimits.dumpedBytes)
        let end = min(line.offset + shown, bytes.count)
        var hex = bytes[min(line.offset, end)..<end].map { Hexadecimal.encoded([$0]) }
            .joined(separator: " ")
        if shown < line.count { hex += "…" }
        // Eight bytes, the mark for more bytes, and two blanks.
        hex += String(repeating: " ", count: 26 - hex.count)
        let address = DumpText.address(line.offset)
        let problem = line.problem.map { " ! \($0)" } ?? ""
        return "\(address)  \(hex)\(line.isSlot ? "  " : "")\(line.meaning)\(problem)"
    }
}

extension FleeceDocument {
    /// Returns a readable dump of the document's bytes, value by value.
    ///
    /// ```swift
    /// show(fleece.dump().description)
    /// ```
    /// The bytes are copied.
    public func dump() -> FleeceDump {
        FleeceDump(
            [UInt8](bytes), sharedKeys: sharedKeys,
            base: base.map { [UInt8]($0.bytes) } ?? [])
    }
}

extension FleeceLimits {
    /// The maximum number of UTF-8 bytes of the `description` of a value, before its `…`.
    public static let descriptionLength = 1000

    /// The number of bytes per line of a dump that are shown in hexadecimal.
    static let dumpedBytes = 8
    /// The number of bytes of a string that a dump shows, at the string and at a pointer to it.
    static let dumpedText = 48
    static let dumpedPreview = 24
    /// The number of bytes of two keys that a dump compares to check their order.
    static let comparedKeyBytes = 256
}

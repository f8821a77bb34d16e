/// SQL that is being written, as UTF-8. Appending many short pieces to a `String` is slower.
struct SQLText {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    var string: String { String(decoding: bytes, as: UTF8.self) }

    static func += (text: inout SQLText, piece: String) {
        var piece = piece
        piece.withUTF8 { text.bytes.append(contentsOf: $0) }
    }

    /// Puts what follows a position in parentheses.
    mutating func parenthesize(from position: Int) {
        bytes.insert(UInt8(ascii: "("), at: position)
        bytes.append(UInt8(ascii: ")"))
    }
}

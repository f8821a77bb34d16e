/// Where in a text something is: line and column, both from 1, the column in characters.
struct TextPlace: CustomStringConvertible {
    let line: Int
    let column: Int

    init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The place of a byte of UTF-8; `firstLine` is the number of the text's first line.
    init(offset: Int, in text: ArraySlice<UInt8>, firstLine: Int = 1) {
        let before = text.prefix(offset)
        line = firstLine + before.count { $0 == 0x0A }
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? before.startIndex
        // Bytes that go on with a character do not begin one.
        column = 1 + before[lineStart...].count { $0 & 0xC0 != 0x80 }
    }

    var description: String { "line \(line), column \(column)" }
}

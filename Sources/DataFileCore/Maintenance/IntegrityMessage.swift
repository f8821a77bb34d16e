// What SQLite writes, of which only this is looked at:
//
//   row 7 missing from index NAME | wrong # of entries in index NAME | non-unique entry in index …
//   NULL value in TABLE.COLUMN
//   Tree 14 page 20 cell 3: …        from 3.43 on: the root, and the page
//   On tree page 20 cell 3: …        before: the page
//   Page 20: … | On page 20 at right child: … | Page 20 is never used
//
// One row can have several lines, after `*** in database main ***`.

/// A line of `PRAGMA integrity_check`, and what it names.
struct IntegrityMessage: Hashable {
    let text: String
    private(set) var root: Int?
    private(set) var page: Int?
    private(set) var index: String?
    private(set) var table: String?

    init(_ line: Substring) {
        text = String(line)
        if let range = line.firstRange(of: " index ") {
            index = String(line[range.upperBound...])
        } else if line.hasPrefix("NULL value in "), let dot = line.lastIndex(of: ".") {
            table = String(line[..<dot].dropFirst("NULL value in ".count))
        } else {
            let words = line.split(separator: " ")
            root = Self.number(after: "Tree", in: words)
            page =
                Self.number(after: "page", in: words) ?? Self.number(after: "Page", in: words)
                ?? root
        }
    }

    /// The lines of a row, without headings.
    static func all(in row: String) -> [IntegrityMessage] {
        row.split(separator: "\n").filter { !$0.hasPrefix("*** in database ") }
            .map(IntegrityMessage.init)
    }

    private static func number(after word: Substring, in words: [Substring]) -> Int? {
        guard let place = words.firstIndex(of: word), place + 1 < words.count else { return nil }
        return Int(words[place + 1].prefix { $0.isASCII && $0.isNumber })
    }
}

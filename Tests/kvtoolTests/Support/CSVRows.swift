import Foundation

/// A file of values, read by the rules of RFC 4180.
enum CSVRows {
    /// What breaks the rules.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let (quote, comma) = (UInt8(ascii: "\""), UInt8(ascii: ","))
    private static let (newline, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

    /// The records, with their fields.
    static func read(_ data: Data) throws -> [[String]] {
        var rest = Array(data)[...]
        var rows: [[String]] = []
        while !rest.isEmpty {
            var row = [try field(&rest)]
            while rest.first == comma {
                rest.removeFirst()
                row.append(try field(&rest))
            }
            if rest.first == carriageReturn { rest.removeFirst() }
            guard rest.isEmpty || rest.popFirst() == newline else {
                throw Failure(description: "no end of a line behind record \(rows.count + 1)")
            }
            rows.append(row)
        }
        return rows
    }

    private static func field(_ rest: inout ArraySlice<UInt8>) throws -> String {
        guard rest.first == quote else {
            let text = rest.prefix { ![comma, newline, carriageReturn].contains($0) }
            guard !text.contains(quote) else {
                throw Failure(description: "a quote in a field without quotes")
            }
            rest = rest[text.endIndex...]
            return String(decoding: text, as: UTF8.self)
        }
        rest.removeFirst()
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == quote else {
                text.append(byte)
                continue
            }
            guard rest.first == quote else { return String(decoding: text, as: UTF8.self) }
            rest.removeFirst()
            text.append(quote)
        }
        throw Failure(description: "a quote that is not closed")
    }
}

internal import DocumentStore

/// The array of servers in an answer of the API.
struct ResponseList {
    let elements: FleeceArray
    /// What it is called, in front of the places of its elements.
    let name: String

    /// Throws `ServerStoreError` with `.invalidJSON`.
    init(utf8 json: [UInt8], allowingTrailingCommas: Bool) throws {
        var json = json
        if allowingTrailingCommas { TrailingCommas.blank(&json) }
        let root: FleeceValue
        do {
            var encoder = FleeceEncoder()
            _ = try json.withUnsafeBytes { try encoder.writeJSON($0) }
            root = try FleeceDocument(trusted: encoder.finish()).root
        } catch {
            let hint = allowingTrailingCommas ? "" : "; allow trailing commas if it has some"
            throw Self.wrong("the list of servers is not JSON: \(error)\(hint)")
        }
        if let array = root.array {
            (elements, name) = (array, "")
            return
        }
        try Self.requireSuccess(root)
        guard let array = root[Self.field]?.array else {
            let state = root[Self.field] == nil ? "missing" : "no array"
            throw Self.wrong("\(Self.field) is \(state), so the answer has no list of servers")
        }
        (elements, name) = (array, Self.field)
    }

    static let field = "LogicalServers"
    /// `Code` of an answer to what was asked.
    static let success = 1000

    private static func requireSuccess(_ answer: FleeceValue) throws {
        guard let code = answer["Code"], !code.isNull, code.int != Int64(success) else { return }
        let number = code.double.map { $0.formattedAsCode } ?? "that is not a number"
        let text = answer["Error"]?.string.map { ", \(ReadProblems.shown($0))" } ?? ""
        throw wrong("the API answered with code \(number)\(text); ask again later")
    }

    private static func wrong(_ message: String) -> ServerStoreError {
        ServerStoreError(.invalidJSON, message)
    }
}

extension Double {
    /// Without a point if it is whole.
    fileprivate var formattedAsCode: String { Int(exactly: self).map(String.init) ?? "\(self)" }
}

/// Commas behind the last element of an array or object, which JSON does not have.
enum TrailingCommas {
    /// Makes blanks of them, so that places of errors stay what they were. Strings are left alone,
    /// and so are commas that no value stands in front of: what is left is still no JSON.
    static func blank(_ json: inout [UInt8]) {
        json.withUnsafeMutableBufferPointer { blank($0) }
    }

    private static func blank(_ json: UnsafeMutableBufferPointer<UInt8>) {
        var place = 0
        // The comma that nothing has come after yet, and what stood before it or stands last.
        var comma: Int?
        var last = UInt8(ascii: "[")
        while place < json.count {
            let byte = json[place]
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                place += 1
                continue
            case UInt8(ascii: "\""):
                comma = nil
                place = end(ofStringAt: place, in: json)
            case UInt8(ascii: ","):
                comma = endsValue(last) ? place : nil
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if let comma { json[comma] = UInt8(ascii: " ") }
                comma = nil
            default:
                comma = nil
            }
            last = byte
            place += 1
        }
    }

    /// The quote that ends a string, or where the text ends.
    private static func end(
        ofStringAt start: Int, in json: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var place = start + 1
        while place < json.count, json[place] != UInt8(ascii: "\"") {
            place += json[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return place
    }

    private static func endsValue(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","), UInt8(ascii: ":"): false
        default: true
        }
    }
}

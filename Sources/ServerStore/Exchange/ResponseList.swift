internal import DocumentStore

/// The array of servers in a response of the API.
struct ResponseList {
    let elements: FleeceArray
    /// The name of the array, a prefix of the paths of its elements.
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
            let state = root[Self.field] == nil ? "missing" : "not an array"
            throw Self.wrong("\(Self.field) is \(state), so the response has no list of servers")
        }
        (elements, name) = (array, Self.field)
    }

    static let field = "LogicalServers"
    /// The `Code` of a successful response.
    static let success = 1000

    private static func requireSuccess(_ response: FleeceValue) throws {
        guard let code = response["Code"], !code.isNull, code.int != Int64(success) else { return }
        let number = code.double.map { $0.formattedAsCode } ?? "that is not a number"
        let text = response["Error"]?.string.map { ", \(ReadProblems.shown($0))" } ?? ""
        throw wrong("the API responded with code \(number)\(text); try again later")
    }

    private static func wrong(_ message: String) -> ServerStoreError {
        ServerStoreError(.invalidJSON, message)
    }
}

extension Double {
    /// The number, without a decimal point if it is whole.
    fileprivate var formattedAsCode: String { Int(exactly: self).map(String.init) ?? "\(self)" }
}

/// Commas after the last element of an array or object, which JSON does not allow.
enum TrailingCommas {
    /// Replaces them with spaces, so that the positions in error messages stay valid. Strings are
    /// unchanged, and so are commas without a preceding value, which the JSON parser rejects.
    static func blank(_ json: inout [UInt8]) {
        json.withUnsafeMutableBufferPointer { blank($0) }
    }

    private static func blank(_ json: UnsafeMutableBufferPointer<UInt8>) {
        var position = 0
        // The last comma that nothing has followed yet, and the character before it or the last
        // one.
        var comma: Int?
        var last = UInt8(ascii: "[")
        while position < json.count {
            let byte = json[position]
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                position += 1
                continue
            case UInt8(ascii: "\""):
                comma = nil
                position = end(ofStringAt: position, in: json)
            case UInt8(ascii: ","):
                comma = endsValue(last) ? position : nil
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if let comma { json[comma] = UInt8(ascii: " ") }
                comma = nil
            default:
                comma = nil
            }
            last = byte
            position += 1
        }
    }

    /// The quote that ends a string, or the end of the input.
    private static func end(
        ofStringAt start: Int, in json: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var position = start + 1
        while position < json.count, json[position] != UInt8(ascii: "\"") {
            position += json[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return position
    }

    private static func endsValue(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","), UInt8(ascii: ":"): false
        default: true
        }
    }
}

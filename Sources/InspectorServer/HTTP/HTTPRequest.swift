internal import NIOHTTP1
internal import StorePlatform

/// A request with its whole body.
struct HTTPRequest: Sendable {
    let method: HTTPMethod
    /// The components of the path, percent-decoded.
    let path: [String]
    /// The parameters of the query, the first of each name.
    let query: [String: String]
    let headers: HTTPHeaders
    /// Whether the client knows no chunks.
    let isHTTP10: Bool
    var body: [UInt8] = []

    /// Nil if the target is not a path, or is not UTF-8 when it is decoded.
    init?(_ head: HTTPRequestHead) {
        let target = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = target.first, whole.hasPrefix("/") else { return nil }
        var path: [String] = []
        for part in whole.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let text = Self.decoded(part, plusIsSpace: false) else { return nil }
            path.append(text)
        }
        var query: [String: String] = [:]
        for pair in (target.count > 1 ? target[1] : "").split(separator: "&") {
            let sides = pair.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(sides[0], plusIsSpace: true),
                let value = Self.decoded(sides.count > 1 ? sides[1] : "", plusIsSpace: true)
            else { return nil }
            query[name] = query[name] ?? value
        }
        (method, headers, isHTTP10) = (head.method, head.headers, head.version == .http1_0)
        (self.path, self.query) = (path, query)
    }

    private static func decoded(_ text: Substring, plusIsSpace: Bool) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard rest.count >= 2, let decoded = Hexadecimal.decoded(rest.prefix(2))
                else { return nil }
                bytes += decoded
                rest = rest.dropFirst(2)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(0x20)
            default: bytes.append(byte)
            }
        }
        // A zero would end an argument or a path.
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }

    /// The parameter's value; nil if it is missing or empty.
    func parameter(_ name: String) -> String? {
        query[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether a parameter is on: `1` or `true`; it is off without a value.
    ///
    /// - Throws: `BadRequest` if it is something else.
    func isOn(_ name: String) throws -> Bool {
        switch query[name] ?? "" {
        case "1", "true": return true
        case "", "0", "false": return false
        default: throw BadRequest("the parameter \(name) is 1 or 0")
        }
    }

    /// Whether it changes nothing.
    var isSafe: Bool { method == .GET || method == .HEAD }
}

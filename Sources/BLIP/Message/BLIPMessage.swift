/// A message: properties, and a body, which is JSON in most messages.
package struct BLIPMessage: Sendable, Equatable {
    /// The properties.
    package var properties: BLIPProperties
    /// The body.
    package var body: [UInt8]

    /// Creates a message.
    package init(_ properties: BLIPProperties = [:], body: [UInt8] = []) {
        self.properties = properties
        self.body = body
    }

    /// What a request is about; nil for a response.
    package var profile: String? { properties["Profile"] }
}

/// An error as a response to a request.
package struct BLIPErrorResponse: Error, Sendable, Equatable, CustomStringConvertible {
    /// To what its code belongs: `BLIP`, `HTTP`, or a domain of LiteCore.
    package var domain: String
    /// The code.
    package var code: Int32
    /// What happened; may be empty.
    package var message: String

    /// Creates an error.
    package init(_ domain: String, _ code: Int32, _ message: String = "") {
        self.domain = domain
        self.code = code
        self.message = message
    }

    /// Domain, code and message.
    package var description: String {
        message.isEmpty ? "\(domain) \(code)" : "\(domain) \(code): \(message)"
    }
}

extension BLIPErrorResponse {
    /// Reads a response of the type error.
    init(_ message: BLIPMessage) {
        domain = message.properties["Error-Domain"] ?? "BLIP"
        code = message.properties["Error-Code"].flatMap { Int32($0) } ?? 0
        self.message = String(decoding: message.body, as: UTF8.self)
    }

    var encoded: BLIPMessage {
        BLIPMessage(
            ["Error-Domain": domain, "Error-Code": "\(code)"], body: Array(message.utf8))
    }
}

/// How a message is sent.
package struct BLIPSendOptions: OptionSet, Sendable {
    /// The raw value.
    package let rawValue: UInt8

    /// Creates options of their raw value.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Its frames are compressed.
    package static let compressed = BLIPSendOptions(rawValue: 1)
    /// It is sent before others.
    package static let urgent = BLIPSendOptions(rawValue: 2)
    /// There is no response to the request.
    package static let noReply = BLIPSendOptions(rawValue: 4)
    /// The response is received in parts, each a ``BLIPEvent/part(_:)``.
    package static let streamedResponse = BLIPSendOptions(rawValue: 8)
}

internal import FleeceLite
internal import SQLCore
internal import StorePlatform

/// Conversions of values to and from JSON and Base64.
enum CodingFunctions {
    static var table: [NamedFunction] {
        [
            NamedFunction("encode_json") {
                FunctionCall.run($0, $1, $2, CodingFunctions.encodeJSON)
            },
            NamedFunction("decode_json") {
                FunctionCall.run($0, $1, $2, CodingFunctions.decodeJSON)
            },
            NamedFunction("base64_encode") {
                FunctionCall.run($0, $1, $2, CodingFunctions.encodeBase64)
            },
            NamedFunction("base64_decode") {
                FunctionCall.run($0, $1, $2, CodingFunctions.decodeBase64)
            },
        ]
    }

    private static func encodeJSON(_ call: FunctionCall) throws {
        let value = call[0]
        if case .missing = value { return call.setMissing() }
        try call.setText { result in
            var json = JSONText()
            try json.append(value)
            json.utf8.withUnsafeBytes { result.append($0) }
        }
    }

    /// Parses JSON; null if it is invalid, missing for an empty string.
    private static func decodeJSON(_ call: FunctionCall) throws {
        guard let text = call[0].text else { return call.setAbsent() }
        guard !text.isEmpty else { return call.setMissing() }
        try FunctionLimits.requireBytes(text.count)
        // As an element, since the root of a document must be an array or object.
        var json: [UInt8] = []
        json.reserveCapacity(text.count + 2)
        json.append(UInt8(ascii: "["))
        json.append(contentsOf: text)
        json.append(UInt8(ascii: "]"))
        let decoded = json.withUnsafeBytes { bytes -> [UInt8]? in
            do {
                try call.functions.encoder.writeJSON(bytes)
                return try call.functions.encoder.finish()
            } catch {
                call.functions.encoder.reset()
                return nil
            }
        }
        guard let decoded else { return call.setNull() }
        decoded.withUnsafeBytes { bytes in
            guard let array = call.functions.root(of: bytes),
                array.elementCount == 1, let value = array[0]
            else { return call.setNull() }
            call.set(value.asElement)
        }
    }

    /// Encodes the bytes of a string or of data, and the JSON of other values.
    private static func encodeBase64(_ call: FunctionCall) throws {
        let value = call[0]
        var text = JSONText()
        switch value {
        case .missing, .null: return call.set(value)
        case .text(let bytes), .data(let bytes): text.append(base64: [UInt8](bytes))
        default:
            var json = JSONText()
            try json.append(value)
            text.append(base64: json.utf8)
        }
        text.utf8.withUnsafeBytes { call.raw.setText($0) }
    }

    /// Decodes Base64 to a string, or to data if the bytes are not UTF-8; null if it is not Base64.
    private static func decodeBase64(_ call: FunctionCall) {
        guard let text = call[0].text else { return call.setAbsent() }
        guard let bytes = Base64.decoded(text) else { return call.setNull() }
        bytes.withUnsafeBytes {
            String(validating: bytes, as: UTF8.self) == nil
                ? call.raw.setData($0) : call.raw.setText($0)
        }
    }
}

extension JSONText {
    /// Appends a value as JSON. Throws if the result becomes too large, and for corrupt bytes.
    mutating func append(_ value: FunctionValue) throws {
        switch value {
        case .missing, .null: append("null")
        case .boolean(let bool): append(bool ? "true" : "false")
        case .integer(let number): append(number)
        case .unsigned(let number): append(number)
        case .real(let number):
            number.isFinite ? utf8.append(contentsOf: number.description.utf8) : append("null")
        case .text(let text): append(quoted: String(decoding: text, as: UTF8.self))
        case .data(let bytes):
            append("\"")
            append(base64: [UInt8](bytes))
            append("\"")
        case .collection(let value):
            try value.appendJSON(to: &self, maximumBytes: FunctionLimits.bytes)
        }
    }
}

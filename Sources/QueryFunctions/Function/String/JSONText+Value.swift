internal import FleeceLite

extension JSONText {
    /// Appends a value as JSON. Throws beyond what a result may come to, and for bytes that are
    /// corrupt.
    mutating func append(_ value: FunctionValue) throws {
        switch value {
        case .missing, .null: append("null")
        case .boolean(let truth): append(truth ? "true" : "false")
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

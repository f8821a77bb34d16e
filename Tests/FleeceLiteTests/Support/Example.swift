import Testing

import FleeceLite

/// Calls of an encoder and the expected document; the number is that of the example in the table of
/// byte-level examples at the end of the format's description.
struct Example: Sendable, CustomTestStringConvertible {
    let number: Int
    let name: String
    let hex: String
    let value: Tree
    let write: @Sendable (inout FleeceEncoder) throws -> Void

    init(
        _ number: Int, _ name: String, _ hex: String, _ value: Tree,
        _ write: @escaping @Sendable (inout FleeceEncoder) throws -> Void
    ) {
        self.number = number
        self.name = name
        self.hex = hex
        self.value = value
        self.write = write
    }

    /// An example that JSON expresses.
    init(_ number: Int, json: String, _ hex: String, _ value: Tree) {
        self.init(number, json, hex, value) { try $0.writeJSON(json) }
    }

    var testDescription: String { "\(number): \(name)" }
}

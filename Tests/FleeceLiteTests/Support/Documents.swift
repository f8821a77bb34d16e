import FleeceLite

/// The document that `write` writes.
func encoded(
    sharedKeys: SharedKeys? = nil, _ write: (inout FleeceEncoder) throws -> Void
) throws -> [UInt8] {
    var encoder = FleeceEncoder(sharedKeys: sharedKeys)
    try write(&encoder)
    return try encoder.finish()
}

/// The document that JSON stands for.
func encoded(json: String) throws -> [UInt8] {
    try encoded { try $0.writeJSON(json) }
}

/// The document that JSON stands for.
func document(json: String) throws -> FleeceDocument {
    try FleeceDocument(trusted: encoded(json: json))
}

/// The JSON of a value.
func json(_ value: FleeceValue) throws -> String {
    var writer = JSONWriter()
    try writer.write(value)
    return writer.text.string
}

/// The JSON of a document.
func json(
    _ bytes: [UInt8], sharedKeys: SharedKeys = SharedKeys(),
    options: JSONWriter.Options = JSONWriter.Options()
) throws -> String {
    var writer = JSONWriter(options: options)
    try writer.write(FleeceDocument(trusted: bytes, sharedKeys: sharedKeys).root)
    return writer.text.string
}

/// A table of the keys, numbered in their order.
func table(_ keys: [String]) -> SharedKeys {
    var table = SharedKeys()
    for key in keys { _ = table.add(key) }
    return table
}

/// The code of the `FleeceError` that `body` throws, nil if it throws none.
func code(_ body: () throws -> Void) -> FleeceError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? FleeceError)?.code
    }
}

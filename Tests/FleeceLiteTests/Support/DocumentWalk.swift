import FleeceLite

/// Calls every public accessor on a document and its values.
///
/// Corrupt bytes can make a small document seem endless, so it stops after some values.
struct DocumentWalk {
    private(set) var values = 0
    private let maximumValues: Int
    private let maximumDepth = 64
    /// Keys that are looked up in every dictionary.
    private let keys: [String]

    init(maximumValues: Int = 2000, keys: [String] = ["a", "name", "missing key"]) {
        self.maximumValues = maximumValues
        self.keys = keys
    }

    mutating func visit(_ value: FleeceValue, depth: Int = 0) {
        values += 1
        guard values < maximumValues, depth < maximumDepth else { return }
        visitScalar(value)
        if let array = value.array {
            for element in array.prefix(maximumValues) { visit(element, depth: depth + 1) }
            if let last = array.last { visitScalar(last) }
        }
        if let dictionary = value.dictionary {
            visitDictionary(dictionary, depth: depth)
        }
    }

    private func visitScalar(_ value: FleeceValue) {
        _ = (value.kind, value.isNull, value.bool, value.int, value.uint, value.double)
        _ = (value.string?.count, value.data?.count, value.array?.count)
    }

    private mutating func visitDictionary(_ dictionary: FleeceDictionary, depth: Int) {
        _ = (dictionary.count, dictionary.isEmpty)
        for key in keys {
            if let value = dictionary[key] { visitScalar(value) }
        }
        for (key, value) in dictionary.prefix(maximumValues) {
            if let found = dictionary[key] { visitScalar(found) }
            visit(value, depth: depth + 1)
        }
    }
}

extension DocumentWalk {
    /// Reads bytes, traverses them and writes them as JSON; returns the JSON if there is any.
    ///
    /// Throws errors other than `FleeceError`, and the JSON reader's errors in that JSON.
    static func survive(_ bytes: [UInt8], sharedKeys: SharedKeys) throws -> String? {
        let document: FleeceDocument
        do {
            document = try FleeceDocument(trusted: bytes, sharedKeys: sharedKeys)
        } catch is FleeceError {
            return nil
        }
        var walk = DocumentWalk()
        walk.visit(document.root)
        var options = JSONWriter.Options()
        options.maximumBytes = 20_000
        options.pretty = bytes.count % 4 == 0
        var writer = JSONWriter(options: options)
        do {
            try writer.write(document.root)
        } catch is FleeceError {
            return nil
        }
        // The reader accepts only collections, and fewer levels than the writer.
        do {
            _ = try encoded(json: "[\(writer.text.string)]")
        } catch let error as FleeceError where error.message.contains("levels of nesting") {}
        return writer.text.string
    }
}

internal import DocumentStore

extension OONIStore.NetTest {
    /// The tests of a descriptor.
    ///
    /// - Parameter path: where they stand, for errors.
    static func list(_ value: FleeceValue, _ path: String) throws -> [Self] {
        guard let array = value.array else { throw DescriptorObject.wrong(path, "is no array") }
        return try array.enumerated().map { try Self($1, "\(path)[\($0)]") }
    }

    /// A test; fields that this library has no name for are kept as JSON.
    private init(_ value: FleeceValue, _ path: String) throws {
        guard let object = value.dictionary else {
            throw DescriptorObject.wrong(path, "is no object")
        }
        guard let name = object["test_name"]?.string, !name.isEmpty else {
            throw DescriptorObject.wrong(path + ".test_name", "is no text")
        }
        self.init(
            .init(rawValue: name), inputs: try Self.inputs(object["inputs"], path + ".inputs"),
            otherJSON: try Self.others(object))
    }

    private static func inputs(_ value: FleeceValue?, _ path: String) throws -> [String] {
        guard let value, !value.isNull else { return [] }
        guard let array = value.array else { throw DescriptorObject.wrong(path, "is no array") }
        return try array.enumerated().map { index, input in
            guard let text = input.string else {
                throw DescriptorObject.wrong("\(path)[\(index)]", "is no text")
            }
            return text
        }
    }

    private static func others(_ object: FleeceDictionary) throws -> String? {
        let others = object.filter { $0.key != "test_name" && $0.key != "inputs" }
            .sorted { $0.key < $1.key }
        guard !others.isEmpty else { return nil }
        var text = JSONText()
        for (key, value) in others {
            text.append(text.utf8.isEmpty ? "{" : ",")
            text.append(quoted: key)
            text.append(":")
            text.utf8 += try value.json(JSONWriter.Options(canonical: true)).utf8
        }
        text.append("}")
        return text.string
    }
}

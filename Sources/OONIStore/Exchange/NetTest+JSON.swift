internal import DocumentStore

extension OONIStore.NetTest {
    /// Reads the tests of a descriptor.
    ///
    /// - Parameter path: the path of the array, for errors.
    static func list(_ value: FleeceValue, _ path: String) throws -> [Self] {
        guard let array = value.array else { throw DescriptorObject.wrong(path, "is not an array") }
        return try array.enumerated().map { try Self($1, "\(path)[\($0)]") }
    }

    /// Reads a test; fields without a property here are retained as JSON.
    private init(_ value: FleeceValue, _ path: String) throws {
        guard let object = value.dictionary else {
            throw DescriptorObject.wrong(path, "is not an object")
        }
        guard let name = object["test_name"]?.string, !name.isEmpty else {
            throw DescriptorObject.wrong(path + ".test_name", "is not a string")
        }
        self.init(
            .init(rawValue: name), inputs: try Self.inputs(object["inputs"], path + ".inputs"),
            otherJSON: try Self.others(object))
    }

    private static func inputs(_ value: FleeceValue?, _ path: String) throws -> [String] {
        guard let value, !value.isNull else { return [] }
        guard let array = value.array else { throw DescriptorObject.wrong(path, "is not an array") }
        return try array.enumerated().map { index, input in
            guard let text = input.string else {
                throw DescriptorObject.wrong("\(path)[\(index)]", "is not a string")
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

extension OONIStore.TestDescriptor {
    /// Reads a descriptor as returned by OONI's API, or an array of descriptors as bundled with
    /// apps.
    ///
    /// Dates are RFC 3339; the revision and the number of the link may be strings or numbers.
    /// Fields of a test without a property here are retained in ``NetTest/otherJSON``.
    ///
    /// ```swift
    /// let (links, problems) = try OONIStore.TestDescriptor.read(
    ///     json: """
    ///         {"oonirun_link_id": "10004", "revision": "1", "name": "Mine",
    ///          "nettests": [{"test_name": "web_connectivity", "inputs": ["https://ooni.org/"]}]}
    ///         """)
    /// show(links.map(\.key), problems)
    /// ```
    ///
    /// - Parameter json: one JSON object, or an array of them.
    /// - Returns: the descriptors, each revision once, and the problems with optional fields, whose
    ///   properties are then nil or empty: one line each, beginning with the field.
    /// - Throws: ``OONIStoreError/Code/invalidDescriptor``, naming the field, if the number,
    ///   revision, name or tests are missing or invalid, or if the input is not JSON.
    public static func read(
        json: String
    ) throws -> (descriptors: [OONIStore.TestDescriptor], problems: [String]) {
        let root: FleeceValue
        do {
            root = try FleeceDocument(json: json).root
        } catch {
            throw DescriptorObject.wrong("", "is not JSON: \(error)")
        }
        var objects = [DescriptorObject(value: root, path: "")]
        if let array = root.array {
            objects = array.enumerated().map { DescriptorObject(value: $1, path: "[\($0)].") }
        }
        var descriptors: [OONIStore.TestDescriptor] = []
        var problems: [String] = []
        var known: Set<Key> = []
        for var object in objects {
            let descriptor = try object.descriptor()
            problems += object.problems
            if known.insert(descriptor.key).inserted {
                descriptors.append(descriptor)
            } else {
                problems.append(
                    "\(object.path)revision is \(descriptor.revision) of \(descriptor.runID), as "
                        + "an earlier one's; the earlier one is used")
            }
        }
        return (descriptors, problems)
    }
}

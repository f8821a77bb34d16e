internal import DocumentStore

extension OONIStore.TestDescriptor {
    /// Reads what OONI's API gives of a link, or an array of such objects, as apps bring them.
    ///
    /// Dates are RFC 3339; the revision and the number of the link may be texts or numbers. Fields
    /// of a test that this library has no name for are kept in `NetTest.otherJSON`.
    ///
    /// - Returns: the descriptors, each revision once, and what was wrong with what they can do
    ///   without, which is then nil or empty: a line each, that begins with the field.
    ///
    /// Throws `.invalidDescriptor`, naming the field, if a descriptor lacks its number, revision,
    /// name or tests, or if one of those is not what it must be; and for what is no JSON.
    public static func read(
        json: String
    ) throws -> (descriptors: [OONIStore.TestDescriptor], problems: [String]) {
        let root: FleeceValue
        do {
            root = try FleeceDocument(json: json).root
        } catch {
            throw DescriptorObject.wrong("", "is no JSON: \(error)")
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
                        + "another one's before it; that one is kept")
            }
        }
        return (descriptors, problems)
    }
}

internal import DocumentStore

/// Changes of an object as RFC 7396 writes them: properties that are set, `null` for those that go.
struct MergePatch {
    private let patch: FleeceValue

    /// Throws for a patch that would not leave an object.
    init(_ value: FleeceValue) throws {
        guard value.dictionary != nil else {
            throw ToolError("a merge patch is a JSON object")
        }
        patch = value
    }

    /// What it makes of properties.
    func applied(to properties: MutableFleeceDictionary) -> MutableFleeceDictionary {
        Self.merged(patch, into: .dictionary(properties)).dictionary ?? [:]
    }

    private static func merged(
        _ patch: FleeceValue, into target: MutableFleeceValue?
    ) -> MutableFleeceValue {
        guard let changes = patch.dictionary else { return .value(patch) }
        var result = target?.dictionary ?? [:]
        for (key, value) in changes {
            result[key] = value.isNull ? nil : merged(value, into: result[key])
        }
        return .dictionary(result)
    }
}

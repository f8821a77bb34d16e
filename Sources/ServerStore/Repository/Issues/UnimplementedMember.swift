/// Code under test has called what the test has not implemented.
public struct UnimplementedMember: Error, Hashable, Sendable, CustomStringConvertible {
    /// The type.
    public let type: String
    /// Its member.
    public let name: String

    /// One line: what happened, what to do.
    public var description: String {
        "\(type).\(name) was called and is not implemented: "
            + "pass `\(name):` to \(type)'s initializer"
    }
}

/// Those members of a value that whoever made it has not given.
struct AbsentMembers: Sendable {
    let type: String
    let location: IssueLocation?

    init(of type: String, madeAt location: IssueLocation?) {
        (self.type, self.location) = (type, location)
    }

    /// Tells that one was called; the error to throw.
    func called(_ name: String) -> UnimplementedMember {
        let error = UnimplementedMember(type: type, name: name)
        TestIssues.report(error.description, at: location)
        return error
    }
}

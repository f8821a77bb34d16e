/// Code under test has called a member that the test has not implemented.
///
/// The member throws it after ``TestIssues`` has reported it, so the test fails even if the code
/// ignores the error. Pass the member to
/// ``ServerRepository/init(servers:names:fileID:filePath:line:column:)`` or to the initializer with
/// all members.
public struct UnimplementedMember: Error, Hashable, Sendable, CustomStringConvertible {
    /// The type that has the member, such as `ServerRepository`.
    public let type: String
    /// The name of the member, such as `getServers`: the label of the initializer's parameter.
    public let name: String

    /// One line: what happened, and what to do.
    public var description: String {
        "\(type).\(name) was called and is not implemented: "
            + "pass `\(name):` to \(type)'s initializer"
    }
}

/// The members of a value that were not passed to its initializer.
struct AbsentMembers: Sendable {
    let type: String
    let location: IssueLocation?

    init(of type: String, madeAt location: IssueLocation?) {
        (self.type, self.location) = (type, location)
    }

    /// Reports a call of one; returns the error to throw.
    func called(_ name: String) -> UnimplementedMember {
        let error = UnimplementedMember(type: type, name: name)
        TestIssues.report(error.description, at: location)
        return error
    }
}

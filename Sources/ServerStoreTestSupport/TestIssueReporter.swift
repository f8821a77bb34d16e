public import ServerStore
internal import Testing
internal import XCTest

/// Records issues of the running test, of Swift Testing or of XCTest.
///
/// `TestIssues` of ServerStore finds this class by its name, in each process that links this
/// library; nothing has to be registered. Use `TestIssues.withReporter` to expect an issue:
/// ```swift
/// let repository = ServerRepository(serverCount: { 1 })
/// TestIssues.withReporter { message, location in
///     XCTAssertTrue(message.contains("countryCount"))
/// } operation: {
///     _ = try? repository.countryCount()
/// }
/// ```
public final class TestIssueReporter: TestIssueReporting {
    /// Records an issue of the running test, which fails.
    ///
    /// - Parameters:
    ///   - message: one line: what happened, and what to do.
    ///   - location: the location it is about; nil if unknown.
    public static func report(_ message: String, at location: IssueLocation?) {
        // XCTest cannot report whether one of its tests is running, and on a thread of its own a
        // test of Swift Testing is not known either. So both receive the issue: the one that is not
        // running ignores it.
        let isKnown = Test.current != nil
        let source = location.map {
            SourceLocation(
                fileID: "\($0.fileID)", filePath: "\($0.filePath)", line: $0.line,
                column: $0.column)
        }
        Issue.record("\(message)", sourceLocation: source ?? #_sourceLocation)
        if isKnown { return }
        if let location {
            XCTFail(message, file: location.filePath, line: UInt(location.line))
        } else {
            XCTFail(message)
        }
    }
}

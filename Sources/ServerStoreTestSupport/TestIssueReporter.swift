public import ServerStore
internal import Testing
internal import XCTest

/// Makes issues of the test that runs: of Swift Testing or of XCTest. `TestIssues` finds this class
/// by its name.
public final class TestIssueReporter: TestIssueReporting {
    /// Takes one line, and where it is about, if that is known.
    public static func report(_ message: String, at location: IssueLocation?) {
        // XCTest has no way to ask whether one of its tests is running. On a thread of its own a
        // test of Swift Testing is not known either. So both are told: one of them is not at work,
        // and does not mind.
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

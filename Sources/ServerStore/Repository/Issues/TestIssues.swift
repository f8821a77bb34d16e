internal import Foundation
internal import Synchronization

/// Reports calls of unimplemented members by code under test.
///
/// A library cannot import a testing library, so the reporter is injected: in a process that links
/// `ServerStoreTestSupport`, its reporter is found at run time and records an issue of the test.
/// `setReporter` and `withReporter` replace it. Without a reporter, issues are written to standard
/// error.
public enum TestIssues {
    /// Receives one line, and the location it is about, if known.
    public typealias Reporter = @Sendable (_ message: String, _ location: IssueLocation?) -> Void

    private static let chosen = Mutex<Reporter?>(nil)
    @TaskLocal private static var local: Reporter?

    /// The class of `ServerStoreTestSupport` that reports to testing libraries.
    private static let found: Reporter? = {
        let name = "ServerStoreTestSupport.TestIssueReporter"
        guard let type = NSClassFromString(name) as? any TestIssueReporting.Type else { return nil }
        return { type.report($0, at: $1) }
    }()

    /// Replaces the reporter for the whole process; nil restores the default.
    public static func setReporter(_ reporter: Reporter?) {
        chosen.withLock { $0 = reporter }
    }

    /// Replaces the reporter for the duration of `operation`.
    public static func withReporter<R>(
        _ reporter: @escaping Reporter, operation: () throws -> R
    ) rethrows -> R {
        try $local.withValue(reporter, operation: operation)
    }

    /// Whether this process has tests, that is a reporter.
    public static var isTesting: Bool { reporter != nil }

    private static var reporter: Reporter? { local ?? chosen.withLock { $0 } ?? found }

    /// Reports an issue.
    static func report(_ message: String, at location: IssueLocation?) {
        guard let reporter else {
            // Without a reporter, the thrown error still describes the issue.
            let line = location.map { "\($0): \(message)\n" } ?? message + "\n"
            try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
            return
        }
        reporter(message, location)
    }
}

/// A class that `TestIssues` finds by its name.
public protocol TestIssueReporting: SendableMetatype {
    /// Receives one line, and the location it is about, if known.
    static func report(_ message: String, at location: IssueLocation?)
}

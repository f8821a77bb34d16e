internal import Foundation
internal import Synchronization

/// Who is told that code under test has called what the test has not implemented.
///
/// A library cannot import a testing library, so it is told who that is: in a process with
/// `ServerStoreTestSupport`, its reporter is found by itself, and makes an issue of the test of it.
/// Another one can take its place. Where there is none, standard error is told.
public enum TestIssues {
    /// Takes one line, and where it is about, if that is known.
    public typealias Reporter = @Sendable (_ message: String, _ location: IssueLocation?) -> Void

    private static let chosen = Mutex<Reporter?>(nil)
    @TaskLocal private static var local: Reporter?

    /// The class of `ServerStoreTestSupport` that reports to testing libraries.
    private static let found: Reporter? = {
        let name = "ServerStoreTestSupport.TestIssueReporter"
        guard let type = NSClassFromString(name) as? any TestIssueReporting.Type else { return nil }
        return { type.report($0, at: $1) }
    }()

    /// Tells someone else from now on, in the whole process; nil to undo that.
    public static func setReporter(_ reporter: Reporter?) {
        chosen.withLock { $0 = reporter }
    }

    /// Tells someone else what comes of `operation`.
    public static func withReporter<R>(
        _ reporter: @escaping Reporter, operation: () throws -> R
    ) rethrows -> R {
        try $local.withValue(reporter, operation: operation)
    }

    /// Whether this process has tests: somebody is there to be told.
    public static var isTesting: Bool { reporter != nil }

    private static var reporter: Reporter? { local ?? chosen.withLock { $0 } ?? found }

    /// Tells of an issue.
    static func report(_ message: String, at location: IssueLocation?) {
        guard let reporter else {
            // Where nobody can be told, the error still tells that is thrown.
            let line = location.map { "\($0): \(message)\n" } ?? message + "\n"
            try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
            return
        }
        reporter(message, location)
    }
}

/// A class that `TestIssues` finds by its name.
public protocol TestIssueReporting: SendableMetatype {
    /// Takes one line, and where it is about, if that is known.
    static func report(_ message: String, at location: IssueLocation?)
}

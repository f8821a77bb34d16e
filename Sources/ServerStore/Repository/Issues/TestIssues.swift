internal import Foundation
internal import Synchronization

/// Reports calls of unimplemented members by code under test, and errors of
/// ``FallbackServerRepository``.
///
/// A library cannot import a testing library, so the reporter is injected: in a process that links
/// `ServerStoreTestSupport`, its reporter is found at run time and records an issue of the test.
/// ``setReporter(_:)`` and ``withReporter(_:operation:)`` replace it. Without a reporter, issues
/// are written to standard error.
/// ```swift
/// TestIssues.setReporter { message, location in
///     print(location.map { "\($0): \(message)" } ?? message)
/// }
/// ```
public enum TestIssues {
    /// Receives one line, and the location it is about, if known. It is called on the thread of the
    /// call that failed.
    public typealias Reporter = @Sendable (_ message: String, _ location: IssueLocation?) -> Void

    private static let chosen = Mutex<Reporter?>(nil)
    @TaskLocal private static var local: Reporter?

    /// The class of `ServerStoreTestSupport` that reports to testing libraries.
    private static let found: Reporter? = {
        let name = "ServerStoreTestSupport.TestIssueReporter"
        guard let type = NSClassFromString(name) as? any TestIssueReporting.Type else { return nil }
        return { type.report($0, at: $1) }
    }()

    /// Replaces the reporter for the whole process, for a testing library other than Swift Testing
    /// and XCTest.
    ///
    /// - Parameter reporter: receives the issues; nil restores the default.
    public static func setReporter(_ reporter: Reporter?) {
        chosen.withLock { $0 = reporter }
    }

    /// Replaces the reporter for the duration of an operation, and for the tasks that it creates.
    ///
    /// It tests that code calls an unimplemented member:
    /// ```swift
    /// let repository = ServerRepository()
    /// TestIssues.withReporter { message, _ in
    ///     print(message)  // ServerRepository.serverCount was called and is not implemented: …
    /// } operation: {
    ///     _ = try? repository.serverCount()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - reporter: receives the issues of the operation.
    ///   - operation: runs with the reporter.
    /// - Returns: the result of the operation.
    /// - Throws: errors of the operation.
    public static func withReporter<R>(
        _ reporter: @escaping Reporter, operation: () throws -> R
    ) rethrows -> R {
        try $local.withValue(reporter, operation: operation)
    }

    /// Whether this process has tests, that is a reporter. It decides between the test and the live
    /// values of dependencies.
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

/// A class that `TestIssues` finds by its name; applications use ``TestIssues/setReporter(_:)``
/// instead.
public protocol TestIssueReporting: SendableMetatype {
    /// Receives one line, and the location it is about, if known.
    static func report(_ message: String, at location: IssueLocation?)
}

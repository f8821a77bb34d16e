public import DataFileCore
internal import QueryFunctions
internal import SQLCore
internal import StoreFormat

extension DataFile {
    /// Says what is wrong with the file, and where; nothing in it is changed.
    ///
    /// ```swift
    /// let report = try file.verify()
    /// for finding in report.findings { print(finding.message) }
    /// if !report.isIntact { try file.fix(report.findings) }
    /// ```
    /// It looks at SQLite's pages, at each row, at the indexes and at the blobs, on one snapshot
    /// (but for SQLite's own check); others can go on meanwhile. What is damaged is a finding and
    /// no error: all that can be read is looked at. A blob that was put and is in no document yet
    /// counts as unused.
    ///
    /// - Parameters:
    ///   - options: how thoroughly.
    ///   - progress: called now and then, on this thread; false ends it.
    ///   - report: called with each finding that is listed, as it is found, on this thread.
    ///
    /// Throws `CancellationError` if `progress` is false, `.transactionNotClosed` inside a read or
    /// write of the thread, and `StoreError` for what is not damage, such as a lack of memory.
    @discardableResult
    public func verify(
        _ options: VerificationOptions = VerificationOptions(),
        progress: ((VerificationProgress) -> Bool)? = nil,
        report: ((VerificationFinding) -> Void)? = nil
    ) throws -> VerificationReport {
        try StoreError.wrapping(path: path) {
            let shared = try requireOpen()
            try shared.requireNoTransaction(on: shared.readers)
            return try shared.readers.withPooledConnection { member in
                try member.perform { try shared.verify(on: $0, options, progress, report) }
            }
        }
    }

    /// Says what is wrong with the file, and where; as the other `verify`, for tasks.
    ///
    /// It ends with a `CancellationError` when the task is cancelled.
    @discardableResult
    public func verify(
        _ options: VerificationOptions = VerificationOptions(),
        progress: (@Sendable (VerificationProgress) -> Bool)? = nil,
        report: (@Sendable (VerificationFinding) -> Void)? = nil
    ) async throws -> VerificationReport {
        try await StoreError.wrapping(path: path) {
            let shared = try requireOpen()
            return try await shared.readers.withPooledConnection { member in
                try shared.verify(on: member, options, progress, report)
            }
        }
    }
}

extension SharedFile {
    /// Verifies the file on a connection on which no transaction is open.
    fileprivate func verify(
        on member: PooledConnection, _ options: VerificationOptions,
        _ progress: ((VerificationProgress) -> Bool)?,
        _ report: ((VerificationFinding) -> Void)?
    ) throws -> VerificationReport {
        let session = try member.session(path)
        session.functions.forgetKeys()
        return try Verifier(
            session, options: options, blobs: blobs, now: state.now(),
            latestPlausible: state.clock.latestPlausible, progress: VerificationTicker(progress),
            sink: VerificationSink(limit: options.limit, report)
        ).run()
    }
}

public import DataFileCore
internal import QueryFunctions
internal import SQLCore
internal import StoreFormat

extension DataFile {
    /// Checks the whole file and reports what is wrong, without changing it.
    ///
    /// ```swift
    /// let report = try file.verify()
    /// for finding in report.findings { print(finding.message) }
    /// if !report.isIntact { try file.fix(report.findings) }
    /// ```
    /// It checks SQLite's pages, each row, the indexes and the blobs, all but the first in one
    /// snapshot. Other connections can continue meanwhile. Damage is a finding, not an error:
    /// everything readable is checked. A blob that was put and is not in a document yet is reported
    /// as unused.
    ///
    /// The duration is proportional to the size of the file and its blobs.
    ///
    /// - Parameters:
    ///   - options: what to check, and how thoroughly.
    ///   - progress: called from time to time on the calling thread; returns false to cancel.
    ///   - report: called on the calling thread with each listed finding, when it is found.
    /// - Returns: all findings, with counts and with what could not be checked.
    /// - Throws: `CancellationError` if `progress` returns false; `.transactionNotClosed` inside a
    ///     read or write on the same thread; `StoreError` for errors other than damage, such as a
    ///     lack of memory.
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

    /// Checks the whole file asynchronously; see the other `verify`.
    ///
    /// Throws `CancellationError` when the task is cancelled.
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
    /// Verifies the file on a connection without an open transaction.
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

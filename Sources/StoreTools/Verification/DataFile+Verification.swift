public import DataFileCore
internal import QueryFunctions
internal import SQLCore
internal import StoreFormat

extension DataFile {
    /// Checks the whole file and reports what is wrong, without changing it.
    ///
    /// ```swift
    /// let report = try file.verify()
    /// for finding in report.findings { show(finding.message) }
    /// if !report.isIntact { try file.fix(report.findings) }
    /// ```
    ///
    /// It checks SQLite's pages, each row, the indexes and the blobs, all but the first in one
    /// snapshot. Other connections can continue meanwhile. Damage is a finding, not an error:
    /// everything readable is checked. A blob that was put and is not in a document yet is reported
    /// as unused.
    ///
    /// The duration is proportional to the size of the file and its blobs;
    /// ``VerificationOptions/Level/quick`` and a sample reduce it. Findings can be shown when they
    /// are found, and the check be cancelled:
    ///
    /// ```swift
    /// let isCancelled = false
    /// let options = VerificationOptions(level: .quick)
    /// let report = try file.verify(options, progress: { _ in !isCancelled }) { finding in
    ///     show(finding.severity, finding.message)
    /// }
    /// ```
    ///
    /// For SQLite's check alone, use `DataFile.integrityCheck`.
    ///
    /// - Parameters:
    ///   - options: what to check, and how thoroughly; by default everything.
    ///   - progress: called from time to time on the calling thread; returns false to cancel.
    ///   - report: called on the calling thread with each listed finding, when it is found.
    /// - Returns: all findings, with counts and with what could not be checked.
    /// - Throws: `CancellationError` if `progress` returns false; `StoreError` with the code
    ///   `transactionNotClosed` inside a read or write on the same thread, or for errors other than
    ///   damage, such as a lack of memory.
    @discardableResult
    public func verify(
        _ options: VerificationOptions = VerificationOptions(),
        progress: ((VerificationProgress) -> Bool)? = nil,
        report: ((VerificationFinding) -> Void)? = nil
    ) throws -> VerificationReport {
        try StoreError.wrapping(path: path) {
            let shared = try requireOpen()
            try shared.requireNoTransaction(on: shared.readers)
            return try shared.readers.withPooledConnection {
                try shared.verify(on: $0, options, progress, report)
            }
        }
    }

    /// Checks the whole file asynchronously; see the other `verify`.
    ///
    /// ```swift
    /// let check = Task { try await file.verify(VerificationOptions(level: .quick)) }
    /// let report = try await check.value
    /// show(report.isIntact ? "intact" : "\(report.errors) errors")
    /// ```
    ///
    /// It occupies one of the reading connections and its thread, and no thread of the task's pool.
    /// Cancelling the task ends it.
    ///
    /// - Parameters:
    ///   - options: what to check, and how thoroughly; by default everything.
    ///   - progress: called from time to time on the connection's thread; returns false to cancel.
    ///   - report: called on the connection's thread with each listed finding, when it is found.
    /// - Returns: all findings, with counts and with what could not be checked.
    /// - Throws: `CancellationError` when the task is cancelled, and the errors of the other
    ///   `verify`.
    @discardableResult
    public func verify(
        _ options: VerificationOptions = VerificationOptions(),
        progress: (@Sendable (VerificationProgress) -> Bool)? = nil,
        report: (@Sendable (VerificationFinding) -> Void)? = nil
    ) async throws -> VerificationReport {
        try await StoreError.wrapping(path: path) {
            let shared = try requireOpen()
            return try await shared.readers.withPooledConnection {
                try shared.verify(on: $0, options, progress, report)
            }
        }
    }
}

extension SharedFile {
    /// Verifies the file on a connection without an open transaction.
    fileprivate func verify(
        on connection: Connection, _ options: VerificationOptions,
        _ progress: ((VerificationProgress) -> Bool)?,
        _ report: ((VerificationFinding) -> Void)?
    ) throws -> VerificationReport {
        connection.functions.forgetKeys()
        return try Verifier(
            connection, options: options, blobs: blobs, now: state.now(),
            latestPlausible: state.clock.latestPlausible, progress: VerificationTicker(progress),
            sink: VerificationSink(limit: options.limit, report)
        ).run()
    }
}

public import DataFileCore
internal import StoreFormat

extension DataFile {
    /// Fixes findings of `verify`, as far as that is possible without losing anything.
    ///
    /// ```swift
    /// let report = try file.verify()
    /// let fixed = try file.fix(report.findings)
    /// for line in fixed.done { show("fixed:", line) }
    /// let remaining = try file.verify().errors
    /// ```
    ///
    /// Indexes are rebuilt from the documents; tables and triggers that belong to no index are
    /// dropped; tombstones and documents are moved to their own tables; missing attachments flags
    /// are set; the last sequence in `kvmeta` is raised; versions that are years ahead of the
    /// system clock are set to the present time. No document is changed otherwise or removed. Lost
    /// data stays lost; see ``Salvage``.
    ///
    /// Each fix is a transaction of its own, and blocks other writers meanwhile. The first one
    /// upgrades a file of an older schema, as every write does. Make a copy with `DataFile.copy`
    /// before you fix a file that is irreplaceable.
    ///
    /// - Parameter findings: findings of a report. Those that cannot be fixed, see
    ///   ``VerificationFinding/isFixable``, are ignored.
    /// - Returns: what was fixed, and what failed.
    /// - Throws: `StoreError` with the code `notWriteable`, `busy` and similar ones, if nothing can
    ///   be written. A single fix that fails is not an error.
    @discardableResult
    public func fix(_ findings: [VerificationFinding]) throws -> VerificationFix {
        var fixed = VerificationFix()
        for step in FixStep.steps(for: findings) {
            do {
                fixed.done += try StoreError.wrapping(path: path) {
                    try requireWriter().write(trustsSchema: step.removesForeign) {
                        try step.run(in: $0)
                    }
                }
            } catch let error as StoreError where !error.endsRepair {
                fixed.add(failure: error)
            }
        }
        return fixed
    }

    /// Fixes findings of `verify` asynchronously; see the other `fix`.
    ///
    /// ```swift
    /// let report = try await file.verify()
    /// let indexes = report.findings.filter { $0.area == .index }
    /// let fixed = try await file.fix(indexes)
    /// show(fixed.done, fixed.failed)
    /// ```
    ///
    /// Each fix waits for the writing connection, so other writes can run between two fixes. No
    /// thread is blocked.
    ///
    /// - Parameter findings: findings of a report. Those that cannot be fixed are ignored.
    /// - Returns: what was fixed, and what failed.
    /// - Throws: `CancellationError` if the task is cancelled, which undoes the fix in progress,
    ///   and the errors of the other `fix`.
    @discardableResult
    public func fix(_ findings: [VerificationFinding]) async throws -> VerificationFix {
        var fixed = VerificationFix()
        for step in FixStep.steps(for: findings) {
            do {
                fixed.done += try await StoreError.wrapping(path: path) {
                    try await requireWriter().write(trustsSchema: step.removesForeign) {
                        try step.run(in: $0)
                    }
                }
            } catch let error as StoreError where !error.endsRepair {
                fixed.add(failure: error)
            }
        }
        return fixed
    }
}

extension StoreError {
    /// Whether the error also prevents all other fixes.
    fileprivate var endsRepair: Bool {
        [.notWriteable, .notOpen, .busy, .transactionNotClosed, .cannotUpgradeDatabase]
            .contains { has($0) }
    }
}

extension VerificationFix {
    /// Notes why a step failed. An error that prevents all steps is noted once.
    fileprivate mutating func add(failure error: StoreError) {
        if failed.last != error.message { failed.append(error.message) }
    }
}

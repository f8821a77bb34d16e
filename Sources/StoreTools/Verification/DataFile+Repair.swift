public import DataFileCore
internal import StoreFormat

extension DataFile {
    /// Puts right what `verify` has found, as far as that is possible without losing anything.
    ///
    /// Indexes are created again from the documents, tables and triggers that belong to no index are
    /// dropped, tombstones and documents are put into their own tables, a missing flag of
    /// attachments is set, `kvmeta` says the last sequence, and versions that are years ahead of
    /// the system clock get the present time. No document is changed otherwise,
    /// or removed; what is lost stays lost, see `Salvage`. Each of these is a transaction of its
    /// own. The first one upgrades a file of an older schema, as every write does.
    ///
    /// - Parameter findings: those of a report; the ones that cannot be fixed are passed over.
    ///
    /// Throws `.notWriteable`, `.busy` and the like, if nothing can be written; one thing that
    /// cannot be put right is no error.
    @discardableResult
    public func fix(_ findings: [VerificationFinding]) throws -> VerificationRepair {
        var repair = VerificationRepair()
        for step in RepairStep.steps(for: findings) {
            do {
                repair.done += try StoreError.wrapping(path: path) {
                    try requireWriter().write(trustsSchema: step.removesForeign) {
                        try step.run(in: $0)
                    }
                }
            } catch let error as StoreError where !error.endsRepair {
                repair.add(failure: error)
            }
        }
        return repair
    }

    /// Puts right what `verify` has found; as the other `fix`, for tasks.
    @discardableResult
    public func fix(_ findings: [VerificationFinding]) async throws -> VerificationRepair {
        var repair = VerificationRepair()
        for step in RepairStep.steps(for: findings) {
            do {
                repair.done += try await StoreError.wrapping(path: path) {
                    try await requireWriter().write(trustsSchema: step.removesForeign) {
                        try step.run(in: $0)
                    }
                }
            } catch let error as StoreError where !error.endsRepair {
                repair.add(failure: error)
            }
        }
        return repair
    }
}

extension StoreError {
    /// Whether nothing else can be written either.
    fileprivate var endsRepair: Bool {
        [.notWriteable, .notOpen, .busy, .transactionNotClosed, .cannotUpgradeDatabase]
            .contains { has($0) }
    }
}

extension VerificationRepair {
    /// Notes why a step was not done; what keeps all of them from it is noted once.
    fileprivate mutating func add(failure error: StoreError) {
        if failed.last != error.message { failed.append(error.message) }
    }
}

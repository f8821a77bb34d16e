public import DocumentStore

// From the end of a measurement to OONI's server.
extension OONIStore.Measurements {
    /// The outcome of an attempt to upload a measurement, recorded with ``noteUpload(_:of:in:)``.
    public enum UploadOutcome: Hashable, Sendable {
        /// OONI's server has accepted it: its identifier there, and the server's verification
        /// status; nil if the server did not return them.
        case uploaded(uid: String?, verification: OONIStore.VerificationStatus?)
        /// The upload failed, for example without a network; the next sweep tries it again. The
        /// message is shown to the user.
        case failed(message: String?)
        /// The report is missing or empty: the measurement is removed, unless another task has
        /// uploaded it.
        case reportMissing
        /// The report cannot be read: the measurement counts as failed and is not tried again.
        case reportUnreadable(message: String?)
    }

    /// Records the outcome of an attempt to upload a measurement.
    ///
    /// An uploaded measurement stays uploaded, whatever the outcome of another attempt.
    /// ``OONIStore/uploadMissing(_:)`` calls it for each measurement of a sweep; call it for one
    /// that is uploaded as soon as its test is done:
    ///
    /// ```swift
    /// let uid = try await sendReport("Measurement/7_signal.json")
    /// try await probe.write { [measurementID] in
    ///     try probe.measurements.noteUpload(
    ///         .uploaded(uid: uid, verification: nil), of: measurementID, in: $0)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - outcome: the outcome of the attempt.
    ///   - id: the ID of the measurement.
    ///   - transaction: the transaction in which it is written.
    /// - Returns: the updated measurement; nil if it was removed.
    /// - Throws: ``OONIStoreError/Code/unknownMeasurement``.
    @discardableResult
    public func noteUpload(
        _ outcome: UploadOutcome, of id: OONIStore.Measurement.ID, in transaction: Transaction
    ) throws -> OONIStore.Measurement? {
        if outcome == .reportMissing {
            let known = try require(id, in: transaction)
            // Another task has uploaded it in the meantime and has removed its report.
            if known.isUploaded { return known }
            try delete(id, in: transaction)
            return nil
        }
        return try update(id, in: transaction) { measurement in
            switch outcome {
            case .uploaded(let uid, let verification):
                measurement.isUploaded = true
                measurement.isUploadFailed = false
                measurement.uploadFailureMessage = nil
                measurement.uid = uid ?? measurement.uid
                measurement.verificationStatus =
                    verification ?? measurement.verificationStatus
            // An uploaded measurement stays uploaded, whatever the outcome of another attempt.
            case _ where measurement.isUploaded, .reportMissing: break
            case .failed(let message):
                measurement.isUploadFailed = true
                measurement.uploadFailureMessage = message
            case .reportUnreadable(let message):
                measurement.isDone = false
                measurement.isFailed = true
                measurement.failureMessage = message
            }
        }
    }
}

extension OONIStore {
    /// Uploads all measurements that are done and not uploaded, oldest first, and records each
    /// outcome.
    ///
    /// After five consecutive failures it stops; the next call continues. Each outcome is recorded
    /// in a transaction of its own, so that a sweep can be cancelled at any time. Measurements that
    /// are deleted in the meantime are skipped.
    ///
    /// ```swift
    /// let sweep = try await probe.uploadMissing { measurement in
    ///     let uid = try await sendReport(measurement.reportFileName)
    ///     return .uploaded(uid: uid, verification: nil)
    /// }
    /// show("\(sweep.uploaded) uploaded, \(sweep.left) left")
    /// ```
    ///
    /// - Parameter upload: uploads a measurement; it runs outside of transactions, for one
    ///   measurement at a time. An error that it throws counts as `.failed`.
    /// - Returns: the number of uploaded measurements, and the number of those still not uploaded.
    /// - Throws: `CancellationError`, and errors of the store; outcomes recorded before stay.
    public func uploadMissing(
        _ upload: @Sendable (Measurement) async throws -> Measurements.UploadOutcome
    ) async throws -> (uploaded: Int, left: Int) {
        let waiting = try await read { try measurements.notUploaded(in: $0) }.map(\.id)
        var (uploaded, failures) = (0, 0)
        for id in waiting where failures < Self.mostFailures {
            // It may have been deleted, or uploaded by another task.
            guard let measurement = try await read({ try missingUpload(id, in: $0) }) else {
                continue
            }
            let outcome = try await Self.outcome(of: measurement, upload)
            let isThere = try await write { transaction in
                guard try missingUpload(id, in: transaction) != nil else { return false }
                try measurements.noteUpload(outcome, of: id, in: transaction)
                return true
            }
            guard isThere else { continue }
            switch outcome {
            case .uploaded: (uploaded, failures) = (uploaded + 1, 0)
            case .failed: failures += 1
            case .reportMissing, .reportUnreadable: failures = 0
            }
        }
        let left = try await read { try measurements.notUploaded(in: $0).count }
        return (uploaded, left)
    }

    /// A measurement that still has to be uploaded; nil if it was uploaded, removed, or its result
    /// has expired.
    private func missingUpload(
        _ id: Measurement.ID, in snapshot: Snapshot
    ) throws -> Measurement? {
        guard let measurement = try measurements.get(id, in: snapshot),
            measurement.isMissingUpload, try results.get(id.result, in: snapshot) != nil
        else { return nil }
        return measurement
    }

    private static func outcome(
        of measurement: Measurement,
        _ upload: @Sendable (Measurement) async throws -> Measurements.UploadOutcome
    ) async throws -> Measurements.UploadOutcome {
        do {
            return try await upload(measurement)
        } catch {
            // Cancelling the sweep is not a failure of the measurement.
            guard !(error is CancellationError) else { throw error }
            try Task.checkCancellation()
            return .failed(message: "\(error)")
        }
    }

    private static let mostFailures = 5
}

extension OONIStore.Results {
    /// Whether so many results wait for their upload that automatic tests should not start: 50 or
    /// more.
    ///
    /// - Parameter snapshot: the snapshot in which they are counted.
    /// - Returns: whether ``missingUploadCount(in:)`` is 50 or more.
    public func areTooManyWaiting(in snapshot: Snapshot) throws -> Bool {
        try missingUploadCount(in: snapshot) >= 50
    }
}

extension OONIStore.Measurements {
    /// Starts a measurement again: inserts a new measurement of the same test and website into the
    /// same result and records in which network it is repeated. The first measurement is unchanged.
    ///
    /// ```swift
    /// let network = OONIStore.NetworkDetails(asn: "AS3209", countryCode: "DE", type: .vpn)
    /// let again = try probe.write {
    ///     try probe.measurements.rerun(measurementID, in: network, at: startTime, in: $0)
    /// }
    /// show(again.isRerun)
    /// ```
    ///
    /// - Parameters:
    ///   - id: the ID of the first measurement.
    ///   - network: the network in which it is repeated; nil if it is unknown.
    ///   - startTime: when the new measurement starts.
    ///   - transaction: the transaction in which it is written.
    /// - Returns: the new measurement, which is not done.
    /// - Throws: ``OONIStoreError/Code/unknownMeasurement``, and
    ///   ``OONIStoreError/Code/unknownResult`` if the result has expired.
    public func rerun(
        _ id: OONIStore.Measurement.ID, in network: OONIStore.NetworkDetails?,
        at startTime: OONIStore.Instant, in transaction: Transaction
    ) throws -> OONIStore.Measurement {
        let first = try require(id, in: transaction)
        let again = try insert(
            first.testName, of: id.result, url: first.url, at: startTime, in: transaction)
        return try update(again.id, in: transaction) {
            ($0.isRerun, $0.rerunNetwork) = (true, network)
        }
    }
}

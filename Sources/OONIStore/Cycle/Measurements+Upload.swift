public import DocumentStore

// From the end of a measurement to OONI's server.
extension OONIStore.Measurements {
    /// What became of an attempt to upload a measurement.
    public enum UploadOutcome: Hashable, Sendable {
        /// OONI has it: its name there, and what OONI says of it.
        case uploaded(uid: String?, verification: OONIStore.VerificationStatus?)
        /// It is tried again with the next sweep.
        case failed(message: String?)
        /// There is no report, or an empty one: the measurement is removed.
        case reportMissing
        /// The report cannot be read: the measurement counts as failed, and is not tried again.
        case reportUnreadable(message: String?)
    }

    /// Notes what became of an attempt to upload a measurement.
    ///
    /// - Returns: the measurement as it is then; nil if it was removed.
    ///
    /// Throws `.unknownMeasurement`.
    @discardableResult
    public func noteUpload(
        _ outcome: UploadOutcome, of id: OONIStore.Measurement.ID, in transaction: Transaction
    ) throws -> OONIStore.Measurement? {
        if outcome == .reportMissing {
            let known = try require(id, in: transaction)
            // Somebody else has uploaded it meanwhile, and has removed its report.
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
            // What is uploaded stays so, whatever another attempt has come to.
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
    /// Uploads all measurements that are done and not uploaded, the first one first, and notes of
    /// each what became of it. After five failures one behind the other the rest is left for the
    /// next time.
    ///
    /// - Parameter upload: uploads a measurement; it runs outside of transactions. What it throws
    ///   counts as `.failed`.
    /// - Returns: how many were uploaded, and how many are left.
    ///
    /// Throws `CancellationError`, and what the store throws; what was noted before stays.
    public func uploadMissing(
        _ upload: @Sendable (Measurement) async throws -> Measurements.UploadOutcome
    ) async throws -> (uploaded: Int, left: Int) {
        let waiting = try await read { try measurements.notUploaded(in: $0) }.map(\.id)
        var (uploaded, failures) = (0, 0)
        for id in waiting where failures < Self.mostFailures {
            // It may be deleted by now, or somebody else has uploaded it.
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

    /// A measurement that is still to be uploaded; nil if it is not, or its result has expired.
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
            // A sweep that is cancelled says nothing of the measurement.
            guard !(error is CancellationError) else { throw error }
            try Task.checkCancellation()
            return .failed(message: "\(error)")
        }
    }

    private static let mostFailures = 5
}

extension OONIStore.Results {
    /// Whether so many results wait for their upload that no test should begin by itself.
    public func areTooManyWaiting(in snapshot: Snapshot) throws -> Bool {
        try missingUploadCount(in: snapshot) >= 50
    }
}

extension OONIStore.Measurements {
    /// Begins a measurement once more: a new one of the same test and website, in the same result,
    /// that says in which network it is repeated. The first one stays as it is.
    ///
    /// Throws `.unknownMeasurement`, and `.unknownResult` if the result has expired.
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

internal import DocumentStore

extension ProbeImporter {
    mutating func importMeasurements() throws {
        let measurements = OONIStore.Measurements(store: store)
        var numbers = try numbers(.measurements, .measurements)
        try forEachNumber(ProbeMeasurement.self, .id) { importer, number, row in
            guard let measurement = try importer.measurement(number, row, &numbers) else { return }
            try measurements.put(measurement, in: importer.transaction)
            importer.noteNumber(number, measurement.id)
        }
        try store.identifiers.use(numbers.highest, .measurements, in: transaction)
    }

    private mutating func measurement(
        _ number: Int64, _ row: ProbeRow<ProbeMeasurement>, _ numbers: inout ImportedNumbers
    ) throws -> OONIStore.Measurement? {
        guard let testName = row.word(.testName) else {
            leaveOut(.measurements, "\(number)", "test_name is NULL")
            return nil
        }
        guard let owner = row.long(.result) else {
            leaveOut(.measurements, "\(number)", "result_id is NULL")
            return nil
        }
        guard let index = resultIndices[owner] else {
            leaveOut(.measurements, "\(number)", "there is no result \(owner), or it was left out")
            return nil
        }
        let startTime = row.instant(.startTime)
        if startTime == nil {
            note(.measurements, "\(number)", "start_time is not a time; that of its result is used")
        }
        var measurement = OONIStore.Measurement(
            id: try .checked(results[index].id, numbers.number(for: number)),
            testName: .init(rawValue: testName), startTime: startTime ?? results[index].startTime)
        read(row, into: &measurement)
        readReferences(number, row, into: &measurement)
        results[index].counts.add(measurement)
        return measurement
    }

    private func read(
        _ row: ProbeRow<ProbeMeasurement>, into measurement: inout OONIStore.Measurement
    ) {
        measurement.runtimeSeconds = row.real(.runtime)
        measurement.isDone = row.flag(.isDone)
        measurement.isUploaded = row.flag(.isUploaded)
        measurement.isFailed = row.flag(.isFailed)
        measurement.failureMessage = row.text(.failureMessage)
        measurement.isUploadFailed = row.flag(.isUploadFailed)
        measurement.uploadFailureMessage = row.text(.uploadFailureMessage)
        measurement.isRerun = row.flag(.isRerun)
        measurement.isAnomaly = row.flag(.isAnomaly)
        measurement.reportID = row.word(.reportID)
        measurement.uid = row.word(.uid)
        // The app writes `Unknown` for an unknown status.
        let status = row.word(.verificationStatus).flatMap { $0 == "Unknown" ? nil : $0 }
        measurement.verificationStatus = status.map { .init(rawValue: $0) }
    }

    private mutating func readReferences(
        _ number: Int64, _ row: ProbeRow<ProbeMeasurement>,
        into measurement: inout OONIStore.Measurement
    ) {
        if let url = row.long(.url) {
            measurement.url = urls[url]
            if measurement.url == nil {
                note(.measurements, "\(number)", "there is no website \(url)")
            }
        }
        var problems: [String] = []
        if measurement.testName.isPerformance {
            measurement.testKeys = JSONField(row.text(.testKeys), "test_keys")
                .value(OONIStore.TestKeys.self, &problems)
        }
        measurement.rerunNetwork = JSONField(row.text(.rerunNetwork), "rerun_network")
            .network(&problems)
        for problem in problems { note(.measurements, "\(number)", problem) }
    }
}

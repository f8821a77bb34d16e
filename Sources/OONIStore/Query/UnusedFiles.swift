public import DocumentStore

extension OONIStore {
    /// The files of the app that the store no longer needs: reports of measurements that were
    /// removed or uploaded, and log files without a measurement.
    ///
    /// It finds what a crash, or expired results, have left. Call it now and then with the names of
    /// the app's directory:
    ///
    /// ```swift
    /// let names = try FileManager.default.contentsOfDirectory(atPath: "Measurement")
    /// let unused = try probe.read {
    ///     try probe.unusedFileNames(among: names.map { "Measurement/\($0)" }, in: $0)
    /// }
    /// try removeFiles(unused)
    /// ```
    ///
    /// Files of runs that started after the snapshot count as needed.
    ///
    /// - Parameters:
    ///   - names: file names in the form of ``Measurement/reportFileName`` and
    ///     ``Measurement/logFileName``. Other names are ignored.
    ///   - snapshot: the snapshot in which the measurements are read.
    /// - Returns: the names of files that can be removed, in the same order.
    /// - Throws: a `StoreError`, or a `DecodingError` for a measurement that cannot be read.
    public func unusedFileNames(
        among names: some Sequence<String>, in snapshot: Snapshot
    ) throws -> [String] {
        let files = names.compactMap { name in MeasurementFile(name).map { (name, $0) } }
        let reports = files.compactMap { $1.kind == .report ? $1.number : nil }
        let ids = try measurements.ids(of: Set(reports), in: snapshot)
        let lastResult = try collections.identifiers.last(.results, in: snapshot)
        let lastMeasurement = try collections.identifiers.last(.measurements, in: snapshot)
        return try files.filter { _, file in
            switch file.kind {
            case .log:
                guard file.number <= lastResult else { return false }
                return try !measurements.isLogNeeded(
                    of: file.test, .init(file.number), in: snapshot)
            case .report:
                guard let id = ids[file.number] else { return file.number <= lastMeasurement }
                return try measurements.get(id, in: snapshot)?.isUploaded ?? true
            }
        }.map(\.0)
    }
}

/// A parsed name of a file of the app.
private struct MeasurementFile {
    enum Kind {
        case report, log
    }

    let kind: Kind
    /// The number of the measurement, or of the result for a log file.
    let number: Int64
    let test: OONIStore.TestName

    init?(_ name: String) {
        let (directory, report, log) = ("Measurement/", ".json", ".log")
        guard name.hasPrefix(directory), name.hasSuffix(report) || name.hasSuffix(log),
            let end = name.firstIndex(of: "_"),
            let number = Int64(name[..<end].dropFirst(directory.count)), number > 0
        else { return nil }
        kind = name.hasSuffix(report) ? .report : .log
        self.number = number
        let test = name[end...].dropFirst().dropLast(kind == .report ? report.count : log.count)
        self.test = .init(rawValue: String(test))
    }
}

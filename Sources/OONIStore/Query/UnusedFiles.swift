public import DocumentStore

extension OONIStore {
    /// Which files of the app nothing in the store needs any more: reports of measurements that are
    /// gone or uploaded, and logs that no measurement writes into. What a crash, or results that
    /// expire, have left behind is found so.
    ///
    /// What was begun after the snapshot counts as needed.
    ///
    /// - Parameter names: names of files as `Measurement.reportFileName` and `logFileName` have
    ///   them. Others are left out: what they are is not known here.
    /// - Returns: those of them that can be removed, in the same order.
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

/// What the name of a file of the app says.
private struct MeasurementFile {
    enum Kind {
        case report, log
    }

    let kind: Kind
    /// Of the measurement, or of the result whose log it is.
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

public import DataFileCore

extension OONIStore {
    /// Which files of the app nothing in the store needs any more: reports of measurements that are
    /// gone or uploaded, and logs of results that are gone. What a crash, or results that expire,
    /// have left behind is found so.
    ///
    /// - Parameter names: names of files as `Measurement.reportFileName` and `logFileName` have
    ///   them. Others are left out: what they are is not known here.
    /// - Returns: those of them that can be removed, in the same order.
    public func unusedFileNames(
        among names: some Sequence<String>, in snapshot: Snapshot
    ) throws -> [String] {
        let files = names.compactMap { name in MeasurementFile(name).map { (name, $0) } }
        let reports = Set(files.compactMap { $1.measurement })
        let ids = try measurements.ids(of: reports, in: snapshot)
        return try files.filter { _, file in
            switch file {
            case .log(let result): return try results.get(result, in: snapshot) == nil
            case .report(let number):
                guard let id = ids[number] else { return true }
                return try measurements.get(id, in: snapshot)?.isUploaded ?? true
            }
        }.map(\.0)
    }
}

/// What a file of the app is of.
private enum MeasurementFile {
    case report(Int64)
    case log(OONIStore.Result.ID)

    init?(_ name: String) {
        let folder = "Measurement/"
        guard name.hasPrefix(folder), let end = name.firstIndex(of: "_"),
            let number = Int64(name[..<end].dropFirst(folder.count)), number > 0
        else { return nil }
        if name.hasSuffix(".json") {
            self = .report(number)
        } else if name.hasSuffix(".log") {
            self = .log(.init(number))
        } else {
            return nil
        }
    }

    /// The number of the measurement whose report it is.
    var measurement: Int64? {
        if case .report(let number) = self { number } else { nil }
    }
}

extension BenchmarkRun {
    /// The workload that another is measured against.
    public func baseline(of result: WorkloadResult) -> WorkloadResult? {
        result.baseline.flatMap(workload)
    }

    /// The ratios to the floor, round by round, for the same amount of work.
    ///
    /// Nil if there is no floor in the run, or if a time of either is not a positive number: what is
    /// left of such rounds would look better than what was measured.
    public func ratios(of result: WorkloadResult) -> [Double]? {
        guard let baseline = baseline(of: result), baseline.unit == result.unit,
            baseline.waitsForDisk == result.waitsForDisk, result.hasTimes, baseline.hasTimes
        else { return nil }
        let scale = Double(baseline.amount) / Double(result.amount)
        let ratios = result.judged.ratios(to: baseline.judged).map { $0 * scale }
        return ratios.isEmpty ? nil : ratios
    }

    /// The median of the ratios.
    public func ratio(of result: WorkloadResult) -> Double? { ratios(of: result)?.middle }
}

extension WorkloadResult {
    /// Whether what it writes has to reach a disk; of older files the name tells.
    public var waitsForDisk: Bool { isDurable ?? name.contains(", disk") }

    /// The times that count: those of the clock where it waits for a disk, otherwise those of the
    /// processor, which other programs disturb less.
    public var judged: Times { waitsForDisk ? wall : processor }

    /// Whether all its rounds have times that can be divided by.
    var hasTimes: Bool { amount > 0 && judged.arePositive }

    /// A time of a pass as the time for one item, or byte.
    func each(_ seconds: Double) -> Double { seconds / Double(amount) }
}

extension Times {
    /// Whether there are rounds, and all are positive numbers.
    var arePositive: Bool { !rounds.isEmpty && rounds.allSatisfy { $0 > 0 && $0.isFinite } }
}

extension [Double] {
    /// The one in the middle; of an even number the later of the two.
    var middle: Double? { isEmpty ? nil : sorted()[count / 2] }
}

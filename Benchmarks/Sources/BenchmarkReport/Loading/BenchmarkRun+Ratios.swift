extension BenchmarkRun {
    /// The workload that another is measured against.
    public func baseline(of result: WorkloadResult) -> WorkloadResult? {
        result.baseline.flatMap(workload)
    }

    /// The ratios to the baseline, round by round, for the same amount of work.
    ///
    /// Nil if the run does not have the baseline, or if a time of either is not a positive number:
    /// the rest of the rounds would be biased.
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
    /// Whether its writes have to reach a disk; in older files this is derived from the name.
    public var waitsForDisk: Bool { isDurable ?? name.contains(", disk") }

    /// The compared times: wall-clock time if it waits for a disk, otherwise CPU time, which is
    /// less affected by other programs.
    public var judged: Times { waitsForDisk ? wall : processor }

    /// Whether all of its rounds have positive times.
    var hasTimes: Bool { amount > 0 && judged.arePositive }

    /// The time of a pass converted to the time of one item, or byte.
    func each(_ seconds: Double) -> Double { seconds / Double(amount) }
}

extension Times {
    /// Whether there are rounds, and all are positive numbers.
    var arePositive: Bool { !rounds.isEmpty && rounds.allSatisfy { $0 > 0 && $0.isFinite } }
}

extension [Double] {
    /// The median; of an even number the upper one of the two in the middle.
    var middle: Double? { isEmpty ? nil : sorted()[count / 2] }
}

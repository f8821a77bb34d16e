extension Target {
    /// Judges a run.
    ///
    /// Ratios are medians of the rounds. Where the tables have seconds, the best round is compared,
    /// since the tables' figures are of the best round, and the limit is scaled by `MachineScale`.
    ///
    /// - Parameter counts: the allocations, which are not part of a run.
    public func evaluate(in run: BenchmarkRun, _ counts: AllocationCounts? = nil) -> Verdict {
        do throws(Unmeasured) {
            try requireReferenceFile(run)
            let measured = try measured(in: run, counts)
            guard measured.figure.isFinite, measured.bound.limit >= 0 else {
                throw Unmeasured(reason: "the figure is not a number")
            }
            let isMet = measured.bound.allows(measured.figure)
            let stretch = measured.bound.reachesStretch(measured.figure)
            return Verdict(
                target: self, outcome: isMet ? .met(stretch: stretch) : .missed, measured: measured)
        } catch {
            return Verdict(target: self, outcome: .notMeasured(reason: error.reason))
        }
    }

    private func measured(
        in run: BenchmarkRun, _ counts: AllocationCounts?
    ) throws(Unmeasured) -> Verdict.Measured {
        switch rule {
        case .timesBaseline(let bound): return try timesBaseline(bound, run)
        case .timesAsFast(let others, let bound):
            let own = try rounds(workloads, run)
            let other = try rounds(others, run)
            return .init(
                figure: try median(zip(own, other).map { $1 / $0 }), bound: bound, unit: .times,
                seconds: own.middle, baseline: other.middle)
        case .share(let seconds, _, let bound):
            return try inSeconds(bound.scaled(by: seconds), run)
        case .seconds(let bound): return try inSeconds(bound, run)
        case .bytesPerSecond(let bound): return try bytesPerSecond(bound, run)
        case .secondsMore(let other, let bound): return try more(than: other, bound, run)
        case .figure(let bound): return try figure(bound, run)
        case .noAllocations(let kernels):
            guard let counts else {
                throw Unmeasured(reason: "counted by kvgate; give its --thresholds")
            }
            return .init(figure: try counts.most(of: kernels), bound: .atMost(0), unit: .count)
        }
    }

    private func timesBaseline(
        _ bound: Bound, _ run: BenchmarkRun
    ) throws(Unmeasured) -> Verdict.Measured {
        let own = try result(workloads.first ?? "", run)
        guard let baseline = run.baseline(of: own) else {
            let name = own.baseline.map { "its baseline \"\($0)\"" } ?? "a baseline"
            throw Unmeasured(reason: "\(name) is not in the run")
        }
        guard let ratio = run.ratio(of: own) else {
            throw Unmeasured(
                reason: "a time of the baseline \"\(baseline.name)\" is not a positive number")
        }
        return .init(
            figure: ratio, bound: bound, unit: .times, seconds: seconds(own.judged.median, own),
            baseline: seconds(baseline.judged.median, baseline))
    }

    private func inSeconds(
        _ bound: Bound, _ run: BenchmarkRun
    ) throws(Unmeasured) -> Verdict.Measured {
        let scale = try MachineScale(run)
        let rounds = try rounds(workloads, run)
        let scaled = bound.scaled(by: scale.mean)
        let baseline = baseline(run)
        let best = baseline.map { seconds($0.judged.minimum, $0) }
        return .init(
            figure: rounds.min() ?? .nan, bound: scaled, unscaled: bound, unit: .seconds,
            seconds: rounds.middle, baseline: baseline.map { seconds($0.judged.median, $0) },
            isBaselineBeyond: baseline?.role == .baseline && best.map(scaled.allows) == false)
    }

    private func bytesPerSecond(
        _ bound: Bound, _ run: BenchmarkRun
    ) throws(Unmeasured) -> Verdict.Measured {
        let scale = try MachineScale(run)
        let own = try result(workloads.first ?? "", run)
        guard own.unit == .bytes else {
            throw Unmeasured(reason: "\"\(own.name)\" does not count bytes")
        }
        return .init(
            figure: Double(own.amount) / own.judged.minimum,
            bound: bound.scaled(by: 1 / scale.mean), unscaled: bound, unit: .bytesPerSecond,
            seconds: own.judged.median)
    }

    private func more(
        than other: String, _ bound: Bound, _ run: BenchmarkRun
    ) throws(Unmeasured) -> Verdict.Measured {
        let scale = try MachineScale(run)
        let own = try rounds(workloads, run)
        let less = try rounds([other], run)
        return .init(
            figure: (own.min() ?? .nan) - (less.min() ?? .nan),
            bound: bound.scaled(by: scale.mean), unscaled: bound, unit: .seconds,
            seconds: own.middle, baseline: less.middle)
    }

    private func figure(
        _ bound: Bound, _ run: BenchmarkRun
    ) throws(Unmeasured) -> Verdict.Measured {
        let name = workloads.first ?? ""
        guard let figure = run.figure(name), !figure.rounds.isEmpty else {
            throw Unmeasured(reason: "\"\(name)\" is not in the run")
        }
        return .init(figure: try median(figure.rounds), bound: bound, unit: .times)
    }

    // Preconditions.

    private func requireReferenceFile(_ run: BenchmarkRun) throws(Unmeasured) {
        guard needsReferenceFile else { return }
        guard let conversion = run.workload(Self.conversionOfReferenceFile) else {
            throw Unmeasured(
                reason: "\"\(Self.conversionOfReferenceFile)\" is not in the run, so that it is "
                    + "not known whether 1000people.json was available")
        }
        guard conversion.amount == Self.sizeOfReferenceFile else {
            throw Unmeasured(reason: "measured without 1000people.json")
        }
    }

    private func result(
        _ name: String, _ run: BenchmarkRun
    ) throws(Unmeasured) -> WorkloadResult {
        guard let result = run.workload(name) else {
            throw Unmeasured(reason: "\"\(name)\" is not in the run")
        }
        guard result.hasTimes else {
            throw Unmeasured(reason: "a time of \"\(name)\" is not a positive number")
        }
        return result
    }

    /// The total seconds of the workloads, round by round.
    private func rounds(
        _ names: [String], _ run: BenchmarkRun
    ) throws(Unmeasured) -> [Double] {
        var sums: [Double]?
        for name in names {
            let result = try result(name, run)
            let own = result.judged.rounds.map { seconds($0, result) }
            sums = sums.map { zip($0, own).map { $0 + $1 } } ?? own
        }
        return sums ?? []
    }

    private func median(_ rounds: [Double]) throws(Unmeasured) -> Double {
        guard rounds.allSatisfy(\.isFinite), let median = rounds.middle else {
            throw Unmeasured(reason: "a round is not a number")
        }
        return median
    }

    /// The baseline of the workload, if there is one.
    private func baseline(_ run: BenchmarkRun) -> WorkloadResult? {
        guard workloads.count == 1, let own = run.workload(workloads[0]),
            let baseline = run.baseline(of: own), baseline.hasTimes
        else { return nil }
        return baseline
    }

    private func seconds(_ pass: Double, _ result: WorkloadResult) -> Double {
        switch quantity {
        case .items(let count): result.each(pass) * Double(count)
        case .pass: pass
        }
    }
}

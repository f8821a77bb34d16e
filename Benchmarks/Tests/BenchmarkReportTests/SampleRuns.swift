import BenchmarkReport

/// Runs that are made up; times are seconds of a pass.
extension BenchmarkRun {
    static func sample(
        people: Int = 100_000, rounds: Int = 3, processor: String = "P",
        date: String = "2026-11-22T10:00:00Z", _ workloads: [WorkloadResult], figures: [Figure] = []
    ) -> BenchmarkRun {
        BenchmarkRun(
            date: date,
            machine: Machine(
                system: "Linux 6.1", processor: processor, cores: 2, memory: 8_000_000_000,
                swift: "6.3", sqlite: "3.40.1", sqliteOptions: ["THREADSAFE=1"]),
            settings: Settings(people: people, rounds: rounds, secondsOfRound: 0.1),
            workloads: workloads, figures: figures)
    }

    /// The four baselines that tell the machine's speed: so many times the tables' seconds.
    static func baselines(_ factors: [Double] = [2, 2, 2, 2]) -> [WorkloadResult] {
        let seconds = [2.1e-6, 4.1e-6, 200e-9, 100e-9]
        let names = [
            "store: insert, one transaction, tmpfs: C",
            "store: get at random and read 1 property: C",
            "store: enumerate by key, body and 1 property: C", "scan: step and touch the body, C",
        ]
        return names.indices.map { index in
            // The best round comes first: it is the one that counts.
            let pass = factors[index] * seconds[index] * 1000
            return .sample(
                names[index], role: .baseline, amount: 1000, [pass, pass * 1.5, pass * 1.2])
        }
    }
}

extension WorkloadResult {
    static func sample(
        _ name: String, role: Role = .engine, baseline: String? = nil, amount: Int = 1,
        unit: Unit = .items, _ rounds: [Double], wall: [Double]? = nil, passes: Int? = nil
    ) -> WorkloadResult {
        let times = Times(rounds: rounds, p99: rounds.max() ?? 0)
        let clock = wall.map { Times(rounds: $0, p99: $0.max() ?? 0) }
        return WorkloadResult(
            name: name, role: role, baseline: baseline, amount: amount, unit: unit,
            processor: times,
            wall: clock ?? times, first: 0.5, passes: passes)
    }
}

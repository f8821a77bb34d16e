import Foundation

/// Measures FleeceLite, SQLCore, DataFileCore and OONIStore, and others beside them, in turns.
///
///   kvbench [--only TEXT] [--rounds N] [--seconds S]
///   kvbench --threads                what readers cost each other, and a writer them
///   kvbench --memory [COUNT]         memory of a walk through so many documents, or a million
///   kvbench --cold                   one conversion of the people file
///   kvbench --only TEXT --passes N   so many passes, once
///
/// The last two are for tools that count instructions or allocations.
enum Kvbench {
    static func main() {
        do {
            try run(Arguments(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("kvbench: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: Arguments) throws {
        #if DEBUG
            throw BenchmarkError(message: "build it for release: swift run -c release kvbench")
        #else
            if arguments.isCold { return print(try FleeceWorkloads.convertOnce()) }
            defer { StoreData.removeFolders() }
            if arguments.isOfThreads { return try StoreThreads.report() }
            if let walk = arguments.walk { return try StoreMemory.walk(walk) }
            if let count = arguments.memoryCount { return try StoreMemory.report(count) }
            let others =
                FleeceWorkloads.all() + ReadingWorkloads.all() + CodableWorkloads.all()
                + UnfriendlyWorkloads.all() + SQLWorkloads.all()
            let groups = [others] + StoreWorkloads.groups()
            let names = groups.joined().map(\.name)
            let isExact = names.contains(arguments.only)
            for group in groups {
                let wanted = group.filter {
                    isExact
                        ? $0.name == arguments.only
                        : arguments.only.isEmpty || $0.name.contains(arguments.only)
                }
                // A floor goes along with what is measured against it; not for other tools.
                let floors = arguments.passes == nil ? Set(wanted.compactMap(\.floor)) : []
                let chosen = group.filter { workload in
                    floors.contains(workload.name) || wanted.contains { $0.name == workload.name }
                }
                if !chosen.isEmpty { try measure(chosen, arguments) }
            }
        #endif
    }

    private static func measure(_ workloads: [Workload], _ arguments: Arguments) throws {
        var measurements = try workloads.map { try Measurement($0) }
        if let passes = arguments.passes {
            for index in measurements.indices { try measurements[index].run(passes: passes) }
            return print(measurements.reduce(0) { $0 &+ $1.check })
        }
        for _ in 0...arguments.rounds {
            for index in measurements.indices {
                try measurements[index].run(for: arguments.seconds)
            }
        }
        report(measurements)
    }

    private static func report(_ measurements: [Measurement]) {
        let width = measurements.map(\.name.count).max() ?? 0
        let hasFloor = measurements.contains { $0.floor != nil }
        print(
            "workload".padding(to: width), "  best         median       rounds",
            hasFloor ? "  to the floor: median of the ratios, best to best" : "")
        for measurement in measurements {
            let floor = measurements.first { $0.name == measurement.floor }
            printLine(
                measurement.name.padding(to: width), measurement, measurement.processor,
                floor?.processor)
            guard measurement.showsWall else { continue }
            printLine(
                "  by the clock".padding(to: width), measurement, measurement.wall, floor?.wall)
        }
    }

    private static func printLine(
        _ name: String, _ measurement: Measurement, _ times: Measurement.Times,
        _ floor: Measurement.Times?
    ) {
        let ratios = floor.map {
            rounded(times.ratio(to: $0)).padding(to: 8) + rounded(times.minimum / $0.minimum)
        }
        print(
            name, " ", measurement.text(times.minimum).padding(to: 12),
            measurement.text(times.median).padding(to: 12),
            String(times.seconds.count).padding(to: 8), ratios ?? "")
    }

    private static func rounded(_ ratio: Double) -> String {
        String((ratio * 100).rounded() / 100)
    }
}

struct BenchmarkError: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}

struct Arguments {
    var only = ""
    var rounds = 5
    var seconds = 0.1
    var isCold = false
    var passes: Int?
    var isOfThreads = false
    var memoryCount: Int?
    /// A file and an order, for a process of its own.
    var walk: [String]?

    init(_ arguments: some Sequence<String>) throws {
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "--cold": isCold = true
            case "--passes": passes = rest.next().flatMap { Int($0) }
            case "--threads": isOfThreads = true
            case "--memory": memoryCount = rest.next().flatMap { Int($0) } ?? 1_000_000
            case "--walk": walk = (0..<3).map { _ in rest.next() ?? "" }
            case "--only": only = rest.next() ?? ""
            case "--rounds": rounds = rest.next().flatMap { Int($0) } ?? rounds
            case "--seconds": seconds = rest.next().flatMap { Double($0) } ?? seconds
            default: throw BenchmarkError(message: "unknown argument \(argument)")
            }
        }
    }
}

extension String {
    func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

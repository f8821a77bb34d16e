import Foundation

/// Measures FleeceLite, and Foundation's JSON beside it, in rounds that take turns.
///
///   kvbench [--only TEXT] [--rounds N] [--seconds S]
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
            let all =
                FleeceWorkloads.all() + ReadingWorkloads.all() + CodableWorkloads.all()
                + UnfriendlyWorkloads.all() + SQLWorkloads.all()
            let exact = all.filter { $0.name == arguments.only }
            let similar = all.filter {
                arguments.only.isEmpty || $0.name.contains(arguments.only)
            }
            try measure(exact.isEmpty ? similar : exact, arguments)
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
        let width = measurements.map(\.name.count).max() ?? 0
        print("workload".padding(to: width), "  best         median       rounds")
        for measurement in measurements {
            print(
                measurement.name.padding(to: width), " ",
                measurement.text(measurement.minimum).padding(to: 12),
                measurement.text(measurement.median).padding(to: 12),
                measurement.seconds.count)
        }
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

    init(_ arguments: some Sequence<String>) throws {
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "--cold": isCold = true
            case "--passes": passes = rest.next().flatMap { Int($0) }
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

import ArgumentParser
import BenchmarkReport
import Foundation

/// `kvbench cold`
struct ColdCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cold", abstract: "Measures first steps in new processes, on a disk.",
        discussion: """
            Each pass is a process of its own; before it, the file is dropped from the system's \
            cache. The figures are the wall-clock time from opening the file until it is closed, \
            and the bytes read from the disk: 0 if the system keeps its files in memory.
            """)

    @Option(help: ArgumentHelp("How many processes for each.", valueName: "n")) var rounds = 5
    @OptionGroup var size: SizeArguments
    @OptionGroup var target: FigureArguments

    func validate() throws {
        guard rounds >= 1 else { throw ValidationError("--rounds takes 1 or more") }
    }

    func run() throws {
        try requireRelease()
        size.use()
        defer { StoreData.removeDirectories() }
        try target.check(people: size.size.people)
        let path = try makeFile()
        var figures = ColdTask.allCases.map { ColdFigures($0) }
        for _ in 0..<rounds {
            for index in figures.indices {
                for isBaseline in [true, false] {
                    let task = figures[index].task
                    let pass = try pass(task, path, isBaseline: isBaseline)
                    figures[index].add(pass, isBaseline: isBaseline)
                }
            }
        }
        try target.give(figures.flatMap(\.figures))
    }

    private func makeFile() throws -> String {
        _ = try StoreData.get()
        try OutputPath.createDirectory(StoreData.diskDirectory)
        let path = StoreData.diskDirectory + "/cold.cblite2"
        try FileManager.default.copyItem(atPath: StoreData.path(.filled), toPath: path)
        return path
    }

    private func pass(_ task: ColdTask, _ path: String, isBaseline: Bool) throws -> ColdPass {
        let data = try StoreData.get()
        try DatabaseFile.dropFromCache(path)
        let text = try ChildProcess.runThisProgram(
            [
                "cold-pass", task.rawValue, "--path", path, "--size", "\(StoreData.count)",
                "--age-key", "\(data.ageKey)",
            ] + (isBaseline ? ["--baseline"] : []))
        let expected = task.expected(data, isBaseline: isBaseline)
        guard let pass = ColdPass(text), pass.result == expected else {
            throw BenchmarkError(message: "\(task.name): \(text), not \(expected)")
        }
        return pass
    }
}

/// The collected figures of one task.
private struct ColdFigures {
    let task: ColdTask
    private var time: Figure
    private var read: Figure

    init(_ task: ColdTask) {
        self.task = task
        time = Figure(name: task.name, unit: "seconds", rounds: [], baseline: [])
        read = Figure(
            name: task.name + ": read from the disk", unit: "bytes", rounds: [], baseline: [])
    }

    mutating func add(_ pass: ColdPass, isBaseline: Bool) {
        if isBaseline {
            time.baseline?.append(pass.seconds)
            pass.read.map { read.baseline?.append(Double($0)) }
        } else {
            time.rounds.append(pass.seconds)
            pass.read.map { read.rounds.append(Double($0)) }
        }
    }

    var figures: [Figure] { read.rounds.isEmpty ? [time] : [time, read] }
}

/// One pass of `kvbench cold`, started by it in a new process.
struct ColdPassCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cold-pass", abstract: "One pass of kvbench cold.", shouldDisplay: false)

    @Argument(help: "The task.") var task: ColdTask
    @Option(help: "The path of the file.") var path: String
    @Option(help: "The number of people in it.") var size: BenchmarkSize
    @Option(help: "The number of the property age.") var ageKey: Int32
    @Flag(help: "Run the baseline in C.") var baseline = false

    func run() throws {
        let people = size.people
        let ofBaseline = ColdBaseline(path: path, people: people, ageKey: ageKey)
        let pass = try ColdPass {
            baseline ? try ofBaseline.run(task) : try task.run(path, people: people)
        }
        print(pass.text)
    }
}

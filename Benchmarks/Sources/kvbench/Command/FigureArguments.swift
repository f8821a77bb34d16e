import ArgumentParser
import BenchmarkReport

/// The destination of a command's figures.
struct FigureArguments: ParsableArguments {
    @Option(
        help: "Results of kvbench run --json, of the same size, to which to add the figures.",
        completion: .file(extensions: ["json"]))
    var addTo: String?

    /// Throws if the figures cannot be added to the file, before anything is measured.
    func check(people: Int) throws {
        guard let addTo else { return }
        let run = try BenchmarkRun(contentsOf: addTo)
        guard run.settings.people == people else {
            throw BenchmarkError(
                message: "\(addTo): it has \(run.settings.people) people; specify the same --size")
        }
        guard run.machine == .this else {
            throw BenchmarkError(
                message: "\(addTo): it was measured on another machine, or with another SQLite")
        }
    }

    /// Prints the figures, and adds them to the file, replacing those with the same names.
    func give(_ figures: [Figure]) throws {
        ResultTable(figures: figures).print(figures)
        guard let addTo else { return }
        var run = try BenchmarkRun(contentsOf: addTo)
        run.figures.removeAll { old in figures.contains { $0.name == old.name } }
        run.figures += figures
        try ResultFile(addTo).finish(run)
    }
}

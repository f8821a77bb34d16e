/// The measurements of `kvbench scale` on one large file: its steps, in order.
struct ScaleRun {
    /// One step.
    struct Step {
        let name: String
        /// The time of an item, as text; in seconds if the unit is known.
        var time: (text: String, seconds: Double?)?
        /// Bytes by what they measure: "memory", "file".
        var bytes: [String: Double] = [:]
    }

    /// The prefix of the names of its figures.
    private static let prefix = "scale: "

    /// Whether a figure is of a large file.
    static func has(_ figure: Figure) -> Bool { figure.name.hasPrefix(prefix) }

    /// The number of documents in the file.
    let documents: Int
    let date: String
    private(set) var steps: [Step] = []
    /// What the bytes measure, in the order of the figures.
    private(set) var kinds: [String] = []

    /// Nil for a run without such figures.
    init?(_ run: BenchmarkRun) {
        documents = run.settings.people
        date = run.date
        for figure in run.figures where Self.has(figure) && !figure.rounds.isEmpty { add(figure) }
        if steps.isEmpty { return nil }
    }

    private mutating func add(_ figure: Figure) {
        let words = figure.name.dropFirst(Self.prefix.count).split(separator: ", ")
        guard figure.unit == "bytes", let kind = words.last, words.count > 1 else {
            return change(words.joined(separator: ", ")) {
                $0.time = (Self.text(figure), Self.seconds(figure))
            }
        }
        if !kinds.contains(String(kind)) { kinds.append(String(kind)) }
        change(words.dropLast().joined(separator: ", ")) { $0.bytes[String(kind)] = figure.median }
    }

    /// Changes the step with a name, which is added if it does not exist.
    private mutating func change(_ name: String, _ body: (inout Step) -> Void) {
        let index = steps.firstIndex { $0.name == name } ?? steps.endIndex
        if index == steps.endIndex { steps.append(Step(name: name)) }
        body(&steps[index])
    }

    private static func text(_ figure: Figure) -> String {
        seconds(figure).map(FigureText.duration) ?? figure.text(figure.median)
    }

    private static func seconds(_ figure: Figure) -> Double? {
        let units = ["ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1, "seconds": 1]
        return units[figure.unit].map { figure.median * $0 }
    }

    // As tables.

    var title: String { "\(FigureText.people(documents)) documents, \(date)" }

    var titles: [String] {
        ["Step", "Time of an item"] + kinds.map { $0.prefix(1).uppercased() + $0.dropFirst() }
    }

    var rows: [[String]] {
        steps.map { step in
            [step.name, step.time?.text ?? FigureText.none]
                + kinds.map { step.bytes[$0].map(FigureText.bytes) ?? FigureText.none }
        }
    }
}

/// The growth of the time of an item with the size of the file, from files of several sizes.
struct ScaleGrowth {
    let titles: [String]
    let rows: [[String]]

    /// Nil if there is only one size.
    init?(_ runs: [ScaleRun]) {
        let sizes = Set(runs.map(\.documents)).sorted()
        guard sizes.count > 1, let first = runs.first else { return nil }
        titles = ["Step, time of an item"] + sizes.map(FigureText.people) + ["Exponent"]
        rows = first.steps.map(\.name).compactMap { name in
            let times = sizes.map { size in
                runs.filter { $0.documents == size }.compactMap { $0.seconds(name) }.min()
            }
            let points = zip(sizes, times).compactMap { size, time in
                time.map { (Double(size), $0) }
            }
            guard points.count > 1, points.allSatisfy({ $0.1 > 0 }) else { return nil }
            let exponent = Growth.slope(points).map { FigureText.fixed($0, decimals: 2) }
            return [name] + times.map { $0.map(FigureText.duration) ?? FigureText.none }
                + [exponent ?? FigureText.none]
        }
    }
}

extension ScaleRun {
    fileprivate func seconds(_ step: String) -> Double? {
        steps.first { $0.name == step }?.time?.seconds
    }
}

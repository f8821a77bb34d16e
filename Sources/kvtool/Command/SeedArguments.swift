internal import ArgumentParser
internal import DocumentStore

/// The option of commands that make documents up.
struct SeedArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What is made up follows from it: the same seed, the same documents.",
            valueName: "number"))
    var seed: UInt64 = 1

    /// For the answer, so that it can be had again.
    var cell: Cell {
        var text = JSONText()
        text.append(seed)
        return .json(text)
    }
}

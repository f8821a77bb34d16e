internal import ArgumentParser

/// The option of commands that find out what documents look like.
struct SampleArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Look at about so many documents of a collection; 0 for all.", valueName: "n"))
    var sample = 10_000

    /// The most documents of a collection.
    var limit: Int { sample == 0 ? .max : sample }

    func validate() throws {
        try requireNotNegative("--sample", sample)
    }
}

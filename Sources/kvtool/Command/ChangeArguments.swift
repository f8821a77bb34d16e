internal import ArgumentParser

/// The flags of commands that remove documents. See ``DocumentRemoval``.
struct ChangeArguments: ParsableArguments {
    @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "Only say what would be done.")
    var isDry = false
    @Flag(name: [.customShort("y"), .long], help: "Do not ask.") var yes = false
}

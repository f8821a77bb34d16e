extension Rule {
    static let testDirectory = testDirectory(of: PackageFiles.sourceDirectories)

    /// A file of `XTests` is in the directory of `Sources/X` that it tests.
    ///
    /// - Parameter directories: the paths of the directories of each target below `Sources`,
    ///   relative to the target.
    static func testDirectory(of directories: [String: Set<String>]) -> Rule {
        Rule(name: "The directories of tests mirror those of the sources") { file in
            guard let location = TestLocation(file.path) else { return [] }
            let sources = location.sources.filter { directories[$0] != nil }
            let known = sources.reduce(into: Set<String>()) { $0.formUnion(directories[$1] ?? []) }
            guard !sources.isEmpty, !location.isException,
                location.directory.isEmpty ? !known.isEmpty : !known.contains(location.directory)
            else { return [] }
            let names = sources.map { "Sources/" + $0 }.joined(separator: " or ")
            let message =
                location.directory.isEmpty
                ? "the file is in the root of its target: move it to the directory that has the "
                    + "name of the directory of \(names) it tests"
                : "\(names) has no directory `\(location.directory)`: move the file to the "
                    + "directory of what it tests, or to Support"
            return [file.finding(1, message)]
        }
    }
}

/// The location of a file below a test target.
struct TestLocation {
    /// The name of the test target.
    let target: String
    /// The directory, relative to the target; empty for its root.
    let directory: String
    private let name: String

    /// Nil unless the path is that of a file of a test target.
    init?(_ path: String) {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count > 2, parts[0] == "Tests", parts[1].hasSuffix("Tests") else { return nil }
        target = parts[1]
        directory = parts[2..<(parts.count - 1)].joined(separator: "/")
        name = parts[parts.count - 1]
    }

    /// The targets that the test target tests; a test target without sources has no directories to
    /// mirror (CompatibilityTests).
    var sources: [String] { Self.sources[target] ?? [String(target.dropLast("Tests".count))] }

    /// The executable consists of two libraries.
    private static let sources = ["kvtoolTests": ["KVToolCommands", "KVToolCore"]]

    /// The exceptions that apply to the file.
    var exceptions: [String] {
        let top = directory.split(separator: "/").first.map(String.init) ?? name
        return [top, "\(target)/\(top)"].filter { Self.exceptions[$0] != nil }
    }

    var isException: Bool { !exceptions.isEmpty }

    /// Directories of tests that mirror no directory of the sources, and files that stay in the
    /// root of their target, each with the reason. A name without a target applies to all targets.
    static let exceptions = [
        "Documentation": "compares articles and pages of docs/ with code that is compiled",
        "Support": "fixtures, models and generators that several files of tests share",
        "BLIPTests/BadInput": "faults, limits and fuzzing of all that is received",
        "BLIPTests/Recordings": "compares connections with recordings of LiteCore",
        "CouchbaseReplicationTests/Replay": "plays recordings of LiteCore against both roles",
        "QueryEngineTests/Model": "compares the engine with a separate evaluator",
        "StoreTestSupportTests/StoreTests.swift": "tests files that are in the root of the sources",
        "kvtoolTests/Browser": "uses the pages of kvtool serve in a browser",
        "kvtoolTests/Manual": "compares docs/kvtool.md with the output of all commands",
    ]
}

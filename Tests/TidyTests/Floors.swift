/// What each target of Sources may import: a target uses only what stands on a lower floor.
///
/// A new target gets its line here; ARCHITECTURE.md says why the house has these floors.
struct Floor: Sendable {
    var number: Int
    var target: String

    /// The modules it may import besides those of ``system``.
    var imports: Set<String>

    /// The modules of the system that it may import.
    var system = Floor.everySystemModule

    /// The only folder of the target in which ``system`` may be imported; `nil` for all of it.
    var systemFolder: String?
}

extension Floor {
    static let table: [Floor] = [
        Floor(
            number: 6, target: "kvtool",
            imports: [
                "CEdit", "CICU", "DataFileCore", "ExampleModels", "FleeceLite", "SampleData",
                "SQLCore", "SQLPlus", "OONIStore", "ServerStore", "ArgumentParser", "Logging",
            ]),

        Floor(
            number: 5, target: "ServerStoreTestSupport",
            imports: ["ServerStore", "Testing", "XCTest"]),

        Floor(
            number: 4, target: "ExampleModels", imports: ["DataFileCore", "FleeceLite"]),
        Floor(
            number: 4, target: "OONIStore",
            imports: ["DataFileCore", "FleeceLite", "SQLCore"]),
        Floor(
            number: 4, target: "ServerStore",
            imports: ["DataFileCore", "FleeceLite", "SQLPlus", "Logging"]),
        Floor(
            number: 4, target: "StoreTestSupport",
            imports: ["DataFileCore", "FleeceLite", "SQLCore", "SampleData"]),

        Floor(
            number: 3, target: "DataFileCore",
            imports: [
                "SQLCore", "SQLPlus", "FleeceLite", "CICU", "CSnowball", "Crypto", "Logging",
            ]),

        Floor(number: 2, target: "SQLPlus", imports: ["SQLCore", "Crypto", "CryptoExtras"]),

        Floor(number: 1, target: "SQLCore", imports: ["CSQLite"]),
        // Synchronization is a module of the standard library.
        Floor(
            number: 1, target: "FleeceLite", imports: ["Synchronization"],
            system: ["Foundation", "FoundationEssentials"], systemFolder: "Foundation"),
        Floor(number: 1, target: "SampleData", imports: []),

        Floor(number: 0, target: "CSQLite", imports: []),
        Floor(number: 0, target: "CICU", imports: []),
        Floor(number: 0, target: "CSnowball", imports: []),
        Floor(number: 0, target: "CEdit", imports: []),
    ]

    static let everySystemModule: Set<String> = [
        "Darwin", "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Musl",
        "Synchronization",
    ]

    static func of(_ target: String) -> Floor? { table.first { $0.target == target } }

    /// Whether the file at `path`, which lies in this target, may import `module`.
    func allows(_ module: String, at path: String) -> Bool {
        if module == "Swift" || imports.contains(module) { return true }
        guard system.contains(module) else { return false }
        guard let systemFolder else { return true }
        return path.hasPrefix("Sources/\(target)/\(systemFolder)/")
    }
}

import Testing

@Suite("Graph of types")
struct TypeGraphTests {
    private static func graph(_ files: [String: String], depth: Int = 2) -> TypeGraph {
        TypeGraph(
            files.map { SourceFile(path: "Sources/" + $0.key, text: $0.value) },
            PackageManifest(
                """
                // Layer 1: one.
                .target(name: "Low"),

                // Layer 2: two.
                .target(name: "High", dependencies: ["Low"]),
                """), depth: depth)
    }

    @Test("a type that another directory refers to is an arrow")
    func arrows() {
        let graph = Self.graph([
            "Low/A/Apple.swift": "public struct Apple {}",
            "Low/B/Pear.swift": "struct Pear { let apple: Apple }",
            "High/C/Cake.swift": "struct Cake { var fruit: [Apple] }",
        ])
        #expect(graph.arrows == ["Low/B": ["Low/A": ["Apple"]], "High/C": ["Low/A": ["Apple"]]])
        #expect(graph.cycles == [])
    }

    @Test("nested types alone, members, comments, and names declared twice are not arrows")
    func noArrows() {
        let graph = Self.graph([
            "Low/A/Apple.swift": "struct Apple { enum Kind {} }\nstruct Twice {}",
            "Low/B/Pear.swift": "struct Pear { enum Kind {}; let a: Kind } // Apple",
            "Low/C/Twice.swift": "struct Twice {}",
            "Low/D/Plum.swift": "let a: Twice, b = Pit.Apple, c: High",
            "High/E/High.swift": "struct High {}",
        ])
        #expect(graph.arrows == [:])
    }

    @Test("directories that refer to each other are a cycle")
    func cycles() {
        let graph = Self.graph([
            "Low/A/Apple.swift": "struct Apple { let c: Cherry }",
            "Low/B/Banana.swift": "struct Banana { let a: Apple }",
            "Low/C/Cherry.swift": "struct Cherry { let b: Banana }",
            "Low/D/Date.swift": "struct Date2 { let b: Banana }",
        ])
        #expect(graph.cycles == [["Low/A", "Low/B", "Low/C"]])
        #expect(
            graph.arrows(in: graph.cycles[0]) == [
                "Low/A -> Low/C: Cherry", "Low/B -> Low/A: Apple", "Low/C -> Low/B: Banana",
            ])
    }

    @Test("a nested type that is written with its outer type is an arrow")
    func nestedTypes() {
        let graph = Self.graph([
            "Low/A/Apple.swift": "enum Apple {}",
            "Low/B/Core.swift":
                "extension Apple { struct Core { struct Pip {} } }\nextension Apple.Core {}",
            "Low/C/Pie.swift": "func pie(_ core: Apple.Core) -> Apple.Core.Pip { core.Pip }",
            "Low/D/Skin.swift": "extension Apple { struct Skin { let core: Core } }",
        ])
        #expect(
            graph.arrows == [
                "Low/B": ["Low/A": ["Apple"]], "Low/D": ["Low/A": ["Apple"]],
                "Low/C": ["Low/A": ["Apple"], "Low/B": ["Apple.Core"]],
            ])
    }

    @Test("directories of any depth can be distinguished")
    func depth() {
        let files = [
            "Low/A/Apple.swift": "struct Apple { let b: Banana }",
            "Low/A/B/Banana.swift": "struct Banana { let a: Apple? }",
        ]
        #expect(Self.graph(files).cycles == [])
        #expect(Self.graph(files, depth: 3).cycles == [["Low/A", "Low/A/B"]])
    }

    /// Directories whose files list the families in their subdirectories: ARCHITECTURE.md.
    private static let lists: Set<String> = ["DataFileCore/Index", "QueryFunctions/Function"]

    @Test("the directories of the package have no cycle", arguments: [2, .max])
    func package(_ depth: Int) throws {
        let graph = TypeGraph(try PackageFiles.all.get(), PackageFiles.manifest, depth: depth)
        #expect(
            graph.arrows["QueryEngine/Query"]?["StoreFormat/Error"]?.contains("StoreError") == true)
        let cycles = graph.cycles.filter { cycle in
            !Self.lists.contains { list in cycle.allSatisfy { $0.hasPrefix(list) } }
        }
        #expect(cycles == [], "\(cycles.flatMap(graph.arrows).joined(separator: "\n"))")
    }
}

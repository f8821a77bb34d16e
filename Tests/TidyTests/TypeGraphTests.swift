import Testing

@Suite("Graph of types")
struct TypeGraphTests {
    private static func graph(_ files: [String: String]) -> TypeGraph {
        TypeGraph(
            files.map { SourceFile(path: "Sources/" + $0.key, text: $0.value) },
            PackageManifest(
                """
                // Layer 1: one.
                .target(name: "Low"),

                // Layer 2: two.
                .target(name: "High", dependencies: ["Low"]),
                """))
    }

    @Test("a type named in another folder is an arrow")
    func arrows() {
        let graph = Self.graph([
            "Low/A/Apple.swift": "public struct Apple {}",
            "Low/B/Pear.swift": "struct Pear { let apple: Apple }",
            "High/C/Cake.swift": "struct Cake { var fruit: [Apple] }",
        ])
        #expect(graph.arrows == ["Low/B": ["Low/A": ["Apple"]], "High/C": ["Low/A": ["Apple"]]])
        #expect(graph.cycles == [])
    }

    @Test("nested types, members, comments, and names of two files are none")
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

    @Test("folders that lead back to themselves are a cycle")
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

    @Test("the folders of the package have no cycle")
    func package() throws {
        let graph = TypeGraph(try PackageFiles.all.get(), PackageFiles.manifest)
        #expect(
            graph.arrows["QueryEngine/Query"]?["StoreFormat/Error"]?.contains("StoreError") == true)
        #expect(
            graph.cycles == [],
            "\(graph.cycles.flatMap(graph.arrows).joined(separator: "\n"))")
    }
}

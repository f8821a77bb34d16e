import Foundation

/// The targets that Package.swift declares, with their layers and dependencies.
///
/// A comment `// Layer 4: …` in Package.swift applies to the targets below it.
struct PackageManifest: Sendable {
    struct Target: Sendable {
        var name: String
        /// The layer; nil for examples and tests, which nothing in `Sources` depends on.
        var layer: Int?
        /// The targets and modules of other packages that it depends on.
        var dependencies: Set<String>
        var isTest: Bool
        /// Whether it is a program, which tests can run without importing it.
        var isExecutable: Bool
        /// The directory of its files: `Sources/SQLCore`.
        var path: String
    }

    var targets: [Target]

    /// Parses the text of a manifest.
    init(_ text: String) {
        let start =
            #/
            //\ Layer\ (\d+):
            | \.(target|executableTarget|systemLibrary|testTarget)\(\s*name:\ "([^"]+)"
            /#
        let starts = text.matches(of: start)
        var layer: Int?
        targets = []
        for (index, found) in starts.enumerated() {
            guard let kind = found.2, let name = found.3 else {
                layer = found.1.flatMap { Int($0) }
                continue
            }
            let end = index + 1 < starts.count ? starts[index + 1].range.lowerBound : text.endIndex
            let body = text[found.range.upperBound..<end]
            let isTest = kind == "testTarget"
            let path = body.firstMatch(of: #/path: "([^"]+)"/#)?.1
            targets.append(
                Target(
                    name: String(name), layer: path == nil && !isTest ? layer : nil,
                    dependencies: Self.dependencies(body), isTest: isTest,
                    isExecutable: kind == "executableTarget",
                    path: path.map(String.init) ?? "\(isTest ? "Tests" : "Sources")/\(name)"))
        }
    }

    private static func dependencies(_ body: Substring) -> Set<String> {
        guard let list = body.firstMatch(of: #/dependencies: \[([^\]]*)\]/#) else { return [] }
        let names = list.1.replacing(#/, package: "[^"]*"/#, with: "").matches(of: #/"([^"]+)"/#)
        return Set(names.map { String($0.1) })
    }

    func target(_ name: String) -> Target? { targets.first { $0.name == name } }

    /// The targets of each layer.
    var layers: [Int: Set<String>] {
        Dictionary(grouping: targets.filter { $0.layer != nil }, by: { $0.layer ?? 0 })
            .mapValues { Set($0.map(\.name)) }
    }
}

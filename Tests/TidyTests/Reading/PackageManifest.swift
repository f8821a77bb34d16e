import Foundation

/// The targets that Package.swift declares, on which layers they stand, and what they depend on.
///
/// It is the one place that says so. A comment `// Layer 4: …` counts for the targets below it.
struct PackageManifest: Sendable {
    struct Target: Sendable {
        var name: String
        /// Nil for examples and tests, which nothing in `Sources` depends on.
        var layer: Int?
        /// Targets and modules of other packages.
        var dependencies: Set<String>
        var isTest: Bool
    }

    var targets: [Target]

    /// Reads the text of a manifest.
    init(_ text: String) {
        var layer: Int?
        targets = []
        let start = #/\.(target|executableTarget|systemLibrary|testTarget)\(\s*name: "([^"]+)"/#
        let layerStart = #/// Layer (\d+):/#
        let parts = text.split(separator: "\n\n", omittingEmptySubsequences: true)
        for part in parts {
            if let found = part.firstMatch(of: layerStart) { layer = Int(found.1) }
            let starts = part.matches(of: start)
            for (index, found) in starts.enumerated() {
                let end =
                    index + 1 < starts.count ? starts[index + 1].range.lowerBound : part.endIndex
                let body = part[found.range.upperBound..<end]
                let isInSources = !body.contains("path: ") && found.1 != "testTarget"
                targets.append(
                    Target(
                        name: String(found.2), layer: isInSources ? layer : nil,
                        dependencies: Self.dependencies(body), isTest: found.1 == "testTarget"))
            }
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

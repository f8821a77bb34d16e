extension Rule {
    static let layers = layers(of: PackageFiles.manifest)

    /// A file imports only its target's dependencies in Package.swift, and the system's modules.
    static func layers(of manifest: PackageManifest) -> Rule {
        Rule(name: "A target imports only its dependencies in Package.swift") { file in
            guard let name = file.target else { return [] }
            guard let target = manifest.target(name), target.layer != nil else {
                return [file.finding(1, missingLayer(of: name))]
            }
            return file.imports().compactMap { module, line in
                guard let advice = target.refusal(module, at: file.path) else { return nil }
                return file.finding(line, "`\(name)` may not import `\(module)`: \(advice)")
            }
        }
    }

    static func missingLayer(of target: String) -> String {
        "`\(target)` has no layer: declare it in Package.swift below a comment `// Layer n: …`"
    }
}

extension PackageManifest.Target {
    private static let system: Set<String> = [
        "Darwin", "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Musl",
        "Synchronization",
    ]

    /// The only directory of a target that may use Foundation, if the rest uses only the standard
    /// library.
    private static let foundationDirectories = ["FleeceLite": "Foundation"]

    /// The targets that may import test frameworks, since they support tests.
    private static let testing = ["ServerStoreTestSupport": ["Testing", "XCTest"]]

    /// Why the file at `path` may not import a module; nil if it may.
    fileprivate func refusal(_ module: String, at path: String) -> String? {
        if module == "Swift" || dependencies.contains(module) { return nil }
        if Self.testing[name]?.contains(module) == true { return nil }
        if Self.system.contains(module) {
            guard let directory = Self.foundationDirectories[name], module != "Synchronization",
                !path.hasPrefix("Sources/\(name)/\(directory)/") || !module.hasPrefix("Foundation")
            else { return nil }
            return "only Sources/\(name)/\(directory)/ may, and only Foundation"
        }
        let allowed =
            dependencies.isEmpty ? "nothing" : dependencies.sorted().joined(separator: ", ")
        return "it depends on \(allowed); move the code to the layer it belongs to"
    }
}

extension SourceFile {
    /// The modules that the file imports, each with its line. Of `import struct Foundation.Data`
    /// the module is `Foundation`.
    func imports() -> [(module: String, line: Int)] {
        let kinds: Set<String> = [
            "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
        ]
        return tokens.indices.compactMap { index in
            guard tokens[index].isWord("import"), beginsStatement(at: index) else { return nil }
            let isKind = token(at: index + 1).map { kinds.contains($0.text) } ?? false
            guard let module = token(at: index + (isKind ? 2 : 1)) else { return nil }
            return (module.text, tokens[index].line)
        }
    }

    private func beginsStatement(at index: Int) -> Bool {
        let start = declarationStart(of: index)
        return tokens[start].isFirstOnLine || tokens[start - 1].isSign(";")
    }
}

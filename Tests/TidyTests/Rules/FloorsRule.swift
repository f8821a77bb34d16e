extension Rule {
    static let floors = Rule(name: "A target imports only what stands on a lower floor") { file in
        guard let target = file.target else { return [] }
        guard let floor = Floor.of(target) else {
            return [file.finding(1, missingFloor(of: target))]
        }
        return file.imports().compactMap { module, line in
            guard !floor.allows(module, at: file.path) else { return nil }
            return file.finding(
                line, "`\(target)` may not import `\(module)`: \(floor.advice(module))")
        }
    }

    static func missingFloor(of target: String) -> String {
        "`\(target)` has no floor: add it to the table in Tests/TidyTests/Floors.swift"
    }
}

extension Floor {
    fileprivate func advice(_ module: String) -> String {
        if let systemFolder, system.contains(module) {
            return "only Sources/\(target)/\(systemFolder)/ may"
        }
        let allowed = imports.isEmpty ? "no other target" : imports.sorted().joined(separator: ", ")
        return "floor \(number) may import \(allowed); move the code to the floor it belongs to"
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

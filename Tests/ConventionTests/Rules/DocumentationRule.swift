extension Rule {
    static let documentation = Rule(
        name: "Every public declaration in Sources has a documentation comment"
    ) { file in
        guard file.isInSources else { return [] }
        let indexes = file.publicDeclarations().flatMap { index in
            [index] + (file.tokens[index].isWord("enum") ? file.cases(ofEnumAt: index) : [])
        }
        return indexes.filter { !file.isDocumented(declarationAt: $0) }.map { index in
            let message =
                "`\(file.name(ofDeclarationAt: index))` is public and has no documentation: "
                + "put a `///` comment on the line above it"
            return file.finding(file.tokens[index].line, message)
        }
    }
}

extension SourceFile {
    private static let documentedKeywords: Set<String> = [
        "actor", "associatedtype", "class", "enum", "func", "init", "let", "macro", "operator",
        "precedencegroup", "protocol", "struct", "subscript", "typealias", "var",
    ]

    /// The keywords of the declarations that are `public` or `open`, except imports and extensions,
    /// which need no comment.
    fileprivate func publicDeclarations() -> [Int] {
        tokens.indices.compactMap { index in
            guard tokens[index].isWord("public") || tokens[index].isWord("open"),
                let keyword = keyword(afterModifierAt: index),
                Self.documentedKeywords.contains(tokens[keyword].text)
            else { return nil }
            return keyword
        }
    }

    /// Each `case` of the enum, except those of nested enums and of a `switch`.
    fileprivate func cases(ofEnumAt index: Int) -> [Int] {
        guard let open = tokens[index...].firstIndex(where: { $0.isSign("{") }) else { return [] }
        var depth = 0
        return (open...closing(of: open)).filter { position in
            if tokens[position].isSign("{") { depth += 1 }
            if tokens[position].isSign("}") { depth -= 1 }
            return depth == 1 && tokens[position].isWord("case")
        }
    }

    /// Whether a `///` comment precedes the declaration, or one of the lines of its attributes.
    fileprivate func isDocumented(declarationAt index: Int) -> Bool {
        (declarationStart(of: index)...index).contains { position in
            tokens[position].isFirstOnLine && isDocumentation(lineAbove: tokens[position].line)
        }
    }

    /// Directives to swift-format may be between a comment and its declaration.
    private func isDocumentation(lineAbove line: Int) -> Bool {
        var above = line - 1
        while above > 0, lines[above - 1].drop(while: { $0 == " " }).hasPrefix("// swift-format") {
            above -= 1
        }
        return documentationLines.contains(above)
    }
}

extension Rule {
    static let documentation = Rule(
        name: "Every public declaration in Sources has a documentation comment"
    ) { file in
        guard file.isInSources else { return [] }
        let places = file.publicDeclarations().flatMap { place in
            [place] + (file.tokens[place].isWord("enum") ? file.cases(ofEnumAt: place) : [])
        }
        return places.filter { !file.isDocumented(declarationAt: $0) }.map { place in
            let message =
                "`\(file.name(ofDeclarationAt: place))` is public and has no documentation: "
                + "put a `///` comment on the line above it"
            return file.finding(file.tokens[place].line, message)
        }
    }
}

extension SourceFile {
    private static let documentedKeywords: Set<String> = [
        "actor", "associatedtype", "class", "enum", "func", "init", "let", "macro", "operator",
        "precedencegroup", "protocol", "struct", "subscript", "typealias", "var",
    ]

    /// The keywords of the declarations that say `public` or `open`; imports and extensions, which
    /// need no comment, are not among them.
    fileprivate func publicDeclarations() -> [Int] {
        tokens.indices.compactMap { index in
            guard tokens[index].isWord("public") || tokens[index].isWord("open"),
                let keyword = keyword(afterModifierAt: index),
                Self.documentedKeywords.contains(tokens[keyword].text)
            else { return nil }
            return keyword
        }
    }

    /// Each `case` of the enum, but none of the enums inside it or of a `switch`.
    fileprivate func cases(ofEnumAt index: Int) -> [Int] {
        guard let open = tokens[index...].firstIndex(where: { $0.isSign("{") }) else { return [] }
        var depth = 0
        return (open...closing(of: open)).filter { place in
            if tokens[place].isSign("{") { depth += 1 }
            if tokens[place].isSign("}") { depth -= 1 }
            return depth == 1 && tokens[place].isWord("case")
        }
    }

    /// Whether a `///` comment stands above the declaration, or above one of the lines that its
    /// attributes take.
    fileprivate func isDocumented(declarationAt index: Int) -> Bool {
        (declarationStart(of: index)...index).contains { place in
            tokens[place].isFirstOnLine && isDocumentation(lineAbove: tokens[place].line)
        }
    }

    /// Directives to swift-format may stand between a comment and what it documents.
    private func isDocumentation(lineAbove line: Int) -> Bool {
        var above = line - 1
        while above > 0, lines[above - 1].drop(while: { $0 == " " }).hasPrefix("// swift-format") {
            above -= 1
        }
        return documentationLines.contains(above)
    }
}

/// Finds where declarations start and end, by their tokens.
extension SourceFile {
    /// The words that may precede the keyword of a declaration.
    static let modifiers: Set<String> = [
        "borrowing", "consuming", "convenience", "distributed", "dynamic", "fileprivate", "final",
        "indirect", "infix", "internal", "isolated", "lazy", "mutating", "nonisolated",
        "nonmutating", "open", "optional", "override", "package", "postfix", "prefix", "private",
        "public", "required", "static", "unowned", "weak",
    ]

    /// The words with which a function's signature can continue on a new line.
    private static let signatureWords: Set<String> = ["where", "throws", "async", "rethrows"]

    /// The bracket that closes the one at `index`, or the last token if there is none.
    func closing(of index: Int) -> Int {
        var depth = 0
        for position in index..<tokens.count where tokens[position].kind == .sign {
            switch tokens[position].text {
            case "(", "[", "{": depth += 1
            case ")", "]", "}": depth -= 1
            default: continue
            }
            if depth == 0 { return position }
        }
        return tokens.count - 1
    }

    /// The bracket that opens the one that closes at `index`, or the first token if there is none.
    func opening(of index: Int) -> Int {
        var depth = 0
        for position in tokens[...index].indices.reversed() where tokens[position].kind == .sign {
            switch tokens[position].text {
            case ")", "]", "}": depth += 1
            case "(", "[", "{": depth -= 1
            default: continue
            }
            if depth == 0 { return position }
        }
        return 0
    }

    /// The first token of the declaration that the one at `index` belongs to: its first attribute
    /// or modifier.
    func declarationStart(of index: Int) -> Int {
        var start = index
        while start > 0 {
            var word = start - 1
            if tokens[word].isSign(")") { word = opening(of: word) - 1 }
            guard word >= 0, tokens[word].kind == .word else { break }
            if let attribute = attribute(endingAt: word) {
                start = attribute
            } else if isModifier(at: word) {
                start = word
            } else {
                break
            }
        }
        return start
    }

    /// The index of the `@` of an attribute whose name, which may have dots, ends at `index`.
    private func attribute(endingAt index: Int) -> Int? {
        var position = index - 1
        while position > 0, tokens[position].isSign("."), tokens[position].isGlued { position -= 2 }
        return position >= 0 && tokens[position].isSign("@") ? position : nil
    }

    /// A word such as `open` is a modifier unless it names a case or a member.
    private func isModifier(at index: Int) -> Bool {
        guard tokens[index].kind == .word, Self.modifiers.contains(tokens[index].text) else {
            return false
        }
        guard let before = token(at: index - 1) else { return true }
        return !before.isSign(".") && !before.isSign(",") && !before.isWord("case")
    }

    /// The keyword after the modifier at `index`, past other modifiers and attributes. `nil` if the
    /// word is not a modifier.
    func keyword(afterModifierAt index: Int) -> Int? {
        guard isModifier(at: index) else { return nil }
        var position = index + 1
        while let token = token(at: position), token.kind == .word || token.isSign("@") {
            if token.isSign("@") {
                position += 2
            } else if Self.modifiers.contains(token.text) {
                position += 1
            } else {
                return position
            }
            if let next = self.token(at: position), next.isSign("("), next.isGlued {
                position = closing(of: position) + 1
            }
        }
        return nil
    }

    /// The brace that opens the body of the declaration whose keyword is at `index`; `nil` for one
    /// without a body, such as a protocol's.
    func body(ofDeclarationAt index: Int) -> Int? {
        var position = index + 1
        while let token = token(at: position) {
            if token.isSign("{") { return position }
            let isEnd = token.kind == .sign && ")]};".contains(token.text)
            if isEnd || !continues(at: position) { return nil }
            let isBracket = token.isSign("(") || token.isSign("[")
            position = isBracket ? closing(of: position) + 1 : position + 1
        }
        return nil
    }

    /// Whether the token belongs to the same declaration as the one before it.
    private func continues(at index: Int) -> Bool {
        let token = tokens[index]
        guard token.isFirstOnLine else { return !token.isSign("=") || isPartOfOperator(at: index) }
        if token.kind == .sign, ">-&.,:".contains(token.text) { return true }
        if token.kind == .word, Self.signatureWords.contains(token.text) { return true }
        let before = tokens[index - 1]
        return before.kind == .sign && "(<[,:&>=".contains(before.text) && !endsType(at: index - 1)
            || before.isWord("where")
    }

    /// `==` in a `where` clause, or an operator's name, and not the `=` of a value.
    private func isPartOfOperator(at index: Int) -> Bool {
        let after = token(at: index + 1)
        let isBeforeGlued = tokens[index].isGlued && tokens[index - 1].kind == .sign
        return isBeforeGlued || after?.isSign("=") == true && after?.isGlued == true
    }

    /// `Foo<Int>` ends with `>`, and so does an arrow: only after an arrow the type continues.
    private func endsType(at index: Int) -> Bool {
        tokens[index].isSign(">") && !(index > 0 && tokens[index - 1].isSign("-"))
    }

    /// The keyword, and the name if there is one: `func run`, `init`.
    func name(ofDeclarationAt index: Int) -> String {
        let keyword = tokens[index].text
        guard let name = token(at: index + 1), !name.isSign("("), !name.isSign("{"),
            keyword != "init", keyword != "subscript"
        else { return keyword }
        return "\(keyword) \(name.text)"
    }
}

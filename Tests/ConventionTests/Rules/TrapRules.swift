extension Rule {
    /// Invalid bytes must never trap, so forced operations are not permitted in Sources.
    static let forcing = Rule(name: "Sources do not use try!, as!, x! or Type!") { file in
        guard file.isInSources else { return [] }
        return file.tokens.indices.compactMap { index in
            guard let forced = file.forced(at: index) else { return nil }
            return file.finding(file.tokens[index].line, forced)
        }
    }

    static let unfinished = Rule(name: "Sources do not trap in unwritten code") { file in
        guard file.isInSources else { return [] }
        let traps: Set<String> = ["fatalError", "preconditionFailure", "assertionFailure"]
        return file.tokens.indices.compactMap { index in
            let token = file.tokens[index]
            guard token.kind == .word, traps.contains(token.text),
                file.token(at: index + 1)?.isSign("(") == true,
                let message = file.token(at: index + 2), message.kind == .literal,
                message.text.uppercased().hasPrefix("TODO")
            else { return nil }
            return file.finding(
                token.line,
                "`\(token.text)(\"TODO…`: write the code, or throw an error")
        }
    }

    private static let output = "Sources/KVToolCore/Output/"

    static let printing = Rule(name: "Only kvtool's Output directory prints") { file in
        guard file.isInSources, !file.path.hasPrefix(output) else { return [] }
        let printers: Set<String> = ["print", "debugPrint"]
        return file.tokens.indices.compactMap { index in
            let token = file.tokens[index]
            guard token.kind == .word, printers.contains(token.text),
                file.token(at: index + 1)?.isSign("(") == true, file.callsGlobal(at: index)
            else { return nil }
            return file.finding(
                token.line, "`\(token.text)(`: only \(output) prints; throw or return")
        }
    }
}

extension SourceFile {
    /// Whether it is a call of a global function, not of a member, and not a declaration.
    fileprivate func callsGlobal(at index: Int) -> Bool {
        guard let before = token(at: index - 1) else { return true }
        if before.isSign(".") { return token(at: index - 2)?.isWord("Swift") == true }
        return !before.isWord("func")
    }

    /// The forced operation of the `!` at `index`, and what to do instead; `nil` if the token has
    /// another meaning: a prefix `!`, or part of `!=`.
    fileprivate func forced(at index: Int) -> String? {
        guard index > 0, tokens[index].isSign("!"), tokens[index].isGlued else { return nil }
        let next = token(at: index + 1)
        if let next, next.isSign("="), next.isGlued { return nil }
        let before = tokens[index - 1]
        if before.isWord("try") { return "`try!`: use `try`, and propagate the error" }
        if before.isWord("as") { return "`as!`: use `as?`, and handle nil" }
        if before.isWord("init") { return "`init!`: use `init?`, or throw" }
        if before.kind == .sign, !")]}".contains(before.text) {
            let endsOperand = ">?".contains(before.text)
            let beginsOperand = next.map { $0.isGlued && ($0.kind != .sign || $0.isSign("(")) }
            if !endsOperand || beginsOperand == true { return nil }
        }
        if endsType(at: index - 1) {
            return "implicitly unwrapped type: use an optional, or set the value in `init`"
        }
        return "force unwrap: use `guard let` or `if let`, and handle nil"
    }

    /// Whether a type ends here, as far as the tokens show: its name is in upper case, or it is in
    /// brackets and follows a colon or an arrow.
    private func endsType(at index: Int) -> Bool {
        switch tokens[index].text {
        case ">", "?": return true
        case ")", "]":
            guard let before = token(at: opening(of: index) - 1) else { return false }
            return before.isSign(":") || before.isSign(">")
        default: return tokens[index].text.first?.isUppercase == true
        }
    }
}

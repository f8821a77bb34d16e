extension Rule {
    /// In debug builds each level of nested groups multiplies the parser's own checks by five.
    static let argumentGroups = Rule(name: "An argument group contains no other group") { file in
        guard file.isInSources else { return [] }
        return file.tokens.indices.filter { file.declaresArgumentGroup(at: $0) }.flatMap { index in
            file.groups(inDeclarationAt: index).map { position in
                file.finding(
                    file.tokens[position].line,
                    "`@OptionGroup` in the group `\(file.name(ofDeclarationAt: index))`: declare "
                        + "both in the commands, and combine them in a plain struct")
            }
        }
    }
}

extension SourceFile {
    fileprivate func declaresArgumentGroup(at index: Int) -> Bool {
        guard tokens[index].isWord("struct"), let body = body(ofDeclarationAt: index) else {
            return false
        }
        return tokens[index..<body].contains { $0.isWord("ParsableArguments") }
    }

    /// The indexes at which the declaration uses `@OptionGroup`.
    fileprivate func groups(inDeclarationAt index: Int) -> [Int] {
        guard let body = body(ofDeclarationAt: index) else { return [] }
        return (body...closing(of: body)).filter { position in
            tokens[position].isWord("OptionGroup") && tokens[position - 1].isSign("@")
        }
    }
}

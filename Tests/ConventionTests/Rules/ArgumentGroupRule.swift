extension Rule {
    /// In debug builds each level of groups in groups multiplies the parser's own checks by five.
    static let argumentGroups = Rule(name: "No group of arguments holds a group") { file in
        guard file.isInSources else { return [] }
        return file.tokens.indices.filter { file.declaresArgumentGroup(at: $0) }.flatMap { index in
            file.groups(inDeclarationAt: index).map { place in
                file.finding(
                    file.tokens[place].line,
                    "`@OptionGroup` in the group `\(file.name(ofDeclarationAt: index))`: let the "
                        + "commands hold both, and a plain struct combine them")
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

    /// The places where the declaration names `@OptionGroup`.
    fileprivate func groups(inDeclarationAt index: Int) -> [Int] {
        guard let body = body(ofDeclarationAt: index) else { return [] }
        return (body...closing(of: body)).filter { place in
            tokens[place].isWord("OptionGroup") && tokens[place - 1].isSign("@")
        }
    }
}

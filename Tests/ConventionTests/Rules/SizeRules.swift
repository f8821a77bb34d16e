extension Rule {
    static let fileLengthLimit = 500
    static let functionLengthLimit = 70
    static let lineWidthLimit = 100

    static let fileLength = Rule(name: "A file has at most \(fileLengthLimit) lines") { file in
        guard file.lines.count > fileLengthLimit else { return [] }
        let message =
            "the file has \(file.lines.count) lines, more than \(fileLengthLimit): "
            + "move some of its types or operations to other files (Type+Operation.swift)"
        return [file.finding(fileLengthLimit + 1, message)]
    }

    static let lineWidth = Rule(name: "A line has at most \(lineWidthLimit) columns") { file in
        zip(1..., file.lines).compactMap { number, line in
            // Counting bytes is fast, and there are never fewer bytes than characters.
            guard line.utf8.count > lineWidthLimit, line.count > lineWidthLimit else { return nil }
            return file.finding(
                number, "the line has \(line.count) columns: break it before \(lineWidthLimit + 1)")
        }
    }

    /// A function extends from its keyword to its closing brace; a computed property counts as one
    /// function with all its accessors.
    static let functionLength = Rule(
        name: "A function or computed property has at most \(functionLengthLimit) lines"
    ) { file in
        file.tokens.indices.compactMap { index in
            guard file.declaresFunction(at: index), let body = file.body(ofDeclarationAt: index)
            else { return nil }
            let first = file.tokens[index].line
            let length = file.tokens[file.closing(of: body)].line - first + 1
            guard length > functionLengthLimit else { return nil }
            let message =
                "`\(file.name(ofDeclarationAt: index))` has \(length) lines, more than "
                + "\(functionLengthLimit): divide it into smaller functions"
            return file.finding(first, message)
        }
    }
}

extension SourceFile {
    /// Whether the token is the keyword of a declaration that may have a body with statements.
    fileprivate func declaresFunction(at index: Int) -> Bool {
        let keywords: Set<String> = ["func", "init", "deinit", "subscript", "var"]
        guard tokens[index].kind == .word, keywords.contains(tokens[index].text) else {
            return false
        }
        return index == 0 || !tokens[index - 1].isSign(".")
    }
}

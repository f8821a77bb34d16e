internal import DocumentStore
internal import KVToolCore

/// Completion for the Tab key in the shell.
struct ShellCompleter {
    let table: CommandTable
    let location: ShellLocation

    /// The maximum number of documents to search for.
    private static let maximum = 201

    /// Returns the completion for the text before the cursor.
    func complete(_ before: String) -> LineCompletion {
        let words = ShellWords(before).words
        let first = words.first?.text.lowercased() ?? ""
        let isPastFirst = words.count > 1 || before.last?.isWhitespace == true
        let isQuery =
            ShellParser.statementWords.contains(first)
            || ["query", "explain"].contains(first)
        if isQuery, isPastFirst, words.last?.text.hasPrefix("-") != true {
            return completeQuery(before)
        }
        return completeWord(before, words)
    }

    /// The candidates for a word.
    private enum Candidates {
        case words([String])
        /// Files and directories.
        case paths
    }

    private func completeWord(_ before: String, _ words: [ShellWords.Word]) -> LineCompletion {
        let isInWord = words.last?.range.upperBound == before.utf8.count
        let typed = isInWord ? words.last : nil
        let earlier = (isInWord ? words.dropLast() : words).map(\.text)
        let start = typed?.text ?? ""
        let raw = typed.map { text(of: $0, in: before) } ?? ""
        switch candidates(earlier, start) {
        case .words(let words):
            let fitting = words.filter { $0.utf8.starts(with: start.utf8) }
            return LineCompletion(typed: raw, candidates: fitting, quoted: ShellWords.quoted)
        case .paths:
            let isAtHome = typed?.isAtHome == true
            let fitting = files(start, isAtHome).filter { $0.utf8.starts(with: start.utf8) }
            return LineCompletion(
                typed: raw, candidates: fitting,
                quoted: isAtHome ? ShellWords.quotedAtHome : ShellWords.quoted)
        }
    }

    private func text(of word: ShellWords.Word, in line: String) -> String {
        String(decoding: Array(line.utf8)[word.range], as: UTF8.self)
    }

    private func candidates(_ earlier: [String], _ typed: String) -> Candidates {
        guard let first = earlier.first else { return .words(beginnings(typed)) }
        switch first.hasPrefix(".") ? String(first.dropFirst()) : first {
        case "begin": return .words(earlier.count == 1 ? ["--upgrade"] : [])
        case "cd": return .words(location.collections())
        case "help": return .words(table.shownCommands.map(\.name).sorted())
        case "mode" where first == ".mode": return .words(ShellMode.names)
        case "output", "once", "read", "source", "open": return .paths
        default: break
        }
        guard let (command, depth) = table.command(earlier) else { return .words([]) }
        if !earlier.contains("--") {
            if typed.hasPrefix("-") { return .words(command.options.flatMap(\.names).sorted()) }
            if let last = earlier.dropFirst(depth).last, let option = command.option(last),
                option.takesValue, !last.contains("=")
            {
                return values(of: option)
            }
        }
        if depth == earlier.count, !command.commands.isEmpty {
            return .words(command.commands.map(\.name).sorted())
        }
        let argument = argument(command, earlier.dropFirst(depth))
        return values(of: argument, Array(earlier.prefix(depth)), command, typed)
    }

    /// The candidates for the first word of a line.
    private func beginnings(_ typed: String) -> [String] {
        if typed.hasPrefix(".") { return ShellMode.pointWords.map { "." + $0 }.sorted() }
        let statements = ShellParser.statementWords
            .map { typed.first?.isUppercase == true ? $0.uppercased() : $0 }
        let all = table.shownCommands.map(\.name) + ShellParser.ownWords + statements
        return Set(all).sorted()
    }

    private func values(of option: CommandTable.Option) -> Candidates {
        switch option.names.last ?? "" {
        case "--collection", "--to": .words(location.collections())
        case "--scope": .words(Set(location.collections().compactMap(Self.scope)).sorted())
        case "--color": .words(Choice.allCases.map(\.rawValue))
        case "--progress": .words(ProgressStyle.allCases.map(\.rawValue))
        case "--index": .words(location.indexes())
        default: option.valueName == "file" ? .paths : .words([])
        }
    }

    private static func scope(_ name: String) -> String? {
        name.firstIndex(of: ".").map { String(name[..<$0]) }
    }

    /// Returns the argument that the next word is a value of.
    private func argument(
        _ command: CommandTable.Command, _ words: ArraySlice<String>
    ) -> CommandTable.Argument? {
        var count = command.takesDatabase ? 1 : 0
        var isValue = false
        let options = words.prefix { $0 != "--" }
        for word in options {
            defer { isValue = command.option(word)?.takesValue == true && !word.contains("=") }
            if !isValue, command.option(word) == nil { count += 1 }
        }
        count += words.dropFirst(options.count + 1).count
        return command.arguments.dropFirst(count).first ?? command.arguments.last
    }

    private func values(
        of argument: CommandTable.Argument?, _ words: [String], _ command: CommandTable.Command,
        _ typed: String
    ) -> Candidates {
        guard let argument else { return .words([]) }
        if argument.isPath { return .paths }
        switch (words.first, command.name) {
        case (_, "mkindex") where argument.name == "expression":
            return .words(location.properties(behind: []))
        case _ where !argument.isInDatabase: return .words([])
        case ("index", _), (_, "rmindex"), (_, "reindex"): return .words(location.indexes())
        case (_, "rmcoll"): return .words(location.collections())
        case (_, "mv"):
            return .words(location.documents(typed, limit: Self.maximum) + location.collections())
        default: return .words(location.documents(typed, limit: Self.maximum))
        }
    }

    private func files(_ typed: String, _ isAtHome: Bool) -> [String] {
        if isAtHome, typed == "~" { return ["~/"] }
        let directory = typed.lastIndex(of: "/").map { String(typed[...$0]) } ?? ""
        let location = isAtHome ? HomeDirectory.expanded(directory) : directory
        let names = (try? System.names(in: location.isEmpty ? "." : location)) ?? []
        return names.filter {
            $0.first != "." || typed.dropFirst(directory.count).first == "."
        }.map {
            directory + $0 + (System.entry(location + $0) == .directory ? "/" : "")
        }
    }
}

extension ShellCompleter {
    private func completeQuery(_ before: String) -> LineCompletion {
        let typed = before.suffix(while: { $0.isLetter || $0.isNumber || $0 == "_" })
        let rest = before[..<typed.startIndex]
        let candidates: [String]
        let collection = Self.collection(in: rest)
        if rest.last == "." {
            candidates = location.properties(behind: Self.path(rest), of: collection)
        } else if ["from", "join", "update", "into"].contains(Self.lastWord(rest)) {
            candidates = ["_"] + location.collections()
        } else {
            let isLowercase = typed.first?.isLowercase == true
            let functions = Query.functionNames.map { $0.uppercased() + "(" }
            let words = (Query.keywords + functions).map { isLowercase ? $0.lowercased() : $0 }
            let properties = location.properties(behind: [], of: collection)
            candidates = properties + (typed.isEmpty ? [] : words)
        }
        let fitting = Set(candidates.filter { $0.utf8.starts(with: typed.utf8) }).sorted()
        return LineCompletion(typed: typed, candidates: fitting)
    }

    /// Returns the names of the path that ends the text, which is `a.b[0].` of `SELECT a.b[0].`.
    private static func path(_ text: Substring) -> [String] {
        let path = String(text).suffix {
            $0.isLetter || $0.isNumber || "_.[]*`".contains($0)
        }
        return path.dropLast().split(separator: ".").map { name in
            name.prefix { $0 != "[" }.filter { $0 != "`" }
        }
    }

    /// Returns the collection that a partial statement reads or changes.
    private static func collection(in text: Substring) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace)
        let index = words.firstIndex { ["from", "update"].contains($0.lowercased()) }
        return index.flatMap { words.dropFirst($0 + 1).first.map(String.init) }
    }

    private static func lastWord(_ text: Substring) -> String {
        text.split(whereSeparator: \.isWhitespace).last?.lowercased() ?? ""
    }
}

extension String {
    fileprivate func suffix(while isIncluded: (Character) -> Bool) -> Substring {
        self[(lastIndex { !isIncluded($0) }.map { index(after: $0) } ?? startIndex)...]
    }
}

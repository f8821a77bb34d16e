internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// The candidates for Tab in a shell, besides commands, options and files.
enum Completion {
    /// The names of the collections of the database among the arguments.
    static func collections(_ arguments: [String]) -> [String] {
        offered(collectionNames(arguments), arguments)
    }

    /// The document IDs that begin with the last argument, at most ``maximum``.
    static func documents(_ arguments: [String]) -> [String] {
        // The last argument of mv may be a collection.
        let others = arguments.dropFirst().first == "mv" ? collectionNames(arguments) : []
        return offered(ids(arguments) + others, arguments)
    }

    /// The names of the indexes of the database among the arguments.
    static func indexes(_ arguments: [String]) -> [String] {
        offered(read(arguments) { try $0.indexes().map(\.name) } ?? [], arguments)
    }

    /// The property names among the shared keys of the database in the arguments: nearly all
    /// names that documents use.
    static func properties(_ arguments: [String]) -> [String] {
        offered(read(arguments) { $0.sharedKeys.keys.sorted() } ?? [], arguments)
    }

    private static let maximum = 200

    private static func collectionNames(_ arguments: [String]) -> [String] {
        read(arguments) { try $0.collectionNames().map(\.description) } ?? []
    }

    private static func ids(_ arguments: [String]) -> [String] {
        let beginning = typed(arguments)
        var options = RecordEnumerator.Options()
        options.content = .metadata
        options.startKey = beginning.isEmpty ? nil : beginning
        options.limit = maximum
        let ids = read(arguments) { snapshot in
            let records = try collection(arguments).records(options, in: snapshot)
            var ids: [String] = []
            while let record = try records.next() {
                guard record.key.utf8.starts(with: beginning.utf8) else { break }
                ids.append(record.key)
            }
            return ids
        }
        return ids ?? []
    }

    private static func collection(_ arguments: [String]) throws -> DocumentCollection {
        let address = databaseWord(arguments).map { DatabaseAddress(unquoted($0)) }
        let name = value(of: "--collection", in: arguments).map(unquoted) ?? address?.collection
        return DocumentCollection(try name.map { try CollectionName($0) } ?? .default)
    }

    /// Returns the value of an option, which follows it with `=` or as the next word; bash makes a
    /// word of the `=` itself.
    private static func value(of option: String, in arguments: [String]) -> String? {
        let start = option + "="
        let words = arguments.prefix { $0 != "--" }
        guard
            let index = words.firstIndex(where: {
                $0 == option || $0.utf8.starts(with: start.utf8)
            })
        else { return nil }
        guard words[index] == option else {
            return String(decoding: words[index].utf8.dropFirst(start.utf8.count), as: UTF8.self)
        }
        let rest = words[(index + 1)...]
        return rest.first == "=" ? rest.dropFirst().first : rest.first
    }

    /// Returns the word that names the database.
    private static func databaseWord(_ arguments: [String]) -> String? {
        let keys = [value(of: "--key", in: arguments), value(of: "--key-file", in: arguments)]
        return arguments.first { word in
            word.contains(".cblite2") && !word.hasPrefix("--key") && !keys.contains(word)
        }
    }

    private static func read<T>(_ arguments: [String], _ body: (Snapshot) throws -> T) -> T? {
        let key = value(of: "--key", in: arguments)
        let keyFile = value(of: "--key-file", in: arguments)
        guard let word = databaseWord(arguments) else { return nil }
        var options = DataFileOptions(access: .readOnly)
        options.busyTimeoutMilliseconds = 100
        options.maintenance = false
        let address = DatabaseAddress(unquoted(word))
        let source = keySource(key, keyFile)
        let file = try? DatabaseKeys.current.opening(
            address.path, options, source, mayPrompt: false
        ) {
            try DataFile(path: address.path, options: $0)
        }
        return try? file?.read(body)
    }

    /// Returns the key that the arguments give. A warning would appear in the line being typed.
    private static func keySource(_ key: String?, _ file: String?) -> KeySource? {
        if let key { return KeySource.typed(HiddenKeys.store(unquoted(key))) }
        return file.map { KeySource.file(unquoted($0), showsWarnings: false) }
    }

    /// Removes the quotes of a word that a shell passes on as typed.
    private static func unquoted(_ word: String) -> String {
        (try? ShellWords.split(word))?.first ?? word
    }
}

// Text from a database must not be executed by the shell that shows it.
extension Completion {
    /// Returns the candidates in the form that the requesting shell takes.
    private static func offered(_ words: [String], _ arguments: [String]) -> [String] {
        let part = System.environment(BashCompletion.partVariable).map { String($0.dropFirst()) }
        return offered(words, to: requestingShell, word: arguments.last ?? "", part: part)
    }

    private static var requestingShell: CompletionsCommand.Shell? {
        CompletionShell.requesting.flatMap { CompletionsCommand.Shell(rawValue: $0.rawValue) }
    }

    /// The last argument without its quotes, which fish 3 has already removed.
    private static func typed(_ arguments: [String]) -> String {
        let word = arguments.last ?? ""
        let isUnquoted =
            requestingShell == .fish && CompletionShell.requestingVersion?.first == "3"
        return isUnquoted ? word : BashWord(word).text
    }

    /// Returns candidates in the form that the completion script of a shell takes verbatim.
    ///
    /// Omits those that a terminal could interpret or show in another order.
    ///
    /// - Parameters:
    ///   - word: the word up to the cursor, as typed.
    ///   - part: the part of it that bash completes; nil if candidates are not inserted.
    static func offered(
        _ words: [String], to shell: CompletionsCommand.Shell?, word: String = "",
        part: String? = nil
    ) -> [String] {
        let words = words.filter { Text.line($0) == $0 }
        switch shell {
        case .bash:
            let typed = BashWord(word).text
            return [BashCompletion.mark]
                + (part.map { BashWord.replacements(words, raw: word, part: $0) }
                    ?? words.filter { $0.utf8.starts(with: typed.utf8) })
        // zsh takes a colon for the start of a description.
        case .zsh:
            return words.map {
                $0.replacing(#"\"#, with: #"\\"#).replacing(":", with: #"\:"#)
            }
        case .fish, nil: return words
        }
    }
}

/// `kvtool completions SHELL`
struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Writes a completion script for a shell.",
        discussion: """
            Examples:
              source <(kvtool completions bash)
              kvtool completions zsh > ~/.zsh/completions/_kvtool
              kvtool completions fish > ~/.config/fish/completions/kvtool.fish

            Besides commands, options and files, the script completes the collections, documents \
            and indexes of the database on the command line.
            """)

    /// The supported shells.
    enum Shell: String, CaseIterable, ExpressibleByArgument {
        case bash, zsh, fish
    }

    @Argument(help: "The shell: bash, zsh or fish.") var shell: Shell

    func run() throws {
        let script =
            switch shell {
            case .bash: KVTool.completionScript(for: .bash) + "\n" + BashCompletion.script
            // Without banghist off, zsh inserts an exclamation mark unquoted, which then stands for
            // an earlier command.
            case .zsh:
                KVTool.completionScript(for: .zsh)
                    .replacing("unsetopt aliases banghist", with: "unsetopt aliases")
            case .fish: KVTool.completionScript(for: .fish)
            }
        try StandardOutput.current.write(script + "\n")
    }
}

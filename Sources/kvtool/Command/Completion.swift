internal import ArgumentParser
internal import DataFileCore
internal import FleeceLite

/// What a shell's Tab key offers besides the names of commands, options and files.
enum Completion {
    /// The names of the collections of the database among the arguments.
    static func collections(_ arguments: [String]) -> [String] {
        offered(collectionNames(arguments))
    }

    /// The ids that begin as the last argument does; not more than anybody would look at.
    static func documents(_ arguments: [String]) -> [String] {
        // The last word of mv is where they go to.
        let others = arguments.dropFirst().first == "mv" ? collectionNames(arguments) : []
        return offered(ids(arguments) + others)
    }

    /// The names of the indexes of the database among the arguments.
    static func indexes(_ arguments: [String]) -> [String] {
        offered(read(arguments) { try $0.indexes().map(\.name) } ?? [])
    }

    /// The names of properties that the database among the arguments has numbers for: nearly all
    /// that documents have.
    static func properties(_ arguments: [String]) -> [String] {
        offered(read(arguments) { $0.sharedKeys.keys.sorted() } ?? [])
    }

    private static let maximum = 200

    private static func collectionNames(_ arguments: [String]) -> [String] {
        read(arguments) { try $0.collectionNames().map(\.description) } ?? []
    }

    private static func ids(_ arguments: [String]) -> [String] {
        let beginning = arguments.last ?? ""
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

    private static func collection(_ arguments: [String]) throws -> Collection {
        let name = value(of: "--collection", in: arguments)
        return Collection(try name.map { try CollectionName($0) } ?? .default)
    }

    /// The value of an option, which stands behind it, with `=` or without; to bash, that is a word
    /// of its own.
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

    private static func read<T>(_ arguments: [String], _ body: (Snapshot) throws -> T) -> T? {
        let key = value(of: "--key", in: arguments)
        let keyFile = value(of: "--key-file", in: arguments)
        func isDatabase(_ word: String) -> Bool {
            word.contains(".cblite2") && !word.hasPrefix("--key") && word != key && word != keyFile
        }
        guard let word = arguments.first(where: isDatabase) else { return nil }
        var options = DataFileOptions(access: .readOnly)
        options.busyTimeoutMilliseconds = 100
        options.housekeeping = false
        let address = DatabaseAddress(unquoted(word))
        let source = keySource(key, keyFile)
        let file = try? DatabaseKeys.opening(address.path, options, source, mayAsk: false) {
            try DataFile(path: address.path, options: $0)
        }
        return try? file?.read(body)
    }

    /// What words say of a key. A note on a file of it would stand in the line that is typed.
    private static func keySource(_ key: String?, _ file: String?) -> KeySource? {
        if let key { return KeySource.typed(HiddenKeys.kept(unquoted(key))) }
        return file.map { KeySource.file(unquoted($0), isTold: false) }
    }

    /// A word as the shell takes it that hands it over as it was typed.
    private static func unquoted(_ word: String) -> String {
        (try? ShellWords.split(word))?.first ?? word
    }
}

// What stands in a database must not be obeyed by the shell that shows it.
extension Completion {
    /// Words in the form in which the script of the shell that asks takes them as they are.
    private static func offered(_ words: [String]) -> [String] {
        let shell = CompletionShell.requesting.flatMap {
            CompletionsCommand.Shell(rawValue: $0.rawValue)
        }
        return offered(words, to: shell)
    }

    /// The same for one shell.
    ///
    /// Words with control characters are left out: a word is a line.
    static func offered(_ words: [String], to shell: CompletionsCommand.Shell?) -> [String] {
        let words = words.filter { word in
            !word.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        switch shell {
        // `compgen -W` expands what it is given, and so runs `$(…)`.
        case .bash: return words.map { "'" + $0.replacing("'", with: #"'\''"#) + "'" }
        // A colon begins what is said of a word.
        case .zsh:
            return words.map {
                $0.replacing(#"\"#, with: #"\\"#).replacing(":", with: #"\:"#)
            }
        case .fish, nil: return words
        }
    }
}

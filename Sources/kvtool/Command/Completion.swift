internal import DataFileCore

/// What a shell's Tab key offers besides the names of commands, options and files.
enum Completion {
    /// The names of the collections of the database among the arguments.
    static func collections(_ arguments: [String]) -> [String] {
        read(arguments) { try $0.collectionNames().map(\.description) } ?? []
    }

    /// The ids that begin as the last argument does; not more than anybody would look at.
    static func documents(_ arguments: [String]) -> [String] {
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

    /// The names of the indexes of the database among the arguments.
    static func indexes(_ arguments: [String]) -> [String] {
        read(arguments) { try $0.indexes().map(\.name) } ?? []
    }

    private static let maximum = 200

    private static func collection(_ arguments: [String]) throws -> Collection {
        for (index, argument) in arguments.enumerated() {
            if argument == "--collection", index + 1 < arguments.count {
                return Collection(try CollectionName(arguments[index + 1]))
            }
            let start = "--collection="
            if argument.hasPrefix(start) {
                return Collection(try CollectionName(String(argument.dropFirst(start.count))))
            }
        }
        return Collection(.default)
    }

    private static func read<T>(_ arguments: [String], _ body: (Snapshot) throws -> T) -> T? {
        guard let path = arguments.first(where: { $0.contains(".cblite2") }) else { return nil }
        var options = DataFileOptions(access: .readOnly)
        options.busyTimeoutMilliseconds = 100
        options.housekeeping = false
        let address = DatabaseAddress(path)
        return try? DataFile(path: address.path, options: options).read(body)
    }
}

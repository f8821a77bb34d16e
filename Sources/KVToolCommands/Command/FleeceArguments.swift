internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// The arguments of commands that read Fleece.
struct FleeceArguments: ParsableArguments {
    @Argument(
        help: """
            A file, - for standard input, or a document as NAME.cblite2//COLLECTION/ID, whose body \
            is read with the shared keys of its database.
            """,
        completion: .file())
    var input = "-"

    @Flag(help: "The file holds hexadecimal digits.") var hex = false

    @Flag(
        help: """
            Of a document, what the column extra holds: the revisions of remotes, where the \
            database has version vectors.
            """)
    var extra = false

    @Option(
        help: ArgumentHelp(
            "The database whose shared keys a file refers to.", valueName: "database"),
        completion: .directory)
    var keys: String?

    /// What was read.
    struct Content: Sendable {
        /// As messages call it.
        let name: String
        let bytes: [UInt8]
        let sharedKeys: SharedKeys

        /// What is said of bytes that are not sound.
        func refusal(_ error: FleeceError) -> ToolError {
            // Without keys no key that is shared is known.
            let mayLackKeys =
                sharedKeys.count == 0
                && bytes.withUnsafeBytes { (try? FleeceValidation.structure.check($0)) != nil }
            let hint = mayLackKeys ? "; if its keys are shared, --keys names their database" : ""
            return ToolError("\(name) is no sound Fleece: \(error)\(hint)", status: .damaged)
        }
    }

    func validate() throws {
        guard !extra || isDocument else {
            throw ValidationError("--extra is for a document, NAME.cblite2//COLLECTION/ID")
        }
        guard !hex || !isDocument else {
            throw ValidationError("--hex is for a file; a document is stored as bytes")
        }
    }

    private var isDocument: Bool { DatabaseAddress(input).id != nil }

    /// Reads the Fleece.
    ///
    /// - Parameter key: what the command line says of the database's key.
    func read(_ key: KeySource?) async throws -> Content {
        let address = DatabaseAddress(input)
        if let id = address.id {
            let name = try CollectionName(argument: address.collection ?? "_default")
            return try await Self.open(address.path, key).read {
                try document(id, DocumentCollection(name), $0)
            }
        }
        var bytes = try InputFile.contents(of: input)
        let name = input == "-" ? "standard input" : input
        if hex { bytes = try HexText.bytes(bytes, of: name) }
        return Content(name: name, bytes: bytes, sharedKeys: try await sharedKeys(key))
    }

    /// The keys of the database that --keys names, none without it.
    private func sharedKeys(_ key: KeySource?) async throws -> SharedKeys {
        guard let keys else { return SharedKeys() }
        return try await Self.open(keys, key).read { try $0.requireSharedKeys() }
    }

    private static func open(_ path: String, _ key: KeySource?) throws -> DataFile {
        try OpenShell.current.requireNoTransaction(on: path)
        var options = DataFileOptions(access: .readOnly)
        options.maintenance = false
        let file = try DatabaseAddress.open(path, options, key: key)
        StandardError.current.addSubject(file.path)
        return file
    }

    private func document(
        _ id: String, _ collection: DocumentCollection, _ snapshot: Snapshot
    ) throws -> Content {
        let name = "document \"\(Text.line(id))\""
        // Throws if there is no such collection.
        _ = try collection.count(in: snapshot)
        guard let record = try collection.keyStore.get(id, in: snapshot) else {
            throw StoreError(.notFound, "\(name) is not in the collection \(collection.name)")
        }
        guard let bytes = extra ? record.extra : record.currentBody, !bytes.isEmpty else {
            let column = extra ? "extra column" : "body"
            throw StoreError(.notFound, "\(name) has no \(column)")
        }
        guard !extra || record.layout == .versionVector else {
            throw ToolError(
                "the extra column of \(name) is a tree of revisions, which is not Fleece; revs "
                    + "shows it")
        }
        return Content(name: name, bytes: bytes, sharedKeys: try snapshot.requireSharedKeys())
    }
}

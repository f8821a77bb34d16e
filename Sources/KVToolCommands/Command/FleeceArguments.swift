internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// The input arguments of commands that read Fleece.
struct FleeceArguments: ParsableArguments {
    @Argument(
        help: """
            A file, - for standard input, or a document as NAME.cblite2//COLLECTION/ID, which is \
            read with the shared keys of its database.
            """,
        completion: .file())
    var input = "-"

    @Flag(help: "Read hexadecimal digits.") var hex = false

    @Flag(
        help: """
            Read the document's extra column: the revisions of remotes, in a database with version \
            vectors.
            """)
    var extra = false

    @Option(
        help: ArgumentHelp(
            "The database whose shared keys the file uses.", valueName: "database"),
        completion: .directory)
    var keys: String?

    /// The bytes to decode.
    struct Content: Sendable {
        /// The name in messages.
        let name: String
        let bytes: [UInt8]
        let sharedKeys: SharedKeys

        /// Returns the error for invalid Fleece.
        func refusal(_ error: FleeceError) -> ToolError {
            // Without shared keys, references to them are invalid.
            let mayLackKeys =
                sharedKeys.count == 0
                && bytes.withUnsafeBytes { (try? FleeceValidation.structure.check($0)) != nil }
            let hint = mayLackKeys ? "; if it uses shared keys, --keys names their database" : ""
            return ToolError("\(name) is not valid Fleece: \(error)\(hint)", status: .damaged)
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
    /// - Parameter key: the key that the command line gives for the database.
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

    /// The shared keys of the database that `--keys` names, empty without it.
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
        // Throws if the collection does not exist.
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
                "the extra column of \(name) contains a revision tree, which is not Fleece; use "
                    + "revs to show it")
        }
        return Content(name: name, bytes: bytes, sharedKeys: try snapshot.requireSharedKeys())
    }
}

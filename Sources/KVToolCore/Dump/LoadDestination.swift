package import DocumentStore

/// The database that is made by a load, or that one has begun.
package struct LoadDestination {
    package let path: String
    package let versioning: Versioning
    package let busyTimeoutMilliseconds: Int
    /// What the command line says of its key.
    package let key: KeySource?

    package init(
        path: String, versioning: Versioning, busyTimeoutMilliseconds: Int, key: KeySource?
    ) {
        self.path = path
        self.versioning = versioning
        self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
        self.key = key
    }

    /// Opens it; the mark is nil if it is new.
    ///
    /// - Parameter first: the mark that a new one gets.
    package func open(_ first: LoadMark) throws -> (DataFile, LoadMark?) {
        let isNew = System.entry(path).isNothing
        if isNew { try make(first) }
        let file = try DatabaseKeys.current.opening(path, options(.readWrite), key) {
            try DataFile(path: path, options: $0)
        }
        OpenFiles.current.add(file)
        StandardError.current.addSubject(file.path)
        guard !isNew else { return (file, nil) }
        guard let mark = try file.read({ try LoadMark(in: $0) }) else {
            throw ToolError(
                "\(path) exists already, and is not what a load has left", status: .conflict)
        }
        guard mark.newUUIDs == first.newUUIDs else {
            throw ToolError(
                "\(path) was begun \(mark.newUUIDs ? "with" : "without") --new-uuid; go on so",
                status: .conflict)
        }
        return (file, mark)
    }

    /// Makes the database in which a dump is checked.
    package func makeForCheck(_ first: LoadMark) throws -> DataFile {
        do {
            let file = try DataFile(path: path, options: options(.create))
            OpenFiles.current.add(file)
            try file.write { try first.write(in: $0) }
            return file
        } catch let error as StoreError where error.isFullDisk {
            throw ToolError("the disk of \(System.temporaryDirectory) is full; nothing was checked")
        }
    }

    /// It appears with its mark: what a kill leaves could not be told from a database else.
    private func make(_ first: LoadMark) throws {
        var name = path
        while name.hasSuffix("/") { name.removeLast() }
        let draft = name + ".kvtool-load"
        if !System.entry(draft).isNothing { try DataFile.delete(path: draft) }
        do {
            let file = try System.restrictingNewFiles {
                try DatabaseKeys.current.opening(draft, options(.create), key) {
                    try DataFile(path: draft, options: $0)
                }
            }
            defer { file.close() }
            try file.write { try first.write(in: $0) }
        } catch let error as StoreError where error.isFullDisk {
            try? DataFile.delete(path: draft)
            throw ToolError("the disk is full; \(name) was not made")
        }
        try System.move(draft, to: name)
    }

    private func options(_ access: DataFileOptions.Access) -> DataFileOptions {
        var options = DataFileOptions(access: access)
        options.busyTimeoutMilliseconds = busyTimeoutMilliseconds
        options.maintenance = false
        options.logger = NoteHandler.logger
        options.upgrade = .never
        // Rows say themselves in which form they are.
        options.versioning = versioning == .treesInBody ? .treesInExtra : versioning
        return options
    }
}

/// How far a load has come, as it stands in the database that is not whole yet.
package struct LoadMark {
    /// The last line whose rows are there.
    package var line: Int
    /// The checksum of the lines up to it, by which another dump is told.
    var checksum: String
    /// Whether the database gets UUIDs of its own.
    var newUUIDs: Bool

    package init(line: Int, checksum: String, newUUIDs: Bool) {
        (self.line, self.checksum, self.newUUIDs) = (line, checksum, newUUIDs)
    }

    /// The mark of a database; nil if no load has begun it, or it is whole.
    init?(in snapshot: Snapshot) throws {
        guard let record = try KeyStore(.info).getRaw(DumpFormat.mark, in: snapshot),
            let mark = try? FleeceDocument(json: String(decoding: record.body, as: UTF8.self))
                .root.dictionary,
            let line = mark["line"]?.int, line > 0, let checksum = mark["crc32"]?.string
        else { return nil }
        self.init(
            line: Int(line), checksum: checksum, newUUIDs: mark["newUUIDs"]?.bool ?? false)
    }

    /// Writes it into the database.
    func write(in transaction: Transaction) throws {
        var object = JSONObject()
        object.add("line", line)
        object.add("crc32", checksum)
        object.add("newUUIDs", newUUIDs)
        let record = RawRecord(body: object.finished().utf8)
        try KeyStore(.info).putRaw(record, for: DumpFormat.mark, in: transaction)
    }

    /// Removes it: the database is whole.
    static func remove(in transaction: Transaction) throws {
        try KeyStore(.info).putRaw(nil, for: DumpFormat.mark, in: transaction)
    }
}

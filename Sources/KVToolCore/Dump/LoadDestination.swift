package import DocumentStore

/// The database that a load creates or continues.
package struct LoadDestination {
    package let path: String
    package let versioning: Versioning
    package let busyTimeoutMilliseconds: Int
    /// The key from the command line.
    package let key: KeySource?

    package init(
        path: String, versioning: Versioning, busyTimeoutMilliseconds: Int, key: KeySource?
    ) {
        self.path = path
        self.versioning = versioning
        self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
        self.key = key
    }

    /// Opens the database, and creates it if it does not exist; the mark is nil for a new one.
    ///
    /// - Parameter first: the mark of a new database.
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
                "\(path) already exists and is not from an interrupted load; specify a path that "
                    + "does not exist", status: .conflict)
        }
        guard mark.newUUIDs == first.newUUIDs else {
            throw ToolError(
                "\(path) was started \(mark.newUUIDs ? "with" : "without") --new-uuid; continue so",
                status: .conflict)
        }
        return (file, mark)
    }

    /// Creates the database for a dry run.
    package func createForDryRun(_ first: LoadMark) throws -> DataFile {
        do {
            let file = try DataFile(path: path, options: options(.create))
            OpenFiles.current.add(file)
            try file.write { try first.write(in: $0) }
            return file
        } catch let error as StoreError where error.isFullDisk {
            throw ToolError("the disk of \(System.temporaryDirectory) is full; nothing was checked")
        }
    }

    /// Creates the database together with its mark, so that what remains after a kill can be
    /// distinguished from a complete database.
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
            throw ToolError("the disk is full; \(name) was not created")
        }
        try System.move(draft, to: name)
    }

    private func options(_ access: DataFileOptions.Access) -> DataFileOptions {
        var options = DataFileOptions(access: access)
        options.busyTimeoutMilliseconds = busyTimeoutMilliseconds
        options.maintenance = false
        options.logger = NoteHandler.logger
        options.upgrade = .never
        // Each row has its own format.
        options.versioning = versioning == .treesInBody ? .treesInExtra : versioning
        return options
    }
}

/// The position of an unfinished load, stored in the database.
package struct LoadMark {
    /// The last line whose rows are in the database.
    package var line: Int
    /// The checksum of the lines up to it, which distinguishes this dump from others.
    var checksum: String
    /// Whether the database gets new UUIDs.
    var newUUIDs: Bool

    package init(line: Int, checksum: String, newUUIDs: Bool) {
        (self.line, self.checksum, self.newUUIDs) = (line, checksum, newUUIDs)
    }

    /// Reads the mark of a database; nil if it was not created by a load, or is complete.
    init?(in snapshot: Snapshot) throws {
        guard let record = try KeyStore(.info).getRaw(DumpFormat.mark, in: snapshot),
            let mark = try? FleeceDocument(json: String(decoding: record.body, as: UTF8.self))
                .root.dictionary,
            let line = mark["line"]?.int, line > 0, let checksum = mark["crc32"]?.string
        else { return nil }
        self.init(
            line: Int(line), checksum: checksum, newUUIDs: mark["newUUIDs"]?.bool ?? false)
    }

    /// Writes the mark into the database.
    func write(in transaction: Transaction) throws {
        var object = JSONObject()
        object.add("line", line)
        object.add("crc32", checksum)
        object.add("newUUIDs", newUUIDs)
        let record = RawRecord(body: object.finished().utf8)
        try KeyStore(.info).putRaw(record, for: DumpFormat.mark, in: transaction)
    }

    /// Removes the mark, because the database is complete.
    static func remove(in transaction: Transaction) throws {
        try KeyStore(.info).putRaw(nil, for: DumpFormat.mark, in: transaction)
    }
}

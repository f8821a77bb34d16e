/// Finds out how a file is written, and opens it.
package struct SourceOpening {
    package var format = SourceFormat.auto
    /// Whether the values of files of values stay texts.
    package var keepsTexts = false
    /// What stands between values, if somebody has said it.
    package var delimiter: UInt8?
    /// The encoding of the files; nil for UTF-8.
    package var encoding: String?

    package init(
        format: SourceFormat = .auto, keepsTexts: Bool = false, delimiter: UInt8? = nil,
        encoding: String? = nil
    ) {
        self.format = format
        self.keepsTexts = keepsTexts
        self.delimiter = delimiter
        self.encoding = encoding
    }

    /// What the documents of a file, a directory, or standard input (`-`) are read from.
    ///
    /// Throws for a file whose ending says nothing of its form, unless that is given.
    package func open(_ path: String) throws -> any DocumentSource {
        guard System.entry(path) != .directory else { return try directory(path) }
        switch try format == .auto ? format(ofName: path) : format {
        case .csv: return try values(path, delimiter ?? CSV.comma)
        case .tsv: return try values(path, delimiter ?? CSV.tab)
        case .lines: return LineSource(try LineReader(path: path, encoding: encoding))
        case .array: return ArraySource(try ByteWindow(path: path, encoding: encoding))
        case .document: return FileSource([path], encoding: encoding)
        case .auto: return try sniffed(path)
        }
    }

    private func format(ofName path: String) throws -> SourceFormat {
        switch FileEnding(path) {
        case .csv: return .csv
        case .tsv: return .tsv
        case nil, .json, .lines: return delimiter == nil ? .auto : .csv
        case .unknown(let ending):
            guard delimiter == nil else { return .csv }
            // A pipe or device says nothing by its name.
            guard case .file = System.entry(path) else { return .auto }
            var window = try ByteWindow(path: path)
            try requireNoDump(&window)
            throw FileEnding.unknown(
                ending, path, "--format says how the file is written", isRead: true)
        }
    }

    private func values(_ path: String, _ separator: UInt8) throws -> CSVSource {
        let reader = CSVReader(
            try LineReader(path: path, encoding: encoding), separator: separator)
        return try CSVSource(
            reader, keepsTexts: keepsTexts, isSeparatorKnown: delimiter != nil)
    }

    /// The files `ID.json` of a directory.
    private func directory(_ path: String) throws -> FileSource {
        let directory = path.hasSuffix("/") ? path : path + "/"
        do {
            let names = try System.names(in: path).filter { $0.hasSuffix(".json") }
            guard !names.isEmpty else {
                throw ToolError(
                    "\(path) is a directory without documents NAME.json; give one that has some, or "
                        + "a file")
            }
            for name in names { try requireFile(directory + name) }
            return FileSource(
                names.map { directory + $0 }, areNamesEscaped: true, encoding: encoding)
        } catch let failure as System.Failure {
            throw InputFile.error(failure, path)
        }
    }

    /// Whoever fills a directory may have put a FIFO there, at which a reader waits for ever.
    private func requireFile(_ path: String) throws {
        guard case .file = System.entry(path) else {
            throw ToolError(
                "\(path) is not a file, but a directory, a FIFO, a device or a link to nothing; "
                    + "remove it, or give the files themselves; nothing was imported",
                status: .cannotOpen)
        }
    }

    private func requireNoDump(_ window: inout ByteWindow) throws {
        guard try DumpReader.begins(&window) else { return }
        throw ToolError(
            "\(window.name) is a dump of a database; kvtool load makes the database of it",
            status: .usage)
    }

    /// By what it begins with: `[` and an object is an array, an object that is all there is in a
    /// file `NAME.json` a document, all else lines.
    private func sniffed(_ path: String) throws -> any DocumentSource {
        var window = try ByteWindow(path: path, encoding: encoding)
        try requireNoDump(&window)
        let start = window.withBytes { Self.start($0) }
        if start.isArray { return ArraySource(window) }
        guard start.isObject, path.lowercased().hasSuffix(".json") else {
            return LineSource(LineReader(window))
        }
        var scanner = ValueScanner()
        var searched = start.offset
        while true {
            if let end = window.withBytes({ scanner.end(in: $0, from: searched) }) {
                return try isBlank(from: end, &window)
                    ? FileSource([path], encoding: encoding) : LineSource(LineReader(window))
            }
            searched = window.count
            // Cut off: the reader of JSON will say so.
            guard !window.isAtEnd, searched <= LineReader.maximumLine else {
                return LineSource(LineReader(window))
            }
            try window.fill()
        }
    }

    private func isBlank(from end: Int, _ window: inout ByteWindow) throws -> Bool {
        var checked = end
        while true {
            let start = checked
            guard window.withBytes({ $0[start...].allSatisfy(\.isBlank) }) else { return false }
            guard !window.isAtEnd else { return true }
            checked = window.count
            try window.fill()
        }
    }

    private static func start(
        _ bytes: UnsafeRawBufferPointer
    ) -> (isArray: Bool, isObject: Bool, offset: Int) {
        var offset = ByteOrderMark.begins(bytes) ? ByteOrderMark.length : 0
        func skipBlanks() { while offset < bytes.count, bytes[offset].isBlank { offset += 1 } }
        skipBlanks()
        let first = offset
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "[") else {
            return (false, offset < bytes.count && bytes[offset] == UInt8(ascii: "{"), first)
        }
        offset += 1
        skipBlanks()
        let following = offset < bytes.count ? bytes[offset] : UInt8(ascii: "{")
        return (following == UInt8(ascii: "{") || following == UInt8(ascii: "]"), false, first)
    }
}

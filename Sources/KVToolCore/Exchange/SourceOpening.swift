/// Detects the format of a file and opens it.
package struct SourceOpening {
    package var format = SourceFormat.auto
    /// Whether all CSV values become strings.
    package var keepsStrings = false
    /// The separator of CSV values; nil if the user did not specify it.
    package var delimiter: UInt8?
    /// The encoding of the files; nil for UTF-8.
    package var encoding: String?

    package init(
        format: SourceFormat = .auto, keepsStrings: Bool = false, delimiter: UInt8? = nil,
        encoding: String? = nil
    ) {
        self.format = format
        self.keepsStrings = keepsStrings
        self.delimiter = delimiter
        self.encoding = encoding
    }

    /// Opens a file, a directory, or standard input (`-`) as a source of documents.
    ///
    /// - Throws: for a file with an unknown extension, unless the format is specified.
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
            // The name of a pipe or device does not indicate the format.
            guard case .file = System.entry(path) else { return .auto }
            var window = try ByteWindow(path: path)
            try requireNoDump(&window)
            throw FileEnding.unknown(
                ending, path, "specify its format with --format", isRead: true)
        }
    }

    private func values(_ path: String, _ separator: UInt8) throws -> CSVSource {
        let reader = CSVReader(
            try LineReader(path: path, encoding: encoding), separator: separator)
        return try CSVSource(
            reader, keepsStrings: keepsStrings, isSeparatorKnown: delimiter != nil)
    }

    /// Opens the files `ID.json` of a directory.
    private func directory(_ path: String) throws -> FileSource {
        let directory = path.hasSuffix("/") ? path : path + "/"
        do {
            let names = try System.names(in: path).filter { $0.hasSuffix(".json") }
            guard !names.isEmpty else {
                throw ToolError(
                    "\(path) is a directory without files NAME.json; specify another directory or "
                        + "a file")
            }
            for name in names { try requireFile(directory + name) }
            return FileSource(
                names.map { directory + $0 }, areNamesEscaped: true, encoding: encoding)
        } catch let failure as System.Failure {
            throw InputFile.error(failure, path)
        }
    }

    /// Throws unless the path is a file. The directory may contain a FIFO, at which a reader would
    /// block.
    private func requireFile(_ path: String) throws {
        guard case .file = System.entry(path) else {
            throw ToolError(
                "\(path) is not a file, but a directory, FIFO, device or broken link; "
                    + "remove it, or name the files themselves; nothing was imported",
                status: .cannotOpen)
        }
    }

    private func requireNoDump(_ window: inout ByteWindow) throws {
        guard try DumpReader.begins(&window) else { return }
        throw ToolError(
            "\(window.name) is a dump; use kvtool load to create a database from it",
            status: .usage)
    }

    /// Detects the format from the first bytes: `[` and an object is an array, a single object in a
    /// file `NAME.json` is a document, and everything else is lines.
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
            // Truncated; the JSON parser reports it.
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

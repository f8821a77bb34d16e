package import DocumentStore

/// A format of the document list.
package protocol DocumentList {
    mutating func add(_ row: ListRow) throws
    mutating func finish() throws
}

/// A list with fields of each document.
package struct LongList: DocumentList {
    private let fields: [ListField]
    private var output: RowOutput

    /// - Parameter empty: the message for an empty list in console output.
    package init(
        _ name: CollectionName, _ fields: [ListField], _ form: ListForm,
        _ arguments: OutputArguments, empty: String?
    ) {
        self.fields = fields
        var header = JSONObject()
        header.add("collection", name.description)
        output = RowOutput(
            "ls", list: "documents", fields.map(\.column), arguments, header: header,
            presentation: form.presentation(of: fields), empty: empty)
    }

    package mutating func add(_ row: ListRow) throws {
        try output.add(fields.map { $0.cell(of: row) })
    }

    package mutating func finish() throws { try output.finish() }
}

/// Ids in as many columns as fit the terminal.
package struct ShortList: DocumentList {
    private let empty: String?
    private var waiting: [String] = []
    private var isEmpty = true
    private let columns = System.terminalSize(StandardOutput.current.descriptor)?.columns ?? 80

    /// The number of IDs that are aligned together.
    private static let batch = 500
    private static let gap = 2

    /// - Parameter empty: the message for an empty list in console output.
    package init(empty: String?) { self.empty = empty }

    package mutating func add(_ row: ListRow) throws {
        isEmpty = false
        waiting.append(Text.line(row.record.key))
        if waiting.count == Self.batch { try flush() }
    }

    package mutating func finish() throws {
        try flush()
        if isEmpty, let empty { StandardError.current.writeUnprefixed(empty) }
    }

    private mutating func flush() throws {
        let width = (waiting.map { DisplayWidth.cells($0) }.max() ?? 0) + Self.gap
        let perLine = max(1, (columns + Self.gap) / width)
        for start in stride(from: 0, to: waiting.count, by: perLine) {
            let ids = waiting[start..<min(start + perLine, waiting.count)]
            var line = ids.dropLast().map { DisplayWidth.padded($0, width) }.joined()
            line += ids.last ?? ""
            try StandardOutput.current.write(DisplayWidth.fitted(line, columns) + "\n")
        }
        waiting = []
    }
}

/// IDs for other programs, separated by zero bytes, which IDs cannot contain.
package struct IDList: DocumentList {

    package init() {}
    package mutating func add(_ row: ListRow) throws {
        try StandardOutput.current.writeData(Array(row.record.key.utf8) + [0])
    }

    package mutating func finish() throws {}
}

/// Only the number of documents.
package struct CountList: DocumentList {
    private let name: CollectionName
    private let arguments: OutputArguments
    private var count = 0

    package init(_ name: CollectionName, _ arguments: OutputArguments) {
        self.name = name
        self.arguments = arguments
    }

    package mutating func add(_ row: ListRow) { count += 1 }

    package mutating func finish() throws {
        guard arguments.format == .json || arguments.format == .ndjson else {
            return try StandardOutput.current.write("\(count)\n")
        }
        var object = JSONObject()
        object.add("schema", OutputSchema.name("ls"))
        object.add("collection", name.description)
        object.add("count", count)
        try StandardOutput.current.write(object.finished().utf8 + [0x0A])
    }
}

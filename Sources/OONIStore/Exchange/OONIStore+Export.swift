internal import DocumentStore

extension OONIStore {
    /// Exports the whole store as lines of JSON, from one snapshot.
    ///
    /// The first line is `{"format":"OONIStore","version":1,"numbers":{…},"documents":{…}}`: the
    /// last assigned numbers, and the number of documents of each collection. Each other line is a
    /// document: `{"collection":"results","id":5,…}`, with the collection first, followed by the
    /// properties in order of their names. Equal stores have equal lines.
    ///
    /// ```swift
    /// var lines: [String] = []
    /// try probe.export { lines.append($0) }
    /// let copy = try OONIStore.inMemory()
    /// try copy.importLines(lines)
    /// ```
    ///
    /// Numbers that are not finite become `null`; after an import they are missing. The snapshot
    /// stays open until the export ends: with a slow destination, collect the lines first.
    ///
    /// - Parameters:
    ///   - write: receives a line without its line ending; an error that it throws ends the export.
    ///   - progress: called with the number of lines written and the total, every 1,000 lines and
    ///     at the end; an error that it throws ends the export.
    /// - Returns: the number of lines.
    /// - Throws: errors of `write` and `progress`, and `StoreError` if a document cannot be read.
    @discardableResult
    public func export(
        to write: (_ line: String) throws -> Void,
        progress: (_ lines: Int, _ total: Int) throws -> Void = { _, _ in }
    ) throws -> Int {
        try read { snapshot in
            let header = try header(in: snapshot)
            let total = header.documents.values.reduce(1, +)
            var lines = 1
            try write(Self.text(header))
            for name in LinesCollection.allCases {
                let prefix = [(key: "collection", json: JSONText(quoting: name.rawValue))]
                try name.collection(of: collections).forEach(in: snapshot) { document in
                    var writer = JSONWriter(options: JSONWriter.Options(canonical: true))
                    try writer.write(document.get().properties, after: prefix)
                    try write(writer.text.string)
                    lines += 1
                    if lines % 1_000 == 0 { try progress(lines, total) }
                }
            }
            if lines % 1_000 != 0 { try progress(lines, total) }
            return lines
        }
    }

    private func header(in snapshot: Snapshot) throws -> LinesHeader {
        var header = LinesHeader(numbers: [:], documents: [:])
        for kind in Identifiers.Kind.allCases {
            header.numbers[kind.rawValue] = try collections.identifiers.last(kind, in: snapshot)
        }
        for name in LinesCollection.allCases {
            header.documents[name.rawValue] =
                try name.collection(of: collections).count(in: snapshot).live
        }
        return header
    }

    private static func text(_ header: LinesHeader) -> String {
        var text = JSONText()
        text.append("{\"format\":")
        text.append(quoted: header.format)
        text.append(",\"version\":")
        text.append(header.version)
        text.append(",\"numbers\":")
        text.append(header.numbers)
        text.append(",\"documents\":")
        text.append(header.documents)
        text.append("}")
        return text.string
    }
}

extension JSONText {
    fileprivate init(quoting text: String) {
        self.init()
        append(quoted: text)
    }

    /// Appends an object of numbers, sorted by name.
    fileprivate mutating func append(_ numbers: [String: some FixedWidthInteger]) {
        append("{")
        for (index, (name, number)) in numbers.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { append(",") }
            append(quoted: name)
            append(":")
            append(number)
        }
        append("}")
    }
}

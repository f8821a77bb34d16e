internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool blob put DATABASE FILE…`
struct BlobPutCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Adds files as blobs, and prints references to them.",
        discussion: """
            Examples:
              kvtool blob put people.cblite2 photo.jpg --type image/jpeg
              curl -s https://example.org/a.png | kvtool blob put people.cblite2 - --type image/png

            The output is a reference for use in a document. blob gc and compact remove a blob \
            that no document refers to, an hour after it was added at the earliest.
            """)

    @OptionGroup var arguments: DatabaseArguments
    @Argument(help: "The files; - is standard input.", completion: .file())
    var files: [String]
    @Option(
        name: [.customLong("type")],
        help: ArgumentHelp("Content type, such as image/jpeg.", valueName: "mime"))
    var contentType: String?
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let file = try arguments.open(.readWrite)
        var rows = RowOutput(
            "blob.put", list: "blobs",
            [
                Column("file", "File"), Column("digest", "Blob", isKey: true),
                Column("bytes", "Size", isNumber: true), Column("reference", "Reference"),
            ], output, presentation: .lines { $0[3].forPeople })
        for path in files {
            let blob = try put(path, file)
            try rows.add([
                .text(path), .text(blob.digest.description), .bytes(blob.length ?? 0),
                .json(reference(blob)),
            ])
        }
        try rows.finish()
    }

    private func put(_ path: String, _ file: DataFile) throws -> Blob {
        let input = try InputFile(path: path)
        let writer = try file.blobs.writer()
        defer { writer.cancel() }
        while true {
            try Interruption.check()
            let bytes = try input.read(atMost: 1 << 16)
            guard !bytes.isEmpty else { break }
            try writer.write(bytes)
        }
        return try writer.finish(contentType: contentType)
    }

    private func reference(_ blob: Blob) -> JSONText {
        var object = JSONObject()
        object.add("@type", "blob")
        object.add("content_type", blob.contentType)
        object.add("digest", blob.digest.description)
        object.add("length", blob.length)
        return object.finished()
    }
}

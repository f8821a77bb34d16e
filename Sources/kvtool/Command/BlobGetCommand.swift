internal import ArgumentParser
internal import DocumentStore

/// `kvtool blob get DATABASE DIGEST`
struct BlobGetCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Writes the bytes of a blob.",
        discussion: """
            Examples:
              kvtool blob get people.cblite2 sha1-tsgOzj5esl4upx/NQogsyltg9fE= --out photo.jpg
              kvtool blob get people.cblite2 tsgOzj5esl4upx_NQogsyltg9fE=.blob | file -
            """)

    @OptionGroup var arguments: DatabaseArguments
    @Argument(help: "Its digest, as documents have it, or the name of its file.")
    var digest: String
    @Option(
        name: [.customShort("o"), .customLong("out")],
        help: ArgumentHelp("Write them to this file.", valueName: "file"), completion: .file())
    var path: String?
    @Flag(help: "Write over a file that is there.") var force = false
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let digest = try BlobDigest(named: digest)
        let file = try arguments.open()
        let reader = try file.blobs.open(Blob(digest: digest))
        if path == nil, System.isTerminal(System.standardOutput) {
            throw ToolError(
                "the blob is not written to a terminal; use --out FILE", status: .usage)
        }
        let out = try ByteOutput(path: path, replaces: force)
        while true {
            try Interruption.check()
            let chunk = try reader.readChunk()
            guard !chunk.isEmpty else { break }
            try out.write(chunk)
        }
        try out.finish()
    }
}

extension BlobDigest {
    /// Reads a digest, or the name of a blob's file, as it was typed.
    init(named text: String) throws {
        if let digest = BlobDigest(fileName: text) {
            self = digest
        } else {
            self = try ToolError.asUsage { try BlobDigest(text) }
        }
    }
}

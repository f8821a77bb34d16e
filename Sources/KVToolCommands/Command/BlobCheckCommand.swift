internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool blob check DATABASE`
struct BlobCheckCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks whether the content of blobs matches their digests.",
        discussion: """
            Examples:
              kvtool blob check people.cblite2
              kvtool blob check people.cblite2 sha1-tsgOzj5esl4upx/NQogsyltg9fE=

            Without digests it checks all blobs, and reports blobs that documents refer to but \
            that do not exist. The exit status is 5 if a blob is damaged or missing.
            """)

    @OptionGroup var arguments: DatabaseArguments
    @Argument(help: "Digests of the blobs to check (default: all blobs).")
    var digests: [String] = []
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let file = try arguments.open()
        var rows = RowOutput(
            "blob.check", list: "findings",
            [
                Column("digest", "Blob", isKey: true), Column("state", "State"),
                Column("message", "Finding"), Column("references", "Documents"),
            ], output)
        let blobs = try await chosen(file)
        var progress = Progress("blob", total: blobs.count)
        var damaged = 0
        for (number, blob) in blobs.enumerated() {
            try Interruption.check()
            progress.update(number)
            guard let (state, message) = try Self.problem(blob.digest, file) else { continue }
            damaged += 1
            try rows.add([
                .text(blob.digest.description), .text(state), .text(message),
                .list(blob.references),
            ])
        }
        progress.finish()
        var trailer = JSONObject()
        trailer.add("checked", blobs.count)
        trailer.add("intact", damaged == 0)
        try rows.finish(trailer: trailer)
        if output.isForPeople, damaged == 0 {
            try StandardOutput.current.write(
                "\(Text.count(blobs.count, "blob")), none damaged\n")
        }
        if damaged > 0 { throw ReportedFailure(status: .damaged) }
    }

    private func chosen(_ file: DataFile) async throws -> [BlobInventory.Entry] {
        guard digests.isEmpty else {
            return try digests.map { BlobInventory.Entry(digest: try BlobDigest(named: $0)) }
        }
        return try await file.reading { try BlobInventory(file, references: $0).sorted().blobs }
    }

    /// Returns what is wrong with a blob, nil if it is intact.
    private static func problem(
        _ digest: BlobDigest, _ file: DataFile
    ) throws -> (state: String, message: String)? {
        do {
            try file.blobs.verify(Blob(digest: digest))
            return nil
        } catch let error as StoreError where error.has(.corruptData) {
            return ("damaged", error.message)
        } catch let error as StoreError where error.has(.notFound) {
            return ("missing", error.message)
        }
    }
}

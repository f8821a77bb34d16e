internal import ArgumentParser

/// `kvtool blob …`
struct BlobCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "blob", abstract: "Lists, reads, adds, checks and removes blobs.",
        discussion: """
            Examples:
              kvtool blob ls people.cblite2 -l
              kvtool blob get people.cblite2 sha1-tsgOzj5esl4upx/NQogsyltg9fE= --out photo.jpg
              kvtool blob put people.cblite2 photo.jpg --type image/jpeg
              kvtool blob gc people.cblite2 --dry-run

            A blob is a file beside the database that documents refer to by the digest of its \
            bytes.
            """,
        subcommands: [
            BlobListCommand.self, BlobGetCommand.self, BlobPutCommand.self, BlobCheckCommand.self,
            BlobCollectCommand.self,
        ])
}

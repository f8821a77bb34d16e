internal import DataFileCore

/// A folder of this user's alone, for a database that is soon deleted; it goes when it is released.
final class PrivateFolder {
    /// The database in it, which is not made here.
    let database: String
    private let path: String

    /// Makes the folder beside a database: on the same disk, which may be encrypted, or not keep
    /// what temporary files would.
    init(beside path: String, for purpose: String) throws {
        let name = ".kvtool-\(purpose)-\(DocumentID.generate())"
        let parent = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
        self.path = try Self.make("\(parent)/\(name)")
        database = self.path + "/copy.cblite2"
    }

    /// Makes it among temporary files.
    init(for purpose: String) throws {
        path = try Self.make(
            "\(System.temporaryFolder)/kvtool-\(purpose)-\(DocumentID.generate())")
        database = path + "/copy.cblite2"
    }

    deinit {
        try? DataFile.delete(path: database)
        System.removeFolder(path)
    }

    private static func make(_ path: String) throws -> String {
        do {
            try System.makePrivateFolder(path)
            return path
        } catch let failure as System.Failure {
            throw ToolError(
                "the folder \(path) cannot be made: \(failure.message)",
                status: ExitStatus(failure))
        }
    }
}

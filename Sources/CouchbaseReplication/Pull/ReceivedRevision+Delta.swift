internal import BLIP
internal import DataFileCore
internal import FleeceLite
internal import Replication

extension ReceivedRevision {
    /// Replaces a difference by the whole body.
    ///
    /// - Throws: the error with which the revision is answered, so that its whole body is sent.
    mutating func applyDelta(
        _ database: ReplicatedDatabase, _ settings: ReplicatedCollection
    ) async throws {
        guard let source = deltaSource else { return }
        let (id, known) = (document.id, database.revisions(of: settings.collection))
        let old = try await database.file.read {
            try known.properties(of: id, at: source, in: $0)
        }
        guard let old else { throw BLIPErrorResponse("HTTP", 422, "unknown delta source") }
        do {
            let bytes = try FleeceDelta(utf8: document.body).applied(to: old.value)
            document.body = Array(try FleeceDocument(trusted: bytes).root.json().utf8)
        } catch {
            throw BLIPErrorResponse("HTTP", 422, "the delta cannot be applied: \(error)")
        }
    }
}

import FleeceLite
import SampleData
import StoreFormat
import Testing

/// Random remotes of random documents, and random damage to them.
@Suite("RemoteRevisions: random rows", .timeLimit(.minutes(20)))
struct RemoteRevisionsRandomTests {
    /// 200,000 of each kind with `STORE_FUZZ_INPUTS=200000`.
    private static let inputs =
        RandomVectors.number("STORE_FUZZ_INPUTS").flatMap { Int($0) } ?? 10_000

    /// A remote's revision, in a form that is independent of any extra.
    private struct Known: Equatable {
        let id: RevisionID
        let flags: DocumentFlags
        let properties: String?
        let baseID: RevisionID?
        let baseProperties: String?
    }

    private func json(_ dictionary: FleeceDictionary?) throws -> String? {
        guard let dictionary else { return nil }
        var options = JSONWriter.Options()
        options.canonical = true
        var writer = JSONWriter(options: options)
        try writer.write(dictionary.value)
        return writer.text.string
    }

    private func known(_ remotes: RemoteRevisions) throws -> [Int: Known] {
        try remotes.all.reduce(into: [:]) { $0[$1.remote] = try known($1) }
    }

    private func known(_ remote: RemoteRevision) throws -> Known {
        Known(
            id: remote.revisionID, flags: remote.flags, properties: try json(remote.properties),
            baseID: remote.base?.revisionID, baseProperties: try json(remote.base?.properties))
    }

    @Test("remotes' revisions survive 300 changes of the body and of each other")
    func changes() throws {
        print("RemoteRevisionsRandomTests: STORE_SEED=\(RandomVectors.seed)")
        for history in 0..<10 {
            var random = RandomRows(seed: RandomVectors.seed &+ UInt64(history))
            var keys = SharedKeys()
            var body = try random.document(&keys)
            var remotes = RemoteRevisions()
            var model: [Int: Known] = [:]
            for _ in 0..<30 {
                for _ in 0..<random.below(3) {
                    let remote = 1 + random.below(5)
                    guard random.below(4) > 0 else {
                        remotes.removeRemote(remote)
                        model[remote] = nil
                        continue
                    }
                    let revision = try random.revision(&keys, like: body)
                    remotes.setRemote(remote, to: revision)
                    model[remote] = try known(revision)
                }
                body = try random.changed(body, &keys)
                let extra = try remotes.encoded(body: body, sharedKeys: keys)
                #expect((extra == nil) == model.isEmpty)
                guard let extra else { continue }
                remotes = try RemoteRevisions(extra: extra, body: body, sharedKeys: keys)
                #expect(try known(remotes) == model)
                #expect(remotes.isConflicted == model.values.contains { $0.flags == .conflicted })
                // Unchanged, they have the same bytes.
                #expect(try remotes.encoded(body: body, sharedKeys: keys) == extra)
                // LiteCore's own reader finds the body by element 0.
                let document = try FleeceDocument(
                    validating: extra, sharedKeys: keys, level: .strict, base: body)
                #expect(document.root[0]?["."] == body.root)
            }
        }
    }

    @Test("damaged extras are read or rejected, and what is read can be written")
    func fuzzExtras() throws {
        print("RemoteRevisionsRandomTests: STORE_SEED=\(RandomVectors.seed), \(Self.inputs)")
        var random = RandomRows(seed: RandomVectors.seed)
        var keys = SharedKeys()
        let rows = try (0..<40).map { _ in try random.row(&keys) }
        var (read, refused) = (0, 0)
        for _ in 0..<Self.inputs {
            let row = rows[random.below(rows.count)]
            var extra = row.extra
            for _ in 0...random.below(3) { random.damage(&extra) }
            if random.below(20) > 0, extra.count >= 4 {
                extra.replaceSubrange(0..<4, with: [0, 0, 0, 0])
            }
            do {
                let remotes = try RemoteRevisions(
                    extra: extra, body: row.body, sharedKeys: keys)
                read += 1
                guard let again = try remotes.encoded(body: row.body, sharedKeys: keys) else {
                    continue
                }
                // However its parts are shared, the copy is not much larger.
                #expect(again.count <= 1 << 25)
                let copy = try RemoteRevisions(extra: again, body: row.body, sharedKeys: keys)
                #expect(copy.all.map(\.remote) == remotes.all.map(\.remote))
                #expect(copy.all.map(\.revisionID) == remotes.all.map(\.revisionID))
            } catch let error as StoreError {
                #expect(error.has(.corruptRevisionData), "\(error)")
                refused += 1
            }
        }
        // If nearly all or nearly none were rejected, the inputs would not test anything.
        #expect(read > Self.inputs / 10 && refused > Self.inputs / 4, "\(read), \(refused)")
    }

    @Test("damaged vectors are read or rejected, and what is read is written unchanged")
    func fuzzVectors() throws {
        print("RemoteRevisionsRandomTests: STORE_SEED=\(RandomVectors.seed), \(Self.inputs)")
        var vectors = RandomVectors(seed: RandomVectors.seed)
        var random = RandomRows(seed: RandomVectors.seed)
        var (read, refused) = (0, 0)
        for index in 0..<Self.inputs {
            var bytes = vectors.next(index % 100 == 0 ? 200 : 5).binary
            if random.below(10) == 0 {
                bytes = [0] + (0..<random.below(60)).map { _ in UInt8(random.below(256)) }
            }
            for _ in 0...random.below(2) { random.damage(&bytes) }
            guard VersionVector.isVector(bytes) else { continue }
            do {
                let vector = try VersionVector(binary: bytes)
                read += 1
                #expect(try VersionVector(binary: vector.binary) == vector)
                #expect(try VersionVector(text: vector.text).count == vector.count)
                #expect(vector.versions.allSatisfy { LogicalTime.valid.contains($0.time) })
            } catch let error as StoreError {
                #expect(error.has(.corruptRevisionData), "\(error)")
                refused += 1
            }
        }
        #expect(read > Self.inputs / 10 && refused > Self.inputs / 10, "\(read), \(refused)")
    }
}

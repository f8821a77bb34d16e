import DocumentStore

/// A revision tree, decoded in a simple way: a second implementation to check the library's output.
struct PlainTree {
    struct Record {
        var parent: Int?
        /// As in the file, without the bit that indicates a body.
        var flags: UInt8
        var id: [UInt8]
        var sequence: UInt64
        var body: [UInt8]?
    }

    /// A revision with its parent's id instead of its position.
    struct Named: Equatable {
        var parent: String?
        var flags: UInt8
        var sequence: UInt64
        var body: [UInt8]?
    }

    static let (deleted, leaf, kept): (UInt8, UInt8, UInt8) = (0x01, 0x02, 0x10)
    static let (attachments, conflict, closed): (UInt8, UInt8, UInt8) = (0x08, 0x20, 0x40)

    private(set) var records: [Record] = []
    /// The numbers of remotes and the positions of their revisions.
    private(set) var remotes: [(number: Int, position: Int)] = []
    private(set) var rejected: [Int] = []
    private(set) var hasMarker = false
    /// The sequences as stored.
    private(set) var storedSequences: [UInt64] = []

    /// - Parameters:
    ///   - rowSequence: the meaning of a sequence of 0.
    ///   - body: the current body, of a row that has it beside the tree.
    init(_ bytes: [UInt8], rowSequence: Int64, body: [UInt8]?) throws {
        var at = 0
        func number(_ count: Int) throws -> Int {
            guard bytes.count - at >= count else { throw StoreError(.corruptData, "tree: \(at)") }
            defer { at += count }
            return bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) }
        }
        while true {
            let start = at
            let size = try number(4)
            if size == 0 { break }
            let end = start + size
            guard end <= bytes.count else { throw StoreError(.corruptData, "tree: \(start)") }
            let parent = try number(2)
            let flags = UInt8(try number(1))
            let length = try number(1)
            let id = Array(bytes[at..<at + length])
            at += length
            let sequence = Self.varint(bytes, &at)
            storedSequences.append(sequence)
            records.append(
                Record(
                    parent: parent == 0xFFFF ? nil : parent, flags: flags & 0x7F, id: id,
                    sequence: sequence == 0 ? UInt64(rowSequence) : sequence,
                    body: flags & 0x80 == 0 ? nil : Array(bytes[at..<end])))
            guard flags & 0x80 != 0 || at == end else { throw StoreError(.corruptData, "a body") }
            at = end
        }
        while at < bytes.count {
            let (remote, position) = (try number(2), try number(2))
            if remote > 0 {
                remotes.append((remote, position))
            } else if hasMarker {
                rejected.append(position)
            } else {
                hasMarker = true
            }
        }
        if let body { records[0].body = body }
    }

    private static func varint(_ bytes: [UInt8], _ at: inout Int) -> UInt64 {
        var (value, shift) = (UInt64(0), UInt64(0))
        repeat {
            value |= UInt64(bytes[at] & 0x7F) << shift
            shift += 7
            at += 1
        } while bytes[at - 1] >= 0x80
        return value
    }

    static func generation(_ id: [UInt8]) -> UInt64 {
        var at = 0
        return varint(id, &at)
    }

    /// The revisions by the text of their ids.
    var named: [String: Named] {
        Dictionary(
            records.map { record in
                (
                    Self.text(record.id),
                    Named(
                        parent: record.parent.map { Self.text(records[$0].id) },
                        flags: record.flags, sequence: record.sequence, body: record.body)
                )
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The revision of each remote, in the order of the file.
    var remoteText: [String] {
        remotes.map { "\($0.number): \(Self.text(records[$0.position].id))" }
    }

    /// The revisions that remotes have rejected, in the order of the file.
    var rejectedText: [String] { rejected.map { Self.text(records[$0].id) } }

    static func text(_ id: [UInt8]) -> String {
        var at = 0
        let generation = varint(id, &at)
        let digits = Array("0123456789abcdef")
        return "\(generation)-"
            + String(id[at...].flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}

extension PlainTree {
    /// The errors in a tree that was just written in the format of 3.x with a new revision.
    func problems(rowSequence: Int64) -> [String] {
        var found: [String] = []
        func check(_ holds: Bool, _ problem: String) { if !holds { found.append(problem) } }
        check(hasMarker, "there is no marker after the remotes")
        check(named.count == records.count, "a duplicate id")
        let parents = Set(records.compactMap(\.parent))
        for (position, record) in records.enumerated() {
            check(
                record.parent.map { $0 < records.count } ?? true, "\(position) has no such parent")
            check((record.flags & Self.leaf != 0) != parents.contains(position), "leaf \(position)")
            check(record.sequence <= UInt64(rowSequence), "the sequence of \(position)")
            let mayHaveBody = record.flags & (Self.leaf | Self.kept) != 0
            check(record.body == nil || mayHaveBody, "\(position) has a body")
            if let parent = record.parent, parent < records.count {
                check(
                    Self.generation(record.id) > Self.generation(records[parent].id),
                    "\(position) is not younger than its parent")
            }
            if position > 0 { check(isBefore(position - 1, position), "the order of \(position)") }
        }
        for remote in remotes { check(remote.position < records.count, "remote \(remote.number)") }
        check(rejected.allSatisfy { $0 < records.count }, "a rejected revision")
        return found
    }

    /// Leaves first, then revisions that have not lost, are live, not closed, with the higher id.
    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        func rank(_ position: Int) -> [UInt64] {
            let record = records[position]
            let bits = [
                record.flags & Self.leaf == 0, record.flags & Self.conflict != 0,
                record.flags & Self.deleted != 0, record.flags & Self.closed != 0,
            ]
            return bits.map { $0 ? 1 : 0 } + [.max - Self.generation(record.id)]
        }
        let (a, b) = (rank(left), rank(right))
        if a != b { return a.lexicographicallyPrecedes(b) }
        return records[right].id.lexicographicallyPrecedes(records[left].id)
    }

    /// The expected revisions after a new one was put on top of the current one.
    func edited(to id: [UInt8], sequence: Int64, flags: UInt8, body: [UInt8]?) -> [String: Named] {
        var expected = named
        let current = Self.text(records[0].id)
        expected[current]?.flags &= ~Self.leaf
        for (name, record) in expected where record.flags & (Self.leaf | Self.kept) == 0 {
            expected[name]?.body = nil
        }
        expected[Self.text(id)] = Named(
            parent: current, flags: flags | Self.leaf, sequence: UInt64(sequence), body: body)
        return expected
    }
}

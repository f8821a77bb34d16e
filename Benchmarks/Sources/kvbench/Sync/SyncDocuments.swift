import DocumentStore
import SampleData

/// The documents of the workloads of replication: people, on request with a long text.
struct SyncDocuments {
    /// The least number of bytes of a body; 0 for people as they are.
    private let bodySize: Int
    /// The texts of documents are parts of this one.
    private let text: [UInt8]

    init(bodySize: Int) {
        self.bodySize = bodySize
        text = Array(Paragraphs(count: 4 + bodySize / 100).joined(separator: " ").utf8)
    }

    /// The IDs and bodies, JSON, of as many documents.
    func documents(
        _ count: Int, seed: UInt64 = 1
    ) -> some Sequence<(id: String, body: [UInt8])> {
        zip(0..., People(count: count, seed: seed)).lazy.map { number, person in
            (Self.id(number), body(person, number))
        }
    }

    static func id(_ number: Int) -> String { "person-\(number)" }

    private func body(_ person: String, _ number: Int) -> [UInt8] {
        var body = Array(person.utf8)
        let rest = bodySize - body.count
        guard rest > 0 else { return body }
        body.removeLast()
        body += #","text":""#.utf8
        let start = number &* 7919 % (text.count - rest)
        body += text[start..<start + rest]
        body += #""}"#.utf8
        return body
    }
}

import DocumentStore
import Foundation

/// The work of users of SQLite and GRDB with people, in the groups with the same names.
enum PeerWorkloads {
    private typealias Codables = PeerRecordFile<PeerCodableRecord>
    private typealias Plains = PeerRecordFile<PeerPlainRecord>

    static func insertions(
        _ group: StoreWorkload, baseline: String, count: Int, batch: Int
    ) -> [Workload] {
        let text = group.peer(PeerText.name, baseline: baseline) { (file: PeerText, data) in
            try inBatches(count, batch) { try file.insert(data, $0) }
        }
        // Smaller transactions are measured only for text: records take ten times as long, and the
        // results are similar.
        guard batch == count else { return [text] }
        let few = count / 5
        let fewer = group.insertions(few)
        return [
            text,
            fewer.peer(PeerCodableRecord.who, baseline: baseline) { (file: Codables, data) in
                try inBatches(few, few) { try file.insert(data, $0) }
            },
            fewer.peer(PeerPlainRecord.who, baseline: baseline) { (file: Plains, data) in
                try inBatches(few, few) { try file.insert(data, $0) }
            },
        ]
    }

    private static func inBatches(
        _ count: Int, _ batch: Int, _ body: (Range<Int>) throws -> Void
    ) throws -> Int {
        for start in stride(from: 0, to: count, by: batch) { try body(start..<start + batch) }
        return count
    }

    static func gets(_ group: StoreWorkload, baseline: String) -> [Workload] {
        [
            group.peer(PeerText.name, baseline: baseline) { (file: PeerText, data) in
                try file.get(data, "json_extract(body, '$.age')") { Int($0.long(at: 0)) }
            },
            group.peer(PeerText.name + ", JSONSerialization", baseline: baseline) {
                (file: PeerText, data) in
                try file.get(data, "body") { try PeerText.parsed($0)["age"] as? Int ?? -1 }
            },
            group.peer(PeerText.name + ", JSONDecoder", baseline: baseline) {
                (file: PeerText, data) in
                let decoder = JSONDecoder()
                return try file.get(data, "body") {
                    try decoder.decode(StorePerson.self, from: $0.blob(at: 0) ?? Data()).age
                }
            },
            group.peer(PeerCodableRecord.who, baseline: baseline) { (file: Codables, data) in
                try file.get(data)
            },
            group.peer(PeerCodableRecord.who + ", cached statement", baseline: baseline) {
                (file: Codables, data) in
                try file.getWithStatement(data)
            },
            group.peer(PeerPlainRecord.who, baseline: baseline) { (file: Plains, data) in
                try file.get(data)
            },
            group.peer(PeerPlainRecord.who + ", cached statement", baseline: baseline) {
                (file: Plains, data) in
                try file.getWithStatement(data)
            },
        ]
    }

    /// Without an order by sequences, which peers do not have; and without `PeerCodableRecord`,
    /// whose iteration takes longer than all others together: `gets` shows its cost.
    static func walks(
        _ group: StoreWorkload, baseline: String, _ order: RecordEnumerator.Order
    ) -> [Workload] {
        switch order {
        case .sequence: []
        case .key:
            [
                group.peer(PeerText.name, baseline: baseline) { (file: PeerText, _) in
                    try file.walk("ORDER BY key")
                }
            ]
        case .unsorted:
            [
                group.peer(PeerText.name, baseline: baseline) { (file: PeerText, _) in
                    try file.walk("")
                },
                group.peer(PeerPlainRecord.who, baseline: baseline) { (file: Plains, _) in
                    try file.walk()
                },
            ]
        }
    }

    static func updates(_ group: StoreWorkload, baseline: String) -> [Workload] {
        [
            group.peer(PeerText.name + ", json_set", baseline: baseline) { (file: PeerText, data) in
                try file.changeInSQL(data)
                return data.sample.count
            },
            group.peer(PeerText.name + ", JSONSerialization", baseline: baseline) {
                (file: PeerText, data) in
                try file.changeInFoundation(data)
                return data.sample.count
            },
            group.peer(PeerCodableRecord.who, baseline: baseline) { (file: Codables, data) in
                try file.change(data)
                return data.sample.count
            },
            group.peer(PeerPlainRecord.who, baseline: baseline) { (file: Plains, data) in
                try file.change(data)
                return data.sample.count
            },
        ]
    }
}

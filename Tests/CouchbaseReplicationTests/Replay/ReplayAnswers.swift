import BLIP
import FleeceLite
import ProjectTestSupport

@testable import CouchbaseReplication

/// The recorded answers of one side to the requests of the other one.
struct ReplayAnswers: Sendable {
    typealias Content = ReplayConnection.Content

    /// The answers to each request, and to each entry of `changes` and `proposeChanges`.
    private var answers: [ReplayKey: [Content]] = [:]
    private(set) var requests: [ReplayKey: [BLIPRequest]] = [:]
    private var entries: [ReplayKey: [String]] = [:]
    private(set) var properties: BLIPProperties = [:]
    /// The recorded numbers of the requests that were not answered yet at the current time.
    private var counts: [ReplayKey: Int] = [:]
    private var unanswered: [ReplayKey: Set<UInt64>] = [:]

    /// - Parameter side: the side that answers.
    init(of side: ReplayConnection.Side, _ connection: ReplayConnection) {
        let collections = connection.collections
        for (request, answer) in connection.exchanges(of: side.other) {
            let keys = ReplayKey.keys(of: request.message, collections)
            for key in keys {
                requests[key, default: []].append(request)
                unanswered[key, default: []].insert(request.number)
                counts[key, default: 0] += 1
            }
            guard let answer else { continue }
            guard ["changes", "proposeChanges"].contains(keys[0].profile),
                case .response(_, let message) = answer
            else {
                for key in keys { answers[key, default: []].append(answer) }
                continue
            }
            if !message.properties.isEmpty, properties["deltas"] == nil {
                properties = message.properties
            }
            let values = (try? message.array(isResponse: true)) ?? []
            for (index, key) in keys.enumerated() where !key.id.isEmpty {
                let text = values.indices.contains(index) ? try? values[index].json() : "0"
                entries[key, default: []].append(text ?? "0")
            }
        }
    }

    /// The recorded answer to a request has its time.
    mutating func release(_ number: UInt64) {
        for key in unanswered.keys { unanswered[key]?.remove(number) }
    }

    mutating func releaseAll() { unanswered = [:] }

    /// Whether one of the recorded requests with the key was answered, or there was none.
    func isReleased(_ key: ReplayKey) -> Bool {
        unanswered[key].map { $0.count < counts[key] ?? 0 } ?? true
    }

    /// The next answer to a request; the last one again after it. Nil if it was not answered.
    mutating func answer(to key: ReplayKey) -> Content? { Self.next(&answers[key]) }

    /// The next answer to an entry; nil if there was none.
    mutating func entry(_ key: ReplayKey) -> String? { Self.next(&entries[key]) }

    /// The next request.
    mutating func request(_ key: ReplayKey) -> BLIPRequest? { Self.next(&requests[key]) }

    private static func next<T>(_ values: inout [T]?) -> T? {
        guard let all = values, let first = all.first else { return nil }
        if all.count > 1 { values?.removeFirst() }
        return first
    }
}

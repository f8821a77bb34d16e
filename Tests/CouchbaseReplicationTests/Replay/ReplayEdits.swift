import BLIP
import FleeceLite
import ProjectTestSupport

@testable import CouchbaseReplication

/// The edits of a recorded process, made in their order as time goes by.
actor ReplayEdits {
    private let file: ReplayFile
    private var rest: [(time: Double, event: ReplayEvent)]

    init(_ file: ReplayFile) {
        self.file = file
        let mentions = Self.mentions(file)
        // An edit is reported after it was made, and its messages can be on their way by then.
        var limit = Double.infinity
        var rest: [(time: Double, event: ReplayEvent)] = []
        for event in file.edits.reversed() {
            let key = [event.id, file.scenario.revision(event)]
            let mention = event.kind == .put ? mentions[key] ?? .infinity : .infinity
            limit = min(limit, event.time, mention)
            rest.append((limit, event))
        }
        self.rest = rest.reversed()
    }

    /// When a message of the process first has a revision.
    private static func mentions(_ file: ReplayFile) -> [[String]: Double] {
        var mentions: [[String]: Double] = [:]
        func add(_ key: [String], _ time: Double) {
            mentions[key] = min(mentions[key] ?? .infinity, time)
        }
        for connection in file.scenario.connections {
            let collections = connection.collections
            for item in connection.items where item.side == file.side {
                guard case .request(let request) = item.content else { continue }
                for key in ReplayKey.keys(of: request.message, collections) {
                    add([key.id, key.revision], item.time)
                }
            }
            // The revision that refuses a proposal was there when that came.
            for item in connection.items where item.side != file.side {
                guard case .request(let request) = item.content,
                    request.message.profile == "proposeChanges"
                else { continue }
                let keys = ReplayKey.keys(of: request.message, collections)
                for (key, current) in zip(keys, connection.conflicts(request.number)) {
                    add([key.id, current], item.time)
                }
            }
        }
        return mentions
    }

    /// Whether there are edits to be made up to a time.
    func areDue(before time: Double) -> Bool { rest.first.map { $0.time <= time } ?? false }

    /// Makes the edits up to a time, in one transaction.
    func apply(before time: Double) async throws {
        let due = rest.prefix { $0.time <= time }.map(\.event)
        guard !due.isEmpty else { return }
        rest.removeFirst(due.count)
        try await file.apply(due)
    }
}

extension ReplayConnection {
    /// The revisions in the answer to a proposal; empty where there is none.
    fileprivate func conflicts(_ number: UInt64) -> [String] {
        for case .response(number, let message) in items.lazy.filter({ $0.side == .passive })
            .map(\.content)
        {
            let values = (try? message.array(isResponse: true)) ?? []
            return values.map { value in
                let revision = value.dictionary?["rev"]?.string ?? ""
                return String(revision.prefix { !",;".contains($0) })
            }
        }
        return []
    }
}

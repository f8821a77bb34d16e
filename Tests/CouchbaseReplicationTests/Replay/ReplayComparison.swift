import BLIP
import FleeceLite

@testable import CouchbaseReplication

/// Compares what was sent with what LiteCore sent, by meaning. What the protocol leaves open is not
/// compared: which error refuses a revision for good, messages of errors, the times of checkpoints,
/// sizes, deltas or whole bodies, which of its revisions a receiver lists.
struct ReplayComparison: Sendable {
    /// The differences.
    private(set) var differences: [String] = []

    mutating func note(_ difference: String) { differences.append(difference) }

    /// An answer of ours to a request, and the recorded one.
    mutating func compare(
        _ request: BLIPMessage, _ own: ReplayConnection.Content,
        _ recorded: ReplayConnection.Content
    ) {
        let (mine, theirs) = (Self.text(request, own), Self.text(request, recorded))
        guard mine != theirs else { return }
        note("\(Self.name(request)): LiteCore \(theirs), ours \(mine)")
    }

    /// A revision of ours and the recorded one.
    mutating func compare(revision own: BLIPMessage, _ recorded: BLIPMessage) {
        for name in ["deleted", "history", "noconflicts", "replacedRev"] {
            let (mine, theirs) = (own.properties[name], recorded.properties[name])
            if mine != theirs {
                note(
                    "\(Self.name(own)), \(name): LiteCore \(theirs ?? "none"), "
                        + "ours \(mine ?? "none")")
            }
        }
        guard own.properties["deltaSrc"] == nil, recorded.properties["deltaSrc"] == nil else {
            return
        }
        let (mine, theirs) = (Self.json(own.body), Self.json(recorded.body))
        if mine != theirs {
            note(
                "\(Self.name(own)), body: LiteCore \(theirs.prefix(400)), ours \(mine.prefix(400))")
        }
    }

    private static func name(_ message: BLIPMessage) -> String {
        let parts = [
            message.profile, message.properties["id"], message.properties["rev"],
            message.properties["client"], message.properties["digest"],
        ]
        return parts.compactMap { $0?.prefix(60).description }.joined(separator: " ")
    }

    private static func text(_ request: BLIPMessage, _ content: ReplayConnection.Content) -> String
    {
        switch content {
        case .failure(_, let error) where request.profile == "rev" && error.isFinal: "refused"
        case .failure(_, let error): "error \(error.domain) \(error.code)"
        case .response(_, let message): text(request, message)
        case .request, .close: "\(content)"
        }
    }

    private static func text(_ request: BLIPMessage, _ answer: BLIPMessage) -> String {
        switch request.profile {
        case "proposeChanges", "changes":
            let names = ["maxHistory", "blobs", "deltas", "sendReplacementRevs"]
            let properties = names.map { "\($0)=\(answer.properties[$0] ?? "")" }
            return (entries(request, answer) + properties).joined(separator: " ")
        case "rev": return answer.properties.bool("noop") ? "noop" : "stored"
        case "subChanges": return "subscribed"
        case "getCollections": return json(answer.body)
        case "getCheckpoint", "setCheckpoint":
            return "\(answer.properties["rev"] ?? "") \(json(answer.body))"
        default: return String(decoding: answer.body.prefix(100), as: UTF8.self)
        }
    }

    /// The statuses, with those that are left out at the end.
    private static func entries(_ request: BLIPMessage, _ answer: BLIPMessage) -> [String] {
        let count = (try? request.array(isResponse: true).count) ?? 0
        let values = (try? answer.array(isResponse: true)) ?? []
        return (0..<max(count, values.count)).map { index in
            guard values.indices.contains(index) else { return "0" }
            return status(values[index])
        }
    }

    static func status(_ value: FleeceValue) -> String {
        if value.array != nil { return "wanted" }
        if value.isNull { return "0" }
        guard let members = value.dictionary else { return (try? value.json()) ?? "?" }
        return "\(members["status"]?.int ?? 0):\(members["rev"]?.string ?? "")"
    }

    static func json(_ bytes: [UInt8]) -> String {
        if bytes.isEmpty { return "" }
        let root = try? JSONBody.value(bytes)
        return (try? root?.json(.init(canonical: true))) ?? String(decoding: bytes, as: UTF8.self)
    }
}

extension BLIPErrorResponse {
    /// Whether a revision that is answered with it is not sent again: neither whole after a delta,
    /// nor once more, nor later.
    fileprivate var isFinal: Bool {
        domain != "HTTP" || ![403, 408, 422, 429, 502, 503, 504].contains(code)
    }
}

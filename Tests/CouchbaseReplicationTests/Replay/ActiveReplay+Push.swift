import BLIP
import BLIPWebSocket
import FleeceLite
import ProjectTestSupport

@testable import CouchbaseReplication

// Push.
extension ActiveReplay {
    func answerProposals(_ request: BLIPRequest, _ keys: [ReplayKey]) {
        guard !keys[0].id.isEmpty else { return respond(request, nil) }
        if case .failure(_, let error)? = answers.answer(to: keys[0]) {
            return socket.respond(to: request, error)
        }
        var items: [String] = []
        for key in keys {
            if let recorded = answers.request(key) {
                let (mine, theirs) = (request.base(of: key), recorded.base(of: key))
                if mine != theirs { note("\(key), ancestor: LiteCore \(theirs), ours \(mine)") }
            } else {
                note("LiteCore did not propose \(key)")
            }
            items.append(answers.entry(key) ?? "0")
        }
        let properties = answers.properties
        socket.respond(
            to: request,
            BLIPMessage(properties, body: Array("[\(items.joined(separator: ","))]".utf8)),
            .compressed)
    }

    func receive(_ request: BLIPRequest, _ key: ReplayKey) async {
        if let recorded = answers.request(key) {
            comparison.compare(revision: request.message, recorded.message)
        } else {
            note("LiteCore did not send \(key)")
        }
        for (blob, asked) in requests.blobs(of: key.id) where askedBlobs.insert(blob).inserted {
            do {
                let own = try await socket.send(asked.message)
                if own.body != scenario.blobs[blob.id] { note("\(blob): other bytes") }
            } catch {
                note("\(blob): \(error)")
            }
        }
        respond(request, answers.answer(to: key))
        await progress.arrive([.stored(key)])
    }
}

extension BLIPRequest {
    /// The ancestor that a proposal names.
    fileprivate func base(of key: ReplayKey) -> String {
        let entries = (try? message.array(isResponse: true)) ?? []
        let entry = entries.first {
            $0.array?[0].string == key.id && $0.array?[1].string == key.revision
        }
        guard let parts = entry?.array, parts.count > 2 else { return "" }
        return parts[2].string ?? ""
    }
}

extension ReplayAnswers {
    /// The requests for blobs of a document.
    func blobs(of id: String) -> [(ReplayKey, BLIPRequest)] {
        requests.flatMap { key, requests in
            requests.filter {
                key.profile == "getAttachment" && $0.message.properties["docID"] == id
            }
            .map { (key, $0) }
        }
    }
}

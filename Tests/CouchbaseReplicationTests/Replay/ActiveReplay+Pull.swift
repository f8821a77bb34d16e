import BLIP
import BLIPWebSocket
import FleeceLite
import ProjectTestSupport

@testable import CouchbaseReplication

// Pull.
extension ActiveReplay {
    func subscribe(_ request: BLIPRequest, _ key: ReplayKey) {
        if let recorded = answers.request(key) {
            let names = [
                "since", "continuous", "batch", "sendReplacementRevs", "versioning", "activeOnly",
                "revocations", "filter", "channels",
            ]
            for name in names {
                let (mine, theirs) = (
                    request.message.properties[name], recorded.message.properties[name]
                )
                if mine != theirs {
                    note(
                        "subChanges, \(name): LiteCore \(theirs ?? "none"), ours \(mine ?? "none")")
                }
            }
            if request.message.body != recorded.message.body { note("subChanges: other body") }
        } else {
            note("LiteCore did not send subChanges")
        }
        respond(request, answers.answer(to: key))
    }

    /// Sends the recorded announcements; those after the first end when what was recorded before
    /// has arrived.
    func sendChanges(_ collection: String) async {
        let collectionIndex = collections.firstIndex(of: collection) ?? 0
        var isCaughtUp = false
        for item in connection.items where item.side == .passive {
            guard case .request(let request) = item.content, request.message.profile == "changes",
                request.message.properties.int("collection") ?? 0 == Int64(collectionIndex)
            else { continue }
            let keys = ReplayKey.keys(of: request.message, collections)
            if keys[0].id.isEmpty {
                if !isCaughtUp { socket.post(request.message, .urgent) }
                isCaughtUp = true
                continue
            }
            if isCaughtUp { await waitForMessages(before: item.time) }
            let pending = socket.start(request.message, [.compressed, .urgent])
            Task { await self.sendRevisions(keys, pending) }
        }
    }

    /// Waits for the revisions that both sides had sent before.
    func waitForMessages(before time: Double) async {
        var sent: Set<ReplayKey> = []
        for item in connection.items where item.time < time {
            guard case .request(let request) = item.content, request.message.profile == "rev"
            else { continue }
            let key = ReplayKey.keys(of: request.message, collections)[0]
            sent.insert(.stored(key))
        }
        if let missing = await progress.wait(forEach: sent) { note(missing) }
    }

    private func sendRevisions(_ keys: [ReplayKey], _ pending: BLIPPendingResponse) async {
        guard let message = try? await pending.message() else { return }
        let values = (try? message.array(isResponse: true)) ?? []
        for (index, key) in keys.enumerated() {
            // The recorded connection ended before the answer.
            guard let answer = requests.entry(key) else { continue }
            let mine = values.indices.contains(index) ? ReplayComparison.status(values[index]) : "0"
            let theirs = answer.hasPrefix("[") ? "wanted" : "0"
            if mine != theirs { note("\(key): LiteCore \(theirs), ours \(mine)") }
            guard mine == "wanted" else { continue }
            let revision = ReplayKey(
                profile: "rev", collection: key.collection, id: key.id, revision: key.revision)
            if let recorded = requests.request(revision) {
                let sent = socket.start(recorded.message, .compressed)
                Task { await self.compare(recorded, revision, sent) }
            } else {
                sendMissing(key)
            }
        }
    }

    private func compare(
        _ request: BLIPRequest, _ key: ReplayKey, _ pending: BLIPPendingResponse
    ) async {
        let own: ReplayConnection.Content
        do {
            own = .response(0, try await pending.message())
        } catch let error as BLIPErrorResponse {
            own = .failure(0, error)
        } catch {
            return
        }
        if let recorded = requests.answer(to: key) {
            comparison.compare(request.message, own, recorded)
        }
        await progress.arrive([.stored(key)])
    }

    /// The recorded side did not send it, since it was not asked.
    private func sendMissing(_ key: ReplayKey) {
        let index = collections.firstIndex(of: key.collection) ?? 0
        socket.post(
            BLIPMessage([
                "Profile": "norev", "collection": "\(index)", "id": key.id, "rev": key.revision,
                "sequence": "0", "error": "404",
            ]))
    }
}

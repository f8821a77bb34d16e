internal import FleeceLite
internal import Replication

extension RemoteDocument {
    /// The bytes of a body for which a delta is made, as LiteCore does.
    private static let minimumDeltaBody = 200

    /// Whether its body is so large that a delta may pay.
    var mayHaveDelta: Bool { body.count >= Self.minimumDeltaBody }

    /// The difference to properties that the receiver has, as JSON; nil if it does not pay.
    func delta(to old: FleeceDictionary?) -> [UInt8]? {
        guard let old, !old.isEmpty,
            let delta = try? FleeceDelta(from: old.value, to: decoded().root),
            delta.json.utf8.count * 5 <= body.count * 6
        else { return nil }
        return delta.json.utf8
    }
}

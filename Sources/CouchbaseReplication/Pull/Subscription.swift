internal import BLIP
internal import FleeceLite

extension RemoteChangeStream.Subscription {
    /// The changes that the other side puts into a message.
    private static let batchCount = 200

    /// The message `subChanges`.
    ///
    /// - Parameter isFirst: whether the file has nothing yet, so that deletions are not needed.
    func message(since position: String?, isFirst: Bool) -> BLIPMessage {
        var properties: BLIPProperties = ["Profile": "subChanges", "collection": "\(collection)"]
        if let position, !position.isEmpty { properties["since"] = position }
        if isContinuous { properties["continuous"] = "true" }
        properties["batch"] = "\(Self.batchCount)"
        properties["sendReplacementRevs"] = "1"
        properties["versioning"] = usesVectors ? "version-vectors" : "rev-trees"
        if isFirst { properties["activeOnly"] = "true" }
        properties["revocations"] = "true"
        if !channels.isEmpty {
            properties["filter"] = "sync_gateway/bychannel"
            properties["channels"] = channels.joined(separator: ",")
        }
        return BLIPMessage(properties, body: documentIDs.map(Self.body) ?? [])
    }

    private static func body(_ ids: [String]) -> [UInt8] {
        var text = JSONText()
        text.append("{\"docIDs\":")
        text.append(array: ids)
        text.append("}")
        return text.utf8
    }
}

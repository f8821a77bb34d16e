internal import FleeceLite
internal import StoreFormat

extension Snapshot {
    /// The remotes that documents have been replicated with: the number of each by its address.
    ///
    /// Throws `.corruptData` if the list is damaged.
    public func remotes() throws -> [String: Int] {
        guard let bytes = try info(InfoKey.remotes), !bytes.isEmpty else { return [:] }
        let document = try? FleeceDocument(trusted: bytes)
        guard let list = document?.root.dictionary else {
            throw StoreError(
                .corruptData, "the list of remotes of \(try session().path) is damaged (kv_info)")
        }
        return list.reduce(into: [:]) { remotes, pair in
            remotes[pair.key] = pair.value.int.flatMap { Int(exactly: $0) }
        }
    }
}

extension Transaction {
    /// The number of a remote, which gets one if it has none.
    ///
    /// Throws `.corruptData` if the list is damaged, or its numbers are used up.
    public func remoteID(of address: String) throws -> Int {
        var remotes = try remotes()
        if let known = remotes[address] { return known }
        let highest = remotes.values.max() ?? 0
        guard (0..<RemoteRevisions.maximumRemote).contains(highest) else {
            throw StoreError(
                .corruptData,
                "the list of remotes of \(try session().path) has the number \(highest), after "
                    + "which there is none (kv_info)")
        }
        let number = highest + 1
        remotes[address] = number
        // LiteCore writes it without shared keys.
        var encoder = FleeceEncoder()
        encoder.beginDictionary()
        for (address, number) in remotes.sorted(by: { $0.key < $1.key }) {
            try encoder.writeKey(address)
            encoder.writeInt(number)
        }
        try encoder.endDictionary()
        try putInfo(InfoKey.remotes, try encoder.finish())
        return number
    }
}

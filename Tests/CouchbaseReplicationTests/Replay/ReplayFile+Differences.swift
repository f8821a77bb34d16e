extension ReplayFile {
    /// What is other than in LiteCore's database at the end.
    func differences() async throws -> [String] {
        let own = Dictionary(
            uniqueKeysWithValues: try await items().map { ([$0.collection, $0.id], $0) })
        let theirs = Dictionary(
            uniqueKeysWithValues: try scenario.end(side).items.map { ([$0.collection, $0.id], $0) })
        var differences: [String] = []
        for key in Set(own.keys).union(theirs.keys).sorted(by: { $0.joined() < $1.joined() }) {
            if let mine = own[key], let other = theirs[key], mine.isEqual(other) { continue }
            let (mine, other) = (own[key]?.text ?? "none", theirs[key]?.text ?? "none")
            differences.append("document: LiteCore \(other.prefix(500)), ours \(mine.prefix(500))")
        }
        let checkpoints = try await checkpoints()
        for (id, text) in try scenario.checkpoints(side).items.sorted(by: { $0.key < $1.key }) {
            guard checkpoints[id] != text else { continue }
            differences.append(
                "checkpoint \(id): LiteCore \(text), ours \(checkpoints[id] ?? "none")")
        }
        return differences
    }
}

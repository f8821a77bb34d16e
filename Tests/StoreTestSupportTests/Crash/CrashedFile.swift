import DocumentStore
import SQLCore

/// The data file that `CrashWriter` writes.
struct CrashedFile {
    let path: String
    let slots: Int64
    let parts: Int

    /// The number of its last transaction, and the differences from the state after it.
    func check() throws -> (last: Int64, problems: [String]) {
        // A writer that was killed early has not created it.
        guard FileSize.of(path) != nil else { return (0, []) }
        let file = try DataFile(path: path, options: DataFileOptions(access: .create))
        defer { file.close() }
        let documents = DocumentCollection(.default)
        return try file.read { snapshot in
            var problems: [String] = []
            let last = try documents.get("last", in: snapshot)?["n"]?.int ?? 0
            for slot in 0..<slots {
                // The latest transaction that wrote here; 0 or less if there is none.
                let latest = last - ((last - slot) % slots + slots) % slots
                for part in 0..<parts {
                    let found = try documents.get("\(slot)-\(part)", in: snapshot)?["n"]?.int
                    if found != (latest > 0 ? latest : nil) {
                        problems.append("\(slot)-\(part) has \(found ?? 0), not \(latest)")
                    }
                }
            }
            let context = try SQLContext(path: path + "/db.sqlite3")
            let check = try context.selectValue(sql: "PRAGMA integrity_check")
            if check != .text("ok") { problems.append("integrity_check: \(check ?? .null)") }
            return (last, problems)
        }
    }
}

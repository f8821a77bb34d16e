import DataFileCore
import FleeceLite
import ProjectTestSupport

/// A line of events.txt: what a recorded process did.
struct ReplayEvent: Sendable {
    enum Kind: String, Sendable {
        case opened, put, bulk, purged, rawput, dumped, http, started, stopping, waited, resolved
    }

    let side: ReplicationRecording.Side
    let time: Double
    let kind: Kind
    let id: String
    /// The revision in the text of the process, with `*` for itself.
    let revision: String
    /// The values of the line.
    let json: String

    /// Nil for other lines.
    init?(_ line: String) {
        guard let start = line.firstIndex(of: "{"), !line.hasPrefix("#") else { return nil }
        let words = line[..<start].split(separator: " ")
        json = String(line[start...])
        guard words.count == 2, let time = Double(words[0]),
            let side = ReplicationRecording.Side(rawValue: String(words[1])),
            let values = try? FleeceDocument(json: json).root.dictionary,
            let kind = values["e"]?.string.flatMap(Kind.init)
        else { return nil }
        self.time = time
        self.side = side
        self.kind = kind
        id = values["id"]?.string ?? ""
        revision = values["rev"]?.string ?? ""
    }

    subscript(name: String) -> String? {
        (try? FleeceDocument(json: json).root.dictionary)?[name]?.string
    }
}

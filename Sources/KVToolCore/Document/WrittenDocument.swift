package import DocumentStore

/// A document to write, in its current state or in one revision.
package struct WrittenDocument {
    let id: String
    let revision: String?
    let sequence: Int64?
    let flags: DocumentFlags
    let expiration: Int64?
    let properties: FleeceDictionary?

    package init(_ document: Document) {
        id = document.id
        revision = document.revisionID?.description
        sequence = document.sequence
        flags = document.flags
        expiration = document.expiration
        properties = document.properties
    }

    package init(_ document: Document, _ known: RevisionListItem) {
        id = document.id
        revision = known.id.description
        sequence =
            known.isCurrent
            ? document.sequence : known.sequence.flatMap { Int64(exactly: $0) }
        flags = known.isCurrent ? document.flags : known.flags
        expiration = document.expiration
        properties = known.properties
    }
}

extension WrittenDocument {
    /// The document's metadata, as properties that begin with `_`.
    var metadata: [(key: String, json: JSONText)] {
        var properties: [(key: String, json: JSONText)] = []
        func add(_ key: String, _ write: (inout JSONText) -> Void) {
            var text = JSONText()
            write(&text)
            properties.append((key, text))
        }
        if let revision { add("_rev") { $0.append(quoted: revision) } }
        if let sequence { add("_sequence") { $0.append(sequence) } }
        add("_flags") { text in
            text.append("[")
            for (index, name) in flags.names.enumerated() {
                if index > 0 { text.append(",") }
                text.append(quoted: name)
            }
            text.append("]")
        }
        if let expiration { add("_expiration") { $0.append(expiration) } }
        return properties
    }
}

/// The text of a document in a temporary file for an editor, readable only by this user.
package struct DocumentEditor {
    /// The path of the file.
    package let path: String
    private let command: String

    /// Writes the text into a new file.
    ///
    /// - Parameter command: the editor, as a shell command.
    package init(_ text: [UInt8], id: String, command: String) throws {
        self.command = command
        let name = id.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }.prefix(40)
        path = try TemporaryFile.create(text, name: "\(String(name)).json")
    }

    /// Opens the editor, waits until it exits, and returns the edited text.
    package func edit() throws -> [UInt8] {
        let status = try OtherProgram(shell: command, [path]).wait()
        guard status == 0 else {
            throw ToolError(
                "the editor \(Text.line(command)) exited with status \(status); the text is in "
                    + path)
        }
        return try InputFile.contents(of: path)
    }

    /// Removes the file.
    package func remove() { System.remove(path) }

    /// The specified editor, or the editor that the environment specifies.
    package static func command(_ given: String?) -> String {
        given ?? System.environment("VISUAL") ?? System.environment("EDITOR") ?? "vi"
    }
}

/// Descriptions of when documents expire.
package enum Expirations {
    /// `in 3 min`, `2 h ago`, `in 6 days 23 h`, `in 40 days`.
    package static func distance(to milliseconds: Int64, from now: Int64 = System.milliseconds)
        -> String
    {
        let (difference, isFar) = milliseconds.subtractingReportingOverflow(now)
        guard !isFar else { return milliseconds < now ? "long ago" : "in a long time" }
        let seconds = Double(difference) / 1000
        let text = days(seconds.magnitude) ?? Text.duration(seconds: seconds.magnitude)
        return seconds < 0 ? "\(text) ago" : "in \(text)"
    }

    /// Formats a duration of two days or more, to the nearest hour, or of 30 days or more, to the
    /// nearest day; nil for less.
    private static func days(_ seconds: Double) -> String? {
        guard seconds >= 2 * 86_400 else { return nil }
        let hours = Int((seconds / 3600).rounded())
        guard hours < 30 * 24 else { return "\((hours + 12) / 24) days" }
        return "\(hours / 24) days" + (hours % 24 > 0 ? " \(hours % 24) h" : "")
    }
}

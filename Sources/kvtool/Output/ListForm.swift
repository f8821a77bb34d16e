internal import ArgumentParser
internal import DocumentStore

/// How a list shows bodies to people.
enum ListForm: String, EnumerableFlag {
    case raw, pretty, json5

    static func help(for value: ListForm) -> ArgumentHelp? {
        switch value {
        case .raw: "With --body: a line each; so it is unless told otherwise."
        case .pretty: "With --body: in lines that are indented, below their documents."
        case .json5: "With --body: as JSON5, without quotes that need not be."
        }
    }

    /// The text of a body.
    func text(of body: FleeceDictionary?) throws -> JSONText {
        var writer = JSONWriter(options: JSONWriter.Options(pretty: self == .pretty))
        try writer.write(body, after: [])
        var text = writer.text
        if self == .json5 { text.utf8 = JSON5Keys.unquoted(text.utf8) }
        return text
    }

    /// How rows with these fields are shown.
    func presentation(of fields: [ListField]) -> RowOutput.Presentation {
        guard self == .pretty, let body = fields.firstIndex(of: .body) else { return .table }
        return .lines { row in
            var cells = row
            let text = cells.remove(at: body).plain
            let head = cells.map(\.forPeople).filter { !$0.isEmpty }.joined(separator: "  ")
            let lines = text.split(separator: "\n").map { Text.line(String($0)) }
            return ([head] + lines).joined(separator: "\n")
        }
    }
}

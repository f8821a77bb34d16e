internal import DocumentStore

/// The code that creates an index: a command of the tool, and a line of Swift.
struct IndexLine {
    /// Nil for a predictive index, which needs a model that only an application has, and for a
    /// vector index, which is not advised.
    let command: String?
    let swift: String

    init(_ advice: IndexAdvice, database: String) {
        command = Self.command(advice, database)
        swift = Self.swift(advice)
    }

    private static func command(_ advice: IndexAdvice, _ database: String) -> String? {
        let index = advice.index
        var words = ["kvtool", "mkindex", database, index.name]
        switch index.kind {
        case .value, .fullText: break
        case .array(let path): words.append("--array=\(path)")
        case .predictive, .vector: return nil
        }
        if case .fullText = index.kind { words.append("--fts") }
        if advice.collection != .default { words.append("--collection=\(advice.collection)") }
        if let condition = index.condition { words.append("--where=\(condition)") }
        // Without `--`, an expression that begins with a hyphen would be an option.
        if index.expressions.text.hasPrefix("-") { words.append("--") }
        if !index.expressions.text.isEmpty { words.append(index.expressions.text) }
        return words.map(quoted).joined(separator: " ")
    }

    /// Quotes a word for the shell.
    private static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                    || "-_./=:,+@%".utf8.contains(byte)
            }
        guard !isPlain else { return word }
        return "'" + word.replacing("'", with: "'\\''") + "'"
    }

    private static func swift(_ advice: IndexAdvice) -> String {
        let (index, name) = (advice.index, literal(advice.index.name))
        let text = literal(index.expressions.text)
        let expressions = index.expressions.language == .json ? ".json(\(text))" : text
        let condition = index.condition.map { ", where: \(literal($0))" } ?? ""
        let spec =
            switch index.kind {
            case .value: ".value(\(name), on: \(expressions)\(condition))"
            case .fullText: ".fullText(\(name), on: \(expressions)\(condition))"
            case .predictive: ".predictive(\(name), on: \(expressions)\(condition))"
            case .vector(let options):
                ".vector(\(name), on: \(expressions), .init(dimensions: \(options.dimensions))"
                    + "\(condition))"
            case .array(let path):
                ".array(\(name), path: \(literal(path))"
                    + (index.expressions.text.isEmpty ? "" : ", on: \(expressions)")
                    + "\(condition))"
            }
        let collection =
            advice.collection == .default
            ? ".default" : "CollectionName(\(literal(advice.collection.description)))"
        return "try Collection(\(collection)).createIndex(\(spec), in: transaction)"
    }

    private static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\" + String(scalar)
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            default:
                literal +=
                    scalar.value < 0x20 || scalar.value == 0x7F
                    ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
            }
        }
        return literal + "\""
    }
}

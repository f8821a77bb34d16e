internal import DataFileCore
internal import QueryFunctions
internal import QueryLanguage
internal import SQLCore

extension IndexRow {
    /// The models that it calls and that are not registered.
    var missingModels: [String] {
        guard let definition else { return [] }
        var models: Set<String> = []
        for expression in definition.expressions + (definition.condition.map { [$0] } ?? []) {
            expression.visit {
                if case .prediction(.literal(.string(let name)), _, _) = $0 { models.insert(name) }
            }
        }
        return models.filter { PredictiveModels.model(named: $0) == nil }.sorted()
    }
}

extension IndexTable {
    /// The rows that the table should have for a range of its source's rows, as a SELECT whose two
    /// parameters are the range.
    ///
    /// It is the statement that fills the table, without its `INSERT`.
    var expectedRows: String? {
        let start = "INSERT INTO \(name.sqlName) ("
        let text = fill.sql
        guard text.utf8.starts(with: start.utf8) else { return nil }
        let rest = text.unicodeScalars.dropFirst(start.unicodeScalars.count)
        var isInName = false
        for index in rest.indices {
            switch rest[index] {
            case "\"": isInName.toggle()
            case ")" where !isInName:
                let select = String(rest[rest.index(after: index)...])
                // An INSERT of VALUES does not fill a table.
                return select.hasPrefix(" SELECT ") ? select : nil
            default: break
            }
        }
        return nil
    }
}

extension FullTextTable {
    /// The part before the options in the SQL of a full-text table without options; nil if the SQL
    /// has another form.
    private static func beginning(of created: String) -> String? {
        guard let range = created.firstRange(of: ", tokenize=unicodesn)") else { return nil }
        return String(created[..<range.lowerBound]) + ", tokenize=unicodesn"
    }

    /// Whether the SQL of a table equals that of a table without options, apart from its options.
    static func isSame(_ text: String, asPlain created: String) -> Bool {
        guard let start = beginning(of: created), text.utf8.starts(with: start.utf8) else {
            return false
        }
        // ` "key=value"`, repeated, and a parenthesis.
        var rest = Array(text.utf8.dropFirst(start.utf8.count))[...]
        while rest.starts(with: [UInt8(ascii: " "), UInt8(ascii: "\"")]) {
            rest = rest.dropFirst(2)
            guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return false }
            rest = rest[(end + 1)...]
        }
        return rest.elementsEqual([UInt8(ascii: ")")])
    }

    /// The module and arguments in the SQL of a full-text table; nil if the SQL has another form.
    static func module(in text: String, ofTable name: String) -> String? {
        let start = "CREATE VIRTUAL TABLE \(name.sqlName) USING "
        guard text.utf8.starts(with: start.utf8) else { return nil }
        return String(decoding: text.utf8.dropFirst(start.utf8.count), as: UTF8.self)
    }
}

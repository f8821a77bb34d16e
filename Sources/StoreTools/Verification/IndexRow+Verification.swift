internal import DataFileCore
internal import QueryFunctions
internal import QueryLanguage
internal import SQLCore

extension IndexRow {
    /// The models that it asks and that are not registered.
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
    /// The rows that it should have, of a range of its source's: two parameters, the range.
    ///
    /// It is what fills the table, without the `INSERT` before it.
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
                // An INSERT of VALUES fills no table.
                return select.hasPrefix(" SELECT ") ? select : nil
            default: break
            }
        }
        return nil
    }
}

extension FullTextTable {
    /// What stands before the options in the text that makes a full-text table without any; nil if
    /// that is no such text.
    private static func beginning(of created: String) -> String? {
        guard let range = created.firstRange(of: ", tokenize=unicodesn)") else { return nil }
        return String(created[..<range.lowerBound]) + ", tokenize=unicodesn"
    }

    /// Whether a text makes the same table as another one without options, whatever options it has.
    static func isSame(_ text: String, asPlain created: String) -> Bool {
        guard let start = beginning(of: created), text.utf8.starts(with: start.utf8) else {
            return false
        }
        // ` "key=value"`, again and again, and a parenthesis.
        var rest = Array(text.utf8.dropFirst(start.utf8.count))[...]
        while rest.starts(with: [UInt8(ascii: " "), UInt8(ascii: "\"")]) {
            rest = rest.dropFirst(2)
            guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return false }
            rest = rest[(end + 1)...]
        }
        return rest.elementsEqual([UInt8(ascii: ")")])
    }

    /// What stands behind the name of a full-text table in the text that makes it; nil if that is
    /// no such text.
    static func module(in text: String, ofTable name: String) -> String? {
        let start = "CREATE VIRTUAL TABLE \(name.sqlName) USING "
        guard text.utf8.starts(with: start.utf8) else { return nil }
        return String(decoding: text.utf8.dropFirst(start.utf8.count), as: UTF8.self)
    }
}

internal import DocumentStore

/// Writes rows whose columns are known only when the query runs: like `RowOutput`, but
///
/// - the JSON object has `"columns"` before the rows and `"count"` after them;
/// - columns may have the same name; the property of the second one is then named `name_2`;
/// - in console output, a column is right-aligned if the first rows contain only numbers in it.
package struct ResultOutput {
    /// The array that `--raw` of the original tool writes.
    package enum RawForm {
        /// One object per row.
        case objects
        /// Objects whose keys have no quotes if they are plain words.
        case json5
        /// One array per row, without names.
        case arrays
    }

    private let schema: String
    private let names: [String]
    private let fields: [String]
    private let arguments: OutputArguments
    private let raw: RawForm?
    private var waiting: [[Cell]] = []
    private var output: RowOutput?
    /// The number of rows.
    package private(set) var count = 0

    /// The number of rows that determine the alignment of a column.
    private static let sample = 100

    /// - Parameters:
    ///   - schema: the name of the command, as in `kvtool.query/1`.
    ///   - names: the columns' names.
    ///   - raw: the format that overrides the one in `arguments`.
    package init(
        _ schema: String, _ names: [String], _ arguments: OutputArguments, raw: RawForm? = nil
    ) {
        self.schema = schema
        self.names = names
        self.arguments = arguments
        self.raw = raw
        fields = Self.distinct(names)
    }

    /// Writes a row, which has a cell for each column.
    package mutating func add(_ row: [Cell]) throws {
        count += 1
        if let raw { return try addRaw(row, raw) }
        guard output == nil else { return try output?.add(row) ?? () }
        waiting.append(row)
        if !arguments.isForPeople || waiting.count == Self.sample { try settle() }
    }

    /// Writes the end of the output.
    package mutating func finish(trailer: JSONObject = JSONObject()) throws {
        guard raw == nil else {
            return try StandardOutput.current.write(count == 0 ? "[]\n" : "]\n")
        }
        if output == nil { try settle() }
        var end = JSONObject()
        end.add("count", count)
        end.add(propertiesOf: trailer)
        try output?.finish(trailer: end)
    }

    /// Determines the columns, and writes the buffered rows.
    private mutating func settle() throws {
        var header = JSONObject()
        header.add("columns", fields)
        let columns = names.indices.map { index in
            Column(fields[index], Text.line(names[index]), isNumber: hasNumbers(index))
        }
        var output = RowOutput(
            schema, list: "rows", columns, arguments, header: header, empty: "(no rows)",
            hint: OutputDefaults.current.cutHint ?? "use --line or --json to show it")
        for row in waiting { try output.add(row) }
        waiting = []
        self.output = output
    }

    private func hasNumbers(_ column: Int) -> Bool {
        let values = waiting.map { $0[column] }.filter { !$0.plain.isEmpty }
        return !values.isEmpty && values.allSatisfy(\.isNumber)
    }

    private func addRaw(_ row: [Cell], _ form: RawForm) throws {
        var text = JSONText()
        switch form {
        case .objects: text = object(row)
        case .json5: text.utf8 = JSON5Keys.unquoted(object(row).utf8)
        case .arrays:
            text.append("[")
            for (index, cell) in row.enumerated() {
                if index > 0 { text.append(",") }
                text.utf8 += cell.json.utf8
            }
            text.append("]")
        }
        try StandardOutput.current.write(Array((count == 1 ? "[" : ",\n ").utf8) + text.utf8)
    }

    private func object(_ row: [Cell]) -> JSONText {
        var object = JSONObject()
        for (field, cell) in zip(fields, row) { cell.add(to: &object, as: field) }
        return object.finished()
    }

    /// Makes the names unique.
    static func distinct(_ names: [String]) -> [String] {
        var taken = Set(names)
        var seen: Set<String> = []
        return names.map { name in
            if seen.insert(name).inserted { return name }
            var number = 2
            while !taken.insert("\(name)_\(number)").inserted { number += 1 }
            return "\(name)_\(number)"
        }
    }
}

extension Cell {
    /// The value as JSON, `null` if there is none.
    var json: JSONText {
        if case .none = self { return JSONText(utf8: "null") }
        var object = JSONObject()
        add(to: &object, as: "")
        var text = JSONText()
        // After the empty name and the colon.
        text.utf8 = Array(object.properties.dropFirst(3))
        return text
    }

    /// Whether the value is a number.
    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .decimal, .bytes: true
        case .json(let json): json.utf8.first.map { "-0123456789".utf8.contains($0) } ?? false
        default: false
        }
    }
}

/// Converts JSON to JSON5: removes the quotes of keys that are plain words.
package enum JSON5Keys {
    /// The same value in JSON5.
    package static func unquoted(_ json: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(json.count)
        var position = 0
        while position < json.count {
            guard json[position] == quote else {
                result.append(json[position])
                position += 1
                continue
            }
            let end = stringEnd(json, after: position)
            let content = json[(position + 1)..<(end - 1)]
            let isKey = end < json.count && json[end] == UInt8(ascii: ":")
            result += isKey && isWord(content) ? content : json[position..<end]
            position = end
        }
        return result
    }

    private static let quote = UInt8(ascii: "\"")

    /// The position after the quote that ends a string.
    private static func stringEnd(_ json: [UInt8], after start: Int) -> Int {
        var position = start + 1
        while position < json.count, json[position] != quote {
            position += json[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position + 1, json.count)
    }

    private static func isWord(_ text: ArraySlice<UInt8>) -> Bool {
        let letters = text.allSatisfy {
            switch $0 {
            case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, UInt8(ascii: "_"), UInt8(ascii: "$"): true
            default: false
            }
        }
        return letters && text.first.map { !(0x30...0x39).contains($0) } ?? false
    }
}

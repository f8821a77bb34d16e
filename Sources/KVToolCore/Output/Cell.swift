package import DocumentStore

/// A value in a row of output.
package enum Cell {
    /// No value: an empty cell, omitted in JSON.
    case none
    case text(String)
    case integer(Int64)
    case decimal(Double)
    case bool(Bool)
    /// A size in bytes: a number for programs, with a unit in console output.
    case bytes(Int)
    /// Milliseconds since 1970: a number for programs, a date in console output.
    case date(Int64)
    /// A JSON array for programs, separated by commas in console output.
    case list([String])
    /// Encoded JSON.
    case json(JSONText)
    /// Separate values for console output and for programs.
    indirect case both(String, program: Cell)

    package static func number(_ value: Int) -> Cell { .integer(Int64(value)) }

    package static func optional(_ value: String?) -> Cell { value.map(Cell.text) ?? .none }

    /// The text for console output, on one line, with terminal control characters escaped.
    package var forPeople: String {
        switch self {
        case .bytes(let count): Text.size(count)
        case .date(let milliseconds): Text.date(milliseconds: milliseconds)
        case .both(let text, _): Text.line(text)
        default: Text.line(plain)
        }
    }

    /// The text for CSV files.
    package var plain: String {
        switch self {
        case .none: ""
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .bool(let value): value ? "true" : "false"
        case .bytes(let count): "\(count)"
        case .date(let milliseconds): "\(milliseconds)"
        case .list(let strings): strings.joined(separator: ",")
        case .json(let json): json.string
        case .both(_, let program): program.plain
        }
    }

    /// Adds the value to an object, unless there is none.
    func add(to object: inout JSONObject, as name: String) {
        switch self {
        case .none: break
        case .text(let text): object.add(name, text)
        case .integer(let number): object.add(name, number)
        case .decimal(let number): object.add(name, number)
        case .bool(let value): object.add(name, value)
        case .bytes(let count): object.add(name, count)
        case .date(let milliseconds): object.add(name, milliseconds)
        case .list(let strings): object.add(name, strings)
        case .json(let json): object.add(name, json)
        case .both(_, let program): program.add(to: &object, as: name)
        }
    }
}

/// A column of output rows.
package struct Column {
    /// The name in JSON objects and CSV files, which scripts rely on.
    let field: String
    /// The heading in console output.
    let heading: String
    /// Whether the cells are right-aligned.
    var isNumber = false
    /// Whether it is the last column to be narrowed: an ID or a name.
    var isKey = false

    package init(_ field: String, _ heading: String, isNumber: Bool = false, isKey: Bool = false) {
        self.field = field
        self.heading = heading
        self.isNumber = isNumber
        self.isKey = isKey
    }
}

extension QueryValue {
    /// The value as a cell; a missing value is an empty cell.
    ///
    /// - Throws: `FleeceError` for a damaged document.
    func cell() throws -> Cell {
        switch self {
        case .missing: .none
        case .boolean(let bool): .bool(bool)
        case .integer(let number): .integer(number)
        case .string(let text): .text(text)
        case .array(let array): .json(try Self.written(array.value))
        case .dictionary(let dictionary): .json(try Self.written(dictionary.value))
        case .null, .unsigned, .real, .data: .json(JSONText(utf8: try json()))
        }
    }

    private static func written(_ value: FleeceValue) throws -> JSONText {
        var writer = JSONWriter()
        try writer.write(value)
        return writer.text
    }
}

extension ResultRow {
    /// The values as cells.
    package func cells() throws -> [Cell] {
        try (0..<count).map { try self[$0].cell() }
    }
}

extension JSONText {
    /// Wraps a string that is JSON.
    package init(utf8 json: String) {
        self.init()
        utf8 = Array(json.utf8)
    }
}

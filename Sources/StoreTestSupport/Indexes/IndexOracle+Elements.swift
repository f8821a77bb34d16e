internal import DocumentStore
internal import SQLCore

/// A row of a table of elements.
private struct IndexedElement: Hashable, CustomStringConvertible {
    /// The row of the document, and the position in each level.
    let positions: [Int64]
    let value: IndexedValue

    var description: String { "\(positions): \(value)" }
}

extension IndexOracle {
    /// A level of an array's index: its table, and the path in the enclosing level.
    struct Level {
        let table: String
        let path: IndexedDefinition.Path
    }

    /// The levels of an index, outermost first.
    ///
    /// The paths are those of the plain name in the registry; the tables are found by following the
    /// references from the index's own table.
    func levels(_ index: Index) throws -> [Level] {
        let plain = (index.table ?? "").parts(by: ":unnest:").last ?? ""
        let paths = try plain.parts(by: " WHERE ")[0].parts(by: "[].").map {
            try IndexedDefinition.path($0.filter { $0 != "\\" })
        }
        var table = try context.selectValue(
            sql: "SELECT tbl_name FROM sqlite_master WHERE type = 'index' AND name = ?",
            parameters: [.text(index.name)])
        var tables: [String] = []
        for _ in paths {
            guard let name = table?.textValue else { throw MissingTree(index: index.name) }
            tables.insert(name, at: 0)
            let text = try context.selectValue(
                sql: "SELECT sql FROM sqlite_master WHERE name = ?", parameters: [.text(name)])
            let parent = text?.textValue?.parts(by: " REFERENCES ").last?
                .parts(by: "(rowid)").first
            table = parent.map { .text($0.filter { $0 != "\"" }) }
        }
        return zip(tables, paths).map { Level(table: $0, path: $1) }
    }

    /// Compares an array's index: the table of each level, and the tree of the last one.
    mutating func checkElements(_ index: Index, _ store: IndexedStore) throws {
        let definition = try IndexedDefinition(index.expression, where: index.condition)
        /// The rows of the enclosing level: positions, number, value.
        var around: [(positions: [Int64], value: FleeceValue)] = store.live.compactMap { row in
            guard definition.selects(row.root), let root = row.root else { return nil }
            return ([row.number], root)
        }
        var positions = Dictionary(
            uniqueKeysWithValues: around.map { ($0.positions[0], $0.positions) })
        for level in try levels(index) {
            let inside = around.flatMap { outer in
                Self.elements(outer.value.value(at: level.path)).enumerated().map {
                    (positions: outer.positions + [Int64($0.offset)], value: $0.element)
                }
            }
            let (found, numbers) = try rows(of: level, positions, index)
            compare(
                index, "elements", found,
                inside.map {
                    IndexedElement(positions: $0.positions, value: IndexedValue($0.value))
                })
            (around, positions) = (inside, numbers)
        }
        try checkTree(index, definition, around, positions)
    }

    /// The rows of a table, by their positions; and the positions by the rows' numbers.
    private mutating func rows(
        of level: Level, _ positions: [Int64: [Int64]], _ index: Index
    ) throws -> ([IndexedElement], [Int64: [Int64]]) {
        let statement = try context.prepare(
            sql: "SELECT rowid, docid, i, body FROM \(level.table.sqlName)")
        var found: [IndexedElement] = []
        var numbers: [Int64: [Int64]] = [:]
        while try statement.next() {
            let position = statement.long(at: 2)
            guard let outer = positions[statement.long(at: 1)] else {
                note(index, "an element of row \(statement.long(at: 1)), which does not exist")
                continue
            }
            numbers[statement.long(at: 0)] = outer + [position]
            found.append(IndexedElement(positions: outer + [position], value: .init(statement, 3)))
        }
        return (found, numbers)
    }

    private mutating func checkTree(
        _ index: Index, _ definition: IndexedDefinition,
        _ elements: [(positions: [Int64], value: FleeceValue)], _ positions: [Int64: [Int64]]
    ) throws {
        let numbers = Dictionary(
            positions.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
        let expected = elements.map { element in
            IndexedEntry(
                row: numbers[element.positions] ?? -1,
                values: definition.paths.isEmpty
                    ? [IndexedValue(element.value)] : definition.values(element.value))
        }
        let count = max(definition.paths.count, 1)
        compare(index, "values of elements", try entries(index.name, columns: count), expected)
    }

    /// The rows for a value: its elements or entries, or the value itself if it is a scalar.
    private static func elements(_ value: FleeceValue?) -> [FleeceValue] {
        guard let value, value.kind != .undefined else { return [] }
        if let array = value.array { return Array(array) }
        return value.dictionary?.map(\.value) ?? [value]
    }
}

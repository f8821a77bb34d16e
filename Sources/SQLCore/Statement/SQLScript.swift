internal import CSQLite

/// The text of one or more statements, as SQLite takes it: compiled one after the other.
struct SQLScript {
    private let text: ContiguousArray<CChar>
    private let sql: String

    /// Throws if the text has a NUL, behind which SQLite would see nothing.
    init(_ sql: String) throws {
        self.sql = sql
        var bytes = ContiguousArray(sql.utf8.lazy.map { CChar(bitPattern: $0) })
        if let place = bytes.firstIndex(of: 0) {
            throw SQLError(
                code: .error, message: "a NUL byte; bind such text as a parameter",
                sql: SQLRedaction.shown(sql), offset: place)
        }
        bytes.append(0)
        text = bytes
    }

    /// Compiles the statement at a byte offset, which is moved behind it; nil if only white space
    /// and comments are left. `sqlite3_prepare_v3`
    ///
    /// - Parameter isKept: whether the statement will live long.
    func prepare(
        _ connection: SQLConnection, at place: inout Int, isKept: Bool = false
    ) throws -> OpaquePointer? {
        let handle = try connection.requireHandle()
        while place < text.count - 1 {
            var compiled: OpaquePointer?
            let start = place
            let code = text.withUnsafeBufferPointer { text in
                var tail: UnsafePointer<CChar>?
                let begin = text.baseAddress.map { $0 + start }
                let code = sqlite3_prepare_v3(
                    handle, begin, Int32(clamping: text.count - start),
                    isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0, &compiled, &tail)
                if let tail, let begin { place = start + (tail - begin) }
                return code
            }
            guard code == SQLITE_OK else {
                throw SQLError(handle: handle, code: code, sql: sql, from: start)
            }
            guard let compiled else { continue }
            do {
                try refuseLeaks(
                    from: start, to: place, handle,
                    isAnswered: sqlite3_column_count(compiled) > 0)
                return compiled
            } catch {
                sqlite3_finalize(compiled)
                throw error
            }
        }
        return nil
    }

    /// Throws for a statement that would make a plain file of what is to be encrypted: an `ATTACH`
    /// with a `KEY`, which SQLite reads and then ignores, a `PRAGMA key` that no file system has
    /// answered, and a `VACUUM … INTO` of an attached database that has a key.
    private func refuseLeaks(
        from start: Int, to end: Int, _ handle: OpaquePointer, isAnswered: Bool
    ) throws {
        let first = blankEnd(from: start)
        guard first < end, [0x61, 0x70, 0x76].contains(text[first] | 0x20) else { return }
        let bytes = text[first..<end].map { UInt8(bitPattern: $0) }
        let statement = String(decoding: bytes, as: UTF8.self)
        if SQLRedaction.attachesWithKey(statement) {
            throw SQLError(
                code: .misuse,
                message: "SQLite knows no KEY here, and would make or read a plain file; "
                    + "SQLPlus has attach(path:as:key:)",
                sql: SQLRedaction.statementWithKey)
        }
        if !isAnswered, SQLRedaction.isPragmaOfKey(statement) {
            throw SQLError(
                code: .misuse,
                message: "there is no encryption, and the database stays plain: open the context "
                    + "with SQLiteConfiguration.plus of SQLPlus",
                sql: SQLRedaction.statementWithKey)
        }
        if SQLRedaction.copiesAttached(statement),
            SQLFile.attached(handle).contains(where: \.keepsCopiesToItself)
        {
            throw SQLError(
                code: .misuse,
                message: "a copy of an attached database would not have its key; open that by "
                    + "itself, and export it",
                sql: sql)
        }
    }

    /// Whether nothing but white space and comments follows a byte offset.
    func isBlank(from place: Int) -> Bool {
        // Not compiled to find out: some pragmas act when they are compiled.
        blankEnd(from: place) == text.count
    }

    /// The first byte that is not white space, a semicolon or in a comment.
    private func blankEnd(from start: Int) -> Int {
        var place = start
        while place < text.count {
            if Self.isBlank(text[place]) {
                place += 1
            } else if isByteOrderMark(place) {
                place += 3
            } else if isPair(place, "-", "-") {
                place = text[place...].firstIndex(of: 0x0A) ?? text.count
            } else if isPair(place, "/", "*") {
                place += 2
                while place < text.count, !isPair(place, "*", "/") { place += 1 }
                place = min(place + 2, text.count)
            } else {
                return place
            }
        }
        return place
    }

    private static func isBlank(_ byte: CChar) -> Bool {
        switch byte {
        case 0, 0x20, 0x09...0x0D, 0x3B: true
        default: false
        }
    }

    /// SQLite takes it for white space.
    private func isByteOrderMark(_ place: Int) -> Bool {
        place + 2 < text.count
            && text[place...place + 2].elementsEqual(
                [0xEF, 0xBB, 0xBF].map(CChar.init(bitPattern:)))
    }

    private func isPair(_ place: Int, _ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
        place + 1 < text.count && text[place] == CChar(truncatingIfNeeded: first.value)
            && text[place + 1] == CChar(truncatingIfNeeded: second.value)
    }

    /// Runs all statements, passing over their rows.
    func run(_ connection: SQLConnection) throws {
        var place = 0
        var start = 0
        while let statement = try prepare(connection, at: &place) {
            defer { sqlite3_finalize(statement) }
            guard sqlite3_bind_parameter_count(statement) == 0 else {
                throw SQLError(
                    code: .range, message: "a statement of a script has parameters",
                    sql: SQLRedaction.shown(sql), offset: start)
            }
            var code = sqlite3_step(statement)
            while code == SQLITE_ROW { code = sqlite3_step(statement) }
            guard code == SQLITE_DONE else {
                let error = SQLError(
                    handle: connection.handle, code: code, sql: sql, from: start)
                // A failure that SQLite knows no place for is that of the whole statement.
                let statement = min(blankEnd(from: start), text.count - 1)
                throw SQLError(
                    code: error.code, message: error.message, sql: error.sql,
                    offset: error.offset ?? (statement > 0 ? statement : nil),
                    cause: error.cause)
            }
            start = place
        }
    }
}

extension String {
    /// The text as a SQL name: in double quotes, those inside doubled.
    package var sqlName: String { quoted(with: "\"") }

    /// The text as a SQL string: in single quotes, those inside doubled.
    package var sqlText: String { quoted(with: "'") }

    private func quoted(with quote: Character) -> String {
        // By scalars: a quote with an accent on it is one Character, and still ends the text.
        var result = String(quote)
        for character in unicodeScalars {
            result.unicodeScalars.append(character)
            if Character(character) == quote { result.append(quote) }
        }
        result.append(quote)
        return result
    }
}

/// A name with the schema before it, where there is one.
package func qualifiedName(_ name: String, inSchema schema: String?) -> String {
    (schema.map { $0.sqlName + "." } ?? "") + name.sqlName
}

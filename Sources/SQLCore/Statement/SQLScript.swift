internal import CSQLite
internal import StorePlatform

/// SQL text with one or more statements, which are compiled one after the other.
struct SQLScript {
    private let text: ContiguousArray<CChar>
    private let sql: String

    /// Throws if the text contains NUL, at which SQLite would stop reading.
    init(_ sql: String) throws {
        self.sql = sql
        guard !sql.hasNUL else {
            throw SQLError(
                code: .error,
                message: "the SQL contains a NUL byte; bind such a string as a parameter",
                sql: SQLRedaction.shown(sql), offset: Array(sql.utf8).firstIndex(of: 0))
        }
        text = sql.utf8CString
    }

    /// Compiles the statement at a byte offset; nil if only white space and comments follow.
    /// `sqlite3_prepare_v3`
    ///
    /// - Parameters:
    ///   - position: The byte offset; it is set to the end of the statement.
    ///   - isPersistent: Whether the statement is likely to be reused many times.
    func prepare(
        _ connection: SQLConnection, at position: inout Int, isPersistent: Bool = false
    ) throws -> (handle: OpaquePointer, effect: StatementEffect)? {
        let handle = try connection.requireHandle()
        while position < text.count - 1 {
            var compiled: OpaquePointer?
            let start = position
            let code = text.withUnsafeBufferPointer { text in
                var tail: UnsafePointer<CChar>?
                let begin = text.baseAddress.map { $0 + start }
                let code = sqlite3_prepare_v3(
                    handle, begin, Int32(clamping: text.count - start),
                    isPersistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0, &compiled, &tail)
                if let tail, let begin { position = start + (tail - begin) }
                return code
            }
            guard code == SQLITE_OK else {
                throw SQLError(handle: handle, code: code, sql: sql, from: start)
            }
            guard let compiled else { continue }
            do {
                let first = blankEnd(from: start)
                try refuseLeaks(
                    from: first, to: position, handle,
                    hasResult: sqlite3_column_count(compiled) > 0)
                return (compiled, StatementEffect(of: text[first...]))
            } catch {
                sqlite3_finalize(compiled)
                throw error
            }
        }
        return nil
    }

    /// Throws for a statement that would write data to a plaintext file which is meant to be
    /// encrypted: an `ATTACH` with a `KEY`, which SQLite parses and ignores, a `PRAGMA key` that no
    /// VFS has handled, and a `VACUUM … INTO` of an attached database that has a key.
    private func refuseLeaks(
        from first: Int, to end: Int, _ handle: OpaquePointer, hasResult: Bool
    ) throws {
        guard first < end else { return }
        // The full checks read the text several times, and opening a file runs a dozen pragmas.
        switch UInt8(bitPattern: text[first]) | 0x20 {
        case UInt8(ascii: "a") where contains("key", first..<end):
            guard SQLRedaction.attachesWithKey(statement(first..<end)) else { return }
            throw Self.ignoredKey(
                "SQLite ignores the KEY and would use a plaintext file; use "
                    + "attach(path:as:key:) of SQLPlus")
        case UInt8(ascii: "p") where !hasResult && contains("key", first..<end):
            guard SQLRedaction.isPragmaOfKey(statement(first..<end)) else { return }
            throw Self.ignoredKey(
                "the key has no effect, and the database stays plaintext; open the "
                    + "context with SQLiteConfiguration.plus of SQLPlus")
        case UInt8(ascii: "v") where contains("into", first..<end):
            try refusePlainCopy(statement(first..<end), handle)
        default: return
        }
    }

    private func statement(_ range: Range<Int>) -> String {
        String(decoding: text[range].lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether a part of the text contains the end of a word, given in lower case, in upper or
    /// lower case: `rekey` ends with `key`, but `foreign_keys` does not.
    private func contains(_ end: StaticString, _ range: Range<Int>) -> Bool {
        end.withUTF8Buffer { end in
            guard range.count >= end.count else { return false }
            return (range.lowerBound...range.upperBound - end.count).contains { start in
                end.indices.allSatisfy { UInt8(bitPattern: text[start + $0]) | 0x20 == end[$0] }
                    && !Self.isLetter(text[start + end.count])
            }
        }
    }

    private static func isLetter(_ byte: CChar) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= UInt8(bitPattern: byte) | 0x20
    }

    private static func ignoredKey(_ message: String) -> SQLError {
        SQLError(code: .misuse, message: message, sql: SQLRedaction.statementWithKey)
    }

    private func refusePlainCopy(_ statement: String, _ handle: OpaquePointer) throws {
        guard SQLRedaction.copiesAttached(statement),
            SQLFile.attached(handle).contains(where: \.keepsCopiesToItself)
        else { return }
        throw SQLError(
            code: .misuse,
            message: "the copy of an attached database would not be encrypted with its key; "
                + "open the database as main, and export it",
            sql: sql)
    }

    /// Whether only white space and comments follow a byte offset.
    func isBlank(from position: Int) -> Bool {
        // The rest is not compiled, since some pragmas take effect when they are compiled.
        blankEnd(from: position) == text.count
    }

    /// The offset of the first byte that is not white space, a semicolon or part of a comment.
    private func blankEnd(from start: Int) -> Int {
        var position = start
        while position < text.count {
            if Self.isBlank(text[position]) {
                position += 1
            } else if isByteOrderMark(position) {
                position += 3
            } else if isPair(position, "-", "-") {
                position = text[position...].firstIndex(of: 0x0A) ?? text.count
            } else if isPair(position, "/", "*") {
                position += 2
                while position < text.count, !isPair(position, "*", "/") { position += 1 }
                position = min(position + 2, text.count)
            } else {
                return position
            }
        }
        return position
    }

    private static func isBlank(_ byte: CChar) -> Bool {
        switch byte {
        case 0, 0x20, 0x09...0x0D, 0x3B: true
        default: false
        }
    }

    /// SQLite treats a byte order mark as white space.
    private func isByteOrderMark(_ position: Int) -> Bool {
        position + 2 < text.count
            && text[position...position + 2].elementsEqual(
                [0xEF, 0xBB, 0xBF].map(CChar.init(bitPattern:)))
    }

    private func isPair(
        _ position: Int, _ first: Unicode.Scalar, _ second: Unicode.Scalar
    ) -> Bool {
        position + 1 < text.count && text[position] == CChar(truncatingIfNeeded: first.value)
            && text[position + 1] == CChar(truncatingIfNeeded: second.value)
    }

    /// Runs all statements and discards their rows.
    func run(_ connection: SQLConnection) throws {
        var position = 0
        var start = 0
        while let (statement, effect) = try prepare(connection, at: &position) {
            defer { sqlite3_finalize(statement) }
            guard sqlite3_bind_parameter_count(statement) == 0 else {
                throw SQLError(
                    code: .range, message: "a statement of a script has parameters; run it alone",
                    sql: SQLRedaction.shown(sql), offset: start)
            }
            connection.count(effect)
            var code = sqlite3_step(statement)
            while code == SQLITE_ROW { code = sqlite3_step(statement) }
            guard code == SQLITE_DONE else {
                let error = SQLError(
                    handle: connection.handle, code: code, sql: sql, from: start)
                connection.countRollbackOfSQLite()
                // An error without an offset is reported at the beginning of the statement.
                let statement = min(blankEnd(from: start), text.count - 1)
                throw SQLError(
                    code: error.code, message: error.message, sql: error.sql,
                    offset: error.offset ?? (statement > 0 ? statement : nil),
                    cause: error.cause)
            }
            start = position
        }
    }
}

extension String {
    /// The string as an SQL identifier: in double quotes, with quotes in it doubled.
    package var sqlName: String { quoted(with: "\"") }

    /// The string as an SQL literal: in single quotes, with quotes in it doubled.
    package var sqlText: String { quoted(with: "'") }

    private func quoted(with quote: Character) -> String {
        // By scalars: a quote with a combining accent is one Character, but ends the literal.
        var result = String(quote)
        for character in unicodeScalars {
            result.unicodeScalars.append(character)
            if Character(character) == quote { result.append(quote) }
        }
        result.append(quote)
        return result
    }
}

/// A quoted name, qualified by the schema if there is one.
package func qualifiedName(_ name: String, inSchema schema: String?) -> String {
    (schema.map { $0.sqlName + "." } ?? "") + name.sqlName
}

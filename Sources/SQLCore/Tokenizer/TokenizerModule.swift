import CSQLite

/// A tokenizer as FTS3 sees it: its header, followed by the Swift object.
private struct TokenizerRecord {
    var header: shim_tokenizer
    let object: Unmanaged<TokenizerObject>
}

/// A cursor as FTS3 sees it: its header, followed by what Swift needs to check the tokens.
private struct CursorRecord {
    var header: shim_tokenizer_cursor
    let tokenizer: Unmanaged<TokenizerObject>
    let text: UnsafeRawBufferPointer
    var language: Int32 = 0
    /// Created for the first token, since the language is not known earlier.
    var object: Unmanaged<TokenCursorObject>?
    var lastPosition = 0
}

/// Creates a module that is never freed.
func makeTokenizerModule(
    xCreate: @escaping TokenizerSlots.Create
) -> UnsafePointer<shim_tokenizer_module> {
    let module = UnsafeMutablePointer<shim_tokenizer_module>.allocate(capacity: 1)
    module.initialize(to: shim_tokenizer_module())
    module.pointee.iVersion = 1
    module.pointee.xCreate = xCreate
    module.pointee.xDestroy = { tokenizer in
        guard let tokenizer else { return SQLITE_OK }
        let record = UnsafeMutableRawPointer(tokenizer)
            .assumingMemoryBound(to: TokenizerRecord.self)
        record.pointee.object.release()
        record.deallocate()
        return SQLITE_OK
    }
    module.pointee.xOpen = { openCursor($0, $1, $2, $3) }
    module.pointee.xClose = { cursor in
        guard let record = cursorRecord(cursor) else { return SQLITE_OK }
        record.pointee.object?.release()
        record.deallocate()
        return SQLITE_OK
    }
    module.pointee.xNext = { cursor, text, count, start, end, position in
        guard let cursor = cursorRecord(cursor), let text, let count, let start, let end,
            let position
        else { return SQLITE_ERROR }
        do {
            guard let token = try nextToken(cursor) else { return SQLITE_DONE }
            text.pointee = token.text.baseAddress?.assumingMemoryBound(to: CChar.self)
            count.pointee = Int32(token.text.count)
            start.pointee = Int32(token.bytes.lowerBound)
            end.pointee = Int32(token.bytes.upperBound)
            position.pointee = Int32(token.position)
            return SQLITE_OK
        } catch {
            return SQLFailure(error).code.rawValue
        }
    }
    module.pointee.xLanguageid = { cursor, language in
        cursorRecord(cursor)?.pointee.language = language
        return SQLITE_OK
    }
    return UnsafePointer(module)
}

/// The `xCreate` of the tokenizer in a slot.
func createTokenizer(
    _ slot: Int, _ count: Int32, _ arguments: UnsafePointer<UnsafePointer<CChar>?>?,
    _ result: UnsafeMutablePointer<UnsafeMutablePointer<shim_tokenizer>?>?
) -> Int32 {
    let strings = UnsafeBufferPointer(start: arguments, count: Int(count)).map {
        $0.map { String(cString: $0) } ?? ""
    }
    do {
        guard let object = try TokenizerSlots.make(slot: slot, strings) else { return SQLITE_ERROR }
        let record = UnsafeMutablePointer<TokenizerRecord>.allocate(capacity: 1)
        record.initialize(
            to: TokenizerRecord(header: shim_tokenizer(), object: .passRetained(object)))
        result?.pointee = UnsafeMutableRawPointer(record)
            .assumingMemoryBound(to: shim_tokenizer.self)
        return SQLITE_OK
    } catch {
        return SQLFailure(error).code.rawValue
    }
}

private func openCursor(
    _ tokenizer: UnsafeMutablePointer<shim_tokenizer>?, _ text: UnsafePointer<CChar>?,
    _ count: Int32,
    _ result: UnsafeMutablePointer<UnsafeMutablePointer<shim_tokenizer_cursor>?>?
) -> Int32 {
    guard let tokenizer, let result else { return SQLITE_ERROR }
    let record = UnsafeMutableRawPointer(tokenizer).assumingMemoryBound(to: TokenizerRecord.self)
    // A negative count means that the text ends at its NUL.
    let length = text.map { count < 0 ? String(cString: $0).utf8.count : Int(count) } ?? 0
    let cursor = UnsafeMutablePointer<CursorRecord>.allocate(capacity: 1)
    cursor.initialize(
        to: CursorRecord(
            header: shim_tokenizer_cursor(), tokenizer: record.pointee.object,
            text: UnsafeRawBufferPointer(start: text, count: length)))
    result.pointee = UnsafeMutableRawPointer(cursor)
        .assumingMemoryBound(to: shim_tokenizer_cursor.self)
    return SQLITE_OK
}

private func cursorRecord(
    _ cursor: UnsafeMutablePointer<shim_tokenizer_cursor>?
) -> UnsafeMutablePointer<CursorRecord>? {
    UnsafeMutableRawPointer(cursor)?.assumingMemoryBound(to: CursorRecord.self)
}

/// Returns the next token, checked: FTS3 reads the text at the token's offsets, and stores
/// positions as differences.
private func nextToken(_ cursor: UnsafeMutablePointer<CursorRecord>) throws -> SQLRawToken? {
    if cursor.pointee.object == nil {
        let next = try cursor.pointee.tokenizer._withUnsafeGuaranteedRef {
            try $0.tokens(cursor.pointee.text, Int(cursor.pointee.language))
        }
        cursor.pointee.object = .passRetained(TokenCursorObject(next))
    }
    let next = try cursor.pointee.object?._withUnsafeGuaranteedRef { try $0.next() }
    guard let token = next ?? nil else { return nil }
    guard token.bytes.lowerBound >= 0, token.bytes.upperBound <= cursor.pointee.text.count,
        token.position >= cursor.pointee.lastPosition, token.position <= Int(Int32.max),
        !token.text.isEmpty, token.text.count <= Int(Int32.max)
    else {
        throw SQLError(code: .error, message: "a token lies outside its text")
    }
    cursor.pointee.lastPosition = token.position
    return token
}

internal import SQLCore

/// `fl_like(text, pattern[, collation])` and `contains(text, part[, collation])`.
///
/// Without a collation they compare bytes. A missing argument gives missing, a value that is not a
/// string gives null, and an unknown collation is an error. `contains` converts numbers to strings;
/// other values except null contain nothing.
enum CollatedText {
    /// Registers `fl_like`.
    static func register(in context: SQLContext) throws {
        for count in 2...3 {
            try context.registerRawFunction("fl_like", argumentCount: count) {
                CollatedText.like(SQLRawCall($0, $1, $2))
            }
        }
    }

    static var table: [NamedFunction] {
        [NamedFunction("contains") { CollatedText.contains(SQLRawCall($0, $1, $2)) }]
    }

    private static func like(_ call: SQLRawCall) {
        guard hasTexts(call), let order = order(call) else { return }
        if let known = call.auxiliary(at: 1, as: LikePattern.self), known.order === order {
            return call.setBoolean(known.matches(call.text(at: 0)))
        }
        let pattern = LikePattern(call.text(at: 1), order)
        call.setBoolean(pattern.matches(call.text(at: 0)))
        call.setAuxiliary(pattern, at: 1)
    }

    private static func contains(_ call: SQLRawCall) {
        guard hasParts(call) else { return }
        let text = call.text(at: 0)
        let part = call.text(at: 1)
        // As in LiteCore: no string contains the empty string.
        if part.isEmpty { return call.setBoolean(false) }
        guard call.count > 2 else {
            return call.setBoolean(ByteSearch.first(part, in: text) != nil)
        }
        guard let order = order(call) else { return }
        let found = order.withCharacters(of: text) { text in
            order.withCharacters(of: part) { ByteSearch.first($0, in: text) != nil }
        }
        call.setBoolean(found)
    }

    /// Whether both are strings; otherwise the result is set.
    private static func hasTexts(_ call: SQLRawCall) -> Bool {
        if call.isNull(at: 0) || call.isNull(at: 1) {
            call.setNull()
            return false
        }
        if call.type(at: 0) == .text, call.type(at: 1) == .text { return isShortEnough(call) }
        call.setJSONNull()
        return false
    }

    /// Whether both are strings or numbers, which are converted; otherwise the result is set.
    private static func hasParts(_ call: SQLRawCall) -> Bool {
        let blobs = (0..<2).filter { call.type(at: $0) == .blob }
        guard !blobs.isEmpty, !call.isNull(at: 0), !call.isNull(at: 1) else {
            let isMissing = call.isNull(at: 0) || call.isNull(at: 1)
            if isMissing { call.setNull() }
            return !isMissing && isShortEnough(call)
        }
        // An empty blob is null.
        blobs.contains { call.blob(at: $0).isEmpty }
            ? call.setJSONNull() : call.setBoolean(false)
        return false
    }

    /// In the collation of a locale each byte can take eight.
    private static func isShortEnough(_ call: SQLRawCall) -> Bool {
        guard call.count < 3 || call.text(at: 0).count <= FunctionLimits.bytes else {
            call.setError("a string is too long for a comparison by characters")
            return false
        }
        return true
    }

    private static let binary = CollationEquivalence("BINARY")

    /// The collation that the third argument names; otherwise sets an error.
    private static func order(_ call: SQLRawCall) -> CollationEquivalence? {
        guard call.count > 2 else { return binary }
        if let known = call.auxiliary(at: 2, as: CollationEquivalence.self) { return known }
        let name = String(decoding: call.text(at: 2), as: UTF8.self)
        guard let order = CollationEquivalence(name) else {
            call.setError("no such collation sequence: \(name)")
            return nil
        }
        call.setAuxiliary(order, at: 2)
        return call.auxiliary(at: 2, as: CollationEquivalence.self) ?? order
    }
}

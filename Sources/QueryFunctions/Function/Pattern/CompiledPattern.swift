internal import CICU
internal import SQLCore

/// A regular expression, compiled once per statement if it is constant.
///
/// LiteCore uses ECMAScript's regular expressions, this project ICU's, which differ only in
/// details: `\d`, `\w` and `\s` match beyond ASCII, `$` also matches before a final line break,
/// `[^]` and `[]` are errors, and there are possessive quantifiers and lookbehind.
final class CompiledPattern {
    private let regex: OpaquePointer

    /// Nil if the bytes are not a valid pattern.
    init?(_ pattern: UnsafeRawBufferPointer) {
        guard pattern.count <= Self.longest,
            let regex = pattern.withText({ store_regex_open($0, Int32($1)) })
        else { return nil }
        self.regex = regex
    }

    deinit {
        store_regex_close(regex)
    }

    /// The maximum length of a pattern, in bytes.
    private static let longest = 1 << 16

    /// The pattern of an argument, cached with it. Throws if it is invalid.
    static func of(_ call: FunctionCall, _ index: Int) throws -> CompiledPattern {
        if let cached = call.raw.auxiliary(at: index, as: CompiledPattern.self) { return cached }
        guard let pattern = CompiledPattern(call.raw.text(at: index)) else {
            throw SQLError(code: .error, message: "not a regular expression")
        }
        call.raw.setAuxiliary(pattern, at: index)
        return pattern
    }

    /// Lends the pattern with a text to search.
    func search<T>(
        _ text: UnsafeRawBufferPointer, _ body: (borrowing Search) throws -> T
    ) throws -> T {
        try text.withText { start, count in
            guard store_regex_use(regex, start, Int32(count)) == Self.found else {
                throw Self.failed
            }
            return try body(Search(regex: regex))
        }
    }

    fileprivate static var found: Int32 { Int32(STORE_REGEX_FOUND) }

    fileprivate static var failed: SQLError {
        SQLError(code: .error, message: "the regular expression failed")
    }

    /// A search in one text.
    struct Search: ~Copyable {
        fileprivate let regex: OpaquePointer

        /// The range of the first match at or after an offset; nil if there is none.
        ///
        /// - Throws: if it takes too long: some patterns need exponential time.
        func first(from offset: Int = 0) throws -> Range<Int>? {
            try isFound(store_regex_find(regex, Int32(clamping: offset))) ? group(0) : nil
        }

        /// Whether the whole text matches. Throws like `first(from:)`.
        func matchesWhole() throws -> Bool {
            try isFound(store_regex_match(regex))
        }

        /// The number of groups in the pattern.
        var groupCount: Int { Int(store_regex_group_count(regex)) }

        /// The range of a group in the latest match; nil if the group did not participate.
        func group(_ number: Int) -> Range<Int>? {
            var (start, end): (Int32, Int32) = (-1, -1)
            store_regex_group(regex, Int32(clamping: number), &start, &end)
            return start >= 0 && end >= start ? Int(start)..<Int(end) : nil
        }

        private func isFound(_ outcome: Int32) throws -> Bool {
            switch outcome {
            case Int32(STORE_REGEX_FOUND): return true
            case Int32(STORE_REGEX_NONE): return false
            case Int32(STORE_REGEX_STOPPED):
                throw SQLError(
                    code: .error,
                    message: "the regular expression was stopped: it takes too long or too much "
                        + "memory for this text")
            default: throw CompiledPattern.failed
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Lends the bytes as C characters, even if there are none.
    fileprivate func withText<T>(_ body: (UnsafePointer<CChar>, Int) throws -> T) rethrows -> T {
        guard let start = baseAddress else { return try body("", 0) }
        return try body(start.assumingMemoryBound(to: CChar.self), count)
    }
}

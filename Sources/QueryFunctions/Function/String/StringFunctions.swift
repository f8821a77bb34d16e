internal import SQLCore

/// What is in texts. A missing argument gives missing, one of another type null. Lengths and places
/// count code points.
enum StringFunctions {
    static var table: [NamedFunction] { cases + places + trims }

    private static var cases: [NamedFunction] {
        [
            NamedFunction("N1QL_lower", 1) {
                StringFunctions.text($0, $1, $2) { try LetterCase.write($1, .lower, $0) }
            },
            NamedFunction("N1QL_upper", 1) {
                StringFunctions.text($0, $1, $2) { try LetterCase.write($1, .upper, $0) }
            },
            NamedFunction("initcap", 1) {
                StringFunctions.text($0, $1, $2) { try LetterCase.write($1, .title, $0) }
            },
            NamedFunction("title", 1) {
                StringFunctions.text($0, $1, $2) { try LetterCase.write($1, .title, $0) }
            },
        ]
    }

    private static var places: [NamedFunction] {
        [
            NamedFunction("N1QL_length", 1) {
                StringFunctions.text($0, $1, $2) { $0.set(CodePoints.count(in: $1)) }
            },
            NamedFunction("position", 2) { FunctionCall.run($0, $1, $2, StringFunctions.position) },
            NamedFunction("N1QL_substr", 2, 3) {
                FunctionCall.run($0, $1, $2, StringFunctions.part)
            },
        ]
    }

    private static var trims: [NamedFunction] {
        [
            NamedFunction("N1QL_trim", 1, 2) {
                FunctionCall.run($0, $1, $2) {
                    StringFunctions.trim($0, atStart: true, atEnd: true)
                }
            },
            NamedFunction("N1QL_ltrim", 1, 2) {
                FunctionCall.run($0, $1, $2) {
                    StringFunctions.trim($0, atStart: true, atEnd: false)
                }
            },
            NamedFunction("N1QL_rtrim", 1, 2) {
                FunctionCall.run($0, $1, $2) {
                    StringFunctions.trim($0, atStart: false, atEnd: true)
                }
            },
        ]
    }

    @inline(__always)
    private static func text(
        _ context: OpaquePointer?, _ count: Int32,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
        _ body: (FunctionCall, UnsafeRawBufferPointer) throws -> Void
    ) {
        FunctionCall.run(context, count, arguments) { call in
            guard let text = call[0].text else { return call.setAbsent() }
            try body(call, text)
        }
    }

    /// Where a text begins in another, counted from 0; -1 if nowhere.
    private static func position(_ call: FunctionCall) {
        guard let text = call[0].text, let part = call[1].text else { return call.setAbsent() }
        guard let offset = TextSearch(for: part).offset(in: text, from: 0) else {
            return call.set(-1)
        }
        call.set(CodePoints.count(in: text, before: offset))
    }

    /// From a place on, counted from 0, a negative one from the end; so many code points if there
    /// is a third argument. Null for a place outside.
    private static func part(_ call: FunctionCall) {
        guard !call.hasMissing, let text = call[0].text, var place = call[1].integer else {
            return call.setAbsent()
        }
        var most = Int.max
        if call.count == 3 {
            guard let length = call[2].integer, length >= 0 else { return call.setNull() }
            most = length
        }
        let count = CodePoints.count(in: text)
        if place < 0 { place += count }
        guard place >= 0, place < count else { return call.setNull() }
        let rest = UnsafeRawBufferPointer(
            rebasing: text[CodePoints.offset(of: place, in: text)...])
        let end = CodePoints.offset(of: most, in: rest)
        call.raw.setText(UnsafeRawBufferPointer(rebasing: rest[..<end]))
    }

    /// Without white space at its ends, or without the code points of the second argument.
    private static func trim(_ call: FunctionCall, atStart: Bool, atEnd: Bool) {
        guard !call.hasMissing, let text = call[0].text else { return call.setAbsent() }
        var set = TrimSet.whiteSpace
        if call.count == 2 {
            guard let others = call[1].text else { return call.setNull() }
            set = TrimSet(others)
        }
        call.raw.setText(set.trimmed(text, atStart: atStart, atEnd: atEnd))
    }
}

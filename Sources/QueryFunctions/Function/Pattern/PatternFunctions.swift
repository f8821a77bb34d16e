/// Regular expressions. A pattern that is none is an error of the statement, as is one that takes
/// too long.
enum PatternFunctions {
    static var table: [NamedFunction] {
        [
            NamedFunction("regexp_contains", 2) {
                PatternFunctions.search($0, $1, $2) { $0.set(try $2.first() != nil) }
            },
            NamedFunction("regexp_like", 2) {
                PatternFunctions.search($0, $1, $2) { $0.set(try $2.matchesWhole()) }
            },
            // Counts code points from 0; -1 if there is no match.
            NamedFunction("regexp_position", 2) {
                PatternFunctions.search($0, $1, $2) { call, text, found in
                    guard let match = try found.first() else { return call.set(-1) }
                    call.set(CodePoints.count(in: text, before: match.lowerBound))
                }
            },
            NamedFunction("regexp_replace", 3, 4) {
                FunctionCall.run($0, $1, $2, PatternFunctions.replace)
            },
        ]
    }

    @inline(__always)
    private static func search(
        _ context: OpaquePointer?, _ count: Int32,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
        _ body: (FunctionCall, UnsafeRawBufferPointer, borrowing CompiledPattern.Search) throws ->
            Void
    ) {
        FunctionCall.run(context, count, arguments) { call in
            guard let text = call[0].text, call[1].text != nil else { return call.setAbsent() }
            try CompiledPattern.of(call, 1).search(text) { try body(call, text, $0) }
        }
    }

    /// The fourth argument is how many matches are replaced at most; negative for all.
    private static func replace(_ call: FunctionCall) throws {
        guard !call.hasMissing, let text = call[0].text, call[1].text != nil,
            let template = call[2].text
        else { return call.setAbsent() }
        var left = -1
        if call.count == 4 {
            guard let most = call[3].integer else { return call.setNull() }
            left = most
        }
        try CompiledPattern.of(call, 1).search(text) { search in
            try call.setText { result in
                let replacement = PatternReplacement(text: text, template: template)
                try replacement.write(search, most: left, to: &result)
            }
        }
    }
}

internal import SQLCore

/// `fl_highlight(text, offsets(t), before, after[, column])`: the text of a column, the first one
/// if none is named, with marks around the words that match.
///
/// `offsets` of FTS4 tells where the words stand in the original text, so folded and stemmed words
/// are marked as they are written. Places outside of the text, or within a character, are ignored:
/// the text may be a newer one.
enum HighlightFunction {
    static func register(in context: SQLContext, _ functions: FunctionContext) throws {
        for count in 4...5 {
            try context.registerRawFunction(
                "fl_highlight", argumentCount: count, state: functions
            ) {
                FunctionCall.run($0, $1, $2, HighlightFunction.highlight)
            }
        }
    }

    private static func highlight(_ call: FunctionCall) throws {
        let (functions, call) = (call.functions, call.raw)
        guard !call.isNull(at: 0) else { return call.setNull() }
        let column = call.count > 4 ? call.int64(at: 4) : 0
        let text = call.text(at: 0)
        let words = MatchOffsets(call.text(at: 1)).ranges(column: column, in: text)
        let before = call.text(at: 2)
        let after = call.text(at: 3)
        functions.scratch.removeAll()
        var place = 0
        for word in words {
            functions.scratch.append(
                UnsafeRawBufferPointer(rebasing: text[place..<word.lowerBound]))
            functions.scratch.append(before)
            functions.scratch.append(UnsafeRawBufferPointer(rebasing: text[word]))
            functions.scratch.append(after)
            place = word.upperBound
            try FunctionLimits.requireBytes(functions.scratch.count)
        }
        functions.scratch.append(UnsafeRawBufferPointer(rebasing: text[place...]))
        call.setText(functions.scratch.bytes)
    }
}

internal import FleeceLite
internal import SQLCore

/// Functions that construct strings, and arrays of their parts.
enum StringBuilding {
    static var table: [NamedFunction] {
        [
            NamedFunction("concat") {
                FunctionCall.run($0, $1, $2, StringBuilding.concatenate)
            },
            NamedFunction("repeat") { FunctionCall.run($0, $1, $2, StringBuilding.repeated) },
            NamedFunction("replace") {
                FunctionCall.run($0, $1, $2, StringBuilding.replace)
            },
            NamedFunction("reverse") { FunctionCall.run($0, $1, $2, StringBuilding.reverse) },
            NamedFunction("split") { FunctionCall.run($0, $1, $2, StringBuilding.split) },
            NamedFunction("suffixes") { FunctionCall.run($0, $1, $2, StringBuilding.suffixes) },
        ]
    }

    /// Concatenates strings. Other values are converted as by `tostring`, null to `null`, and
    /// collections to JSON. Missing if one of the arguments is missing.
    private static func concatenate(_ call: FunctionCall) throws {
        if call.hasMissing { return call.setMissing() }
        try call.setText { result in
            for index in 0..<call.count {
                switch call[index] {
                case .text(let text): result.append(text)
                case .integer, .real: result.append(call.raw.text(at: index))
                case let other: try append(other, to: &result)
                }
                try FunctionLimits.requireBytes(result.count)
            }
        }
    }

    private static func append(_ value: FunctionValue, to result: inout ScratchBytes) throws {
        var json = JSONText()
        try json.append(value)
        json.utf8.withUnsafeBytes { result.append($0) }
    }

    private static func repeated(_ call: FunctionCall) throws {
        guard !call.hasMissing, let text = call[0].text, let count = call[1].integer, count >= 0
        else { return call.setAbsent() }
        let (size, isTooLarge) = text.count.multipliedReportingOverflow(by: count)
        try FunctionLimits.requireBytes(isTooLarge ? .max : size)
        try call.setText { result in
            for _ in 0..<(text.isEmpty ? 0 : count) { result.append(text) }
        }
    }

    /// The fourth argument limits the number of replacements; a negative number means all. An empty
    /// string is never found.
    private static func replace(_ call: FunctionCall) throws {
        guard !call.hasMissing, let text = call[0].text, let old = call[1].text,
            let new = call[2].text
        else { return call.setAbsent() }
        var left = -1
        if call.count == 4 {
            guard let most = call[3].integer else { return call.setNull() }
            left = most
        }
        guard !old.isEmpty else { return call.raw.setText(text) }
        let search = TextSearch(for: old)
        try call.setText { result in
            var copied = 0
            while left != 0, let position = search.offset(in: text, from: copied) {
                result.append(UnsafeRawBufferPointer(rebasing: text[copied..<position]))
                result.append(new)
                copied = position + old.count
                left -= left > 0 ? 1 : 0
                try FunctionLimits.requireBytes(result.count)
            }
            result.append(UnsafeRawBufferPointer(rebasing: text[copied...]))
        }
    }

    /// By code points: a combining accent moves to the preceding letter.
    private static func reverse(_ call: FunctionCall) throws {
        guard let text = call[0].text else { return call.setAbsent() }
        try call.setText { result in
            var end = text.count
            while end > 0 {
                var start = end - 1
                while start > 0, !CodePoints.begins(text[start]) { start -= 1 }
                result.append(UnsafeRawBufferPointer(rebasing: text[start..<end]))
                end = start
            }
        }
    }

    /// Splits at white space, or at each occurrence of the second argument; an empty separator
    /// splits nothing.
    private static func split(_ call: FunctionCall) throws {
        guard !call.hasMissing, let text = call[0].text else { return call.setAbsent() }
        guard call.count == 2 else { return try call.set(words(of: text)) }
        guard let separator = call[1].text else { return call.setNull() }
        var (parts, start): ([FunctionValue], Int) = ([], 0)
        let search = TextSearch(for: separator)
        while !separator.isEmpty, let position = search.offset(in: text, from: start) {
            parts.append(.text(UnsafeRawBufferPointer(rebasing: text[start..<position])))
            start = position + separator.count
            try FunctionLimits.requireElements(parts.count)
        }
        parts.append(.text(UnsafeRawBufferPointer(rebasing: text[start...])))
        try call.set(parts)
    }

    private static func words(of text: UnsafeRawBufferPointer) throws -> [FunctionValue] {
        var parts: [FunctionValue] = []
        var start: Int?
        var index = 0
        while index < text.count {
            let next = min(CodePoints.next(in: text, after: index), text.count)
            let letter = UnsafeRawBufferPointer(rebasing: text[index..<next])
            if TrimSet.whiteSpace.trimmed(letter, atStart: true, atEnd: false).isEmpty {
                if let begin = start {
                    parts.append(.text(UnsafeRawBufferPointer(rebasing: text[begin..<index])))
                    try FunctionLimits.requireElements(parts.count)
                }
                start = nil
            } else if start == nil {
                start = index
            }
            index = next
        }
        if let start { parts.append(.text(UnsafeRawBufferPointer(rebasing: text[start...]))) }
        return parts
    }

    /// The string, and its suffixes without the first code point, the first two, ….
    private static func suffixes(_ call: FunctionCall) throws {
        guard let text = call[0].text else { return call.setAbsent() }
        try FunctionLimits.requireBytes(
            text.count.multipliedReportingOverflow(by: text.count / 2 + 1).overflow
                ? .max : text.count * (text.count / 2 + 1))
        var (parts, start): ([FunctionValue], Int) = ([], 0)
        while start < text.count {
            parts.append(.text(UnsafeRawBufferPointer(rebasing: text[start...])))
            start = CodePoints.next(in: text, after: start)
        }
        try call.set(parts)
    }
}

/// A search for a string in linear time (Knuth, Morris and Pratt).
struct TextSearch {
    private let part: UnsafeRawBufferPointer
    /// For each prefix, the length of its longest border; not used for short strings.
    private let fallback: [Int32]

    init(for part: UnsafeRawBufferPointer) {
        self.part = part
        guard part.count > 1 else {
            fallback = []
            return
        }
        var table = [Int32](repeating: 0, count: part.count)
        var length = 0
        for index in 1..<part.count {
            while length > 0, part[index] != part[length] { length = Int(table[length - 1]) }
            if part[index] == part[length] { length += 1 }
            table[index] = Int32(truncatingIfNeeded: length)
        }
        fallback = table
    }

    /// The offset of the first occurrence at or after an offset; nil if there is none. The empty
    /// string occurs everywhere.
    func offset(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard !part.isEmpty else { return start <= text.count ? start : nil }
        guard part.count <= text.count - start else { return nil }
        var matched = 0
        for index in start..<text.count {
            while matched > 0, text[index] != part[matched] {
                matched = Int(fallback[matched - 1])
            }
            if text[index] == part[matched] { matched += 1 }
            if matched == part.count { return index + 1 - matched }
        }
        return nil
    }
}

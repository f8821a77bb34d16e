internal import FleeceLite

/// `tokens`: the words of all strings in a value, and its other scalars, each once, in the order of
/// their first occurrence.
enum TokenFunctions {
    static var table: [NamedFunction] {
        [NamedFunction("tokens") { FunctionCall.run($0, $1, $2, TokenFunctions.tokens) }]
    }

    /// The options in the second argument.
    private struct Options {
        /// Property names are tokens too.
        var names = true
        /// Strings are split into words.
        var splits = true
        var form: LetterCase?

        init(_ object: UnsafeFleeceDictionary?) {
            guard let object else { return }
            names = object["names"]?.bool ?? true
            splits = object["split"]?.bool ?? true
            switch object["case"]?.string {
            case "lower": form = .lower
            case "upper": form = .upper
            default: form = nil
            }
        }
    }

    private static func tokens(_ call: FunctionCall) throws {
        guard !call.hasMissing, call[0].isValued else { return call.setAbsent() }
        if call.count == 2, call[1].object == nil { return call.setNull() }
        var collector = Collector(options: Options(call.count == 2 ? call[1].object : nil))
        try collector.collect(call[0])
        let (scalars, words) = (collector.scalars, collector.words)
        try call.setArray { encoder in
            for word in words { encoder.writeString(word) }
            for scalar in scalars { try encoder.writeBounded(scalar) }
        }
    }

    /// A non-recursive traversal of a value.
    private struct Collector {
        let options: Options
        var words: [String] = []
        var scalars: [FunctionValue] = []
        private var seen: Set<String> = []
        private var steps = 0

        init(options: Options) {
            self.options = options
        }

        mutating func collect(_ value: FunctionValue) throws {
            var open = [value]
            while let value = open.popLast() {
                steps += 1
                try FunctionLimits.requireElements(steps)
                switch value {
                case .missing, .null, .data: continue
                case .text(let text): try add(text)
                case .collection(let collection):
                    if let object = collection.dictionary {
                        let properties = object.properties
                        if options.names { for (name, _) in properties { try add(name) } }
                        open.append(contentsOf: properties.reversed().map(\.value))
                    } else {
                        open.append(contentsOf: collection.elements.reversed())
                    }
                    try FunctionLimits.requireElements(open.count + steps)
                default:
                    if !scalars.contains(where: { FunctionValue.equal($0, value) }) {
                        scalars.append(value)
                        // They are compared one by one.
                        try FunctionLimits.requireElements(scalars.count * scalars.count / 16)
                    }
                }
            }
        }

        /// Adds the words of a string, which are its runs of letters and digits.
        private mutating func add(_ text: UnsafeRawBufferPointer) throws {
            var text = String(decoding: text, as: UTF8.self)
            switch options.form {
            case .lower: text = text.lowercased()
            case .upper: text = text.uppercased()
            default: break
            }
            guard options.splits else { return try insert(text) }
            let words = text.unicodeScalars.split {
                !$0.properties.isAlphabetic && $0.properties.numericType == nil
                    && $0.properties.generalCategory != .nonspacingMark
            }
            for word in words { try insert(String(word)) }
        }

        private mutating func insert(_ word: String) throws {
            guard !word.isEmpty, seen.insert(word).inserted else { return }
            words.append(word)
            try FunctionLimits.requireElements(words.count)
        }
    }
}

/// Case conversion by Unicode's full mapping: `ß` becomes `SS` in upper case.
enum LetterCase {
    case lower, upper
    /// Each word begins with an upper-case letter, and the rest of it is lower case.
    case title

    /// Sets the result of a call to a converted string.
    static func write(
        _ text: UnsafeRawBufferPointer, _ form: LetterCase, _ call: FunctionCall
    ) throws {
        // A code point may become three, each as long as it.
        try call.setText { result in
            guard form == .title || !writeASCII(text, form, &result) else { return }
            result.removeAll()
            var isInWord = false
            for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
                append(form.mapped(scalar, isInWord: isInWord), &result)
                let properties = scalar.properties
                isInWord =
                    properties.isAlphabetic || properties.numericType != nil
                    || isInWord && (scalar == "'" || properties.isCaseIgnorable)
                try FunctionLimits.requireBytes(result.count)
            }
        }
    }

    /// False if a byte is not ASCII.
    private static func writeASCII(
        _ text: UnsafeRawBufferPointer, _ form: LetterCase, _ result: inout ScratchBytes
    ) -> Bool {
        let first = form == .lower ? UInt8(ascii: "A") : UInt8(ascii: "a")
        for byte in text {
            guard byte < 0x80 else { return false }
            result.append(byte &- first < 26 ? byte ^ 0x20 : byte)
        }
        return true
    }

    private func mapped(_ scalar: Unicode.Scalar, isInWord: Bool) -> String {
        switch self {
        case .lower: scalar.properties.lowercaseMapping
        case .upper: scalar.properties.uppercaseMapping
        case .title:
            isInWord ? scalar.properties.lowercaseMapping : scalar.properties.titlecaseMapping
        }
    }

    private static func append(_ text: String, _ result: inout ScratchBytes) {
        for byte in text.utf8 { result.append(byte) }
    }
}

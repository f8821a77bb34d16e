internal import Synchronization

/// Keys that were typed into a command line. Nothing that is said of the line may repeat them, so
/// they are taken out before anything looks at it, and a mark is put in their place.
package enum HiddenKeys {
    /// The options whose values are keys.
    static let options = ["--key", "--new-key"]

    /// Whether an option has a key as its value, or somebody meant it to: `--new-k` is not an option,
    /// but what follows it is a key.
    package static func isOption(_ word: String) -> Bool {
        let isLong = word.utf8.count > 3 || word == "--k"
        return isLong && options.contains { $0.utf8.starts(with: word.utf8) }
    }

    /// Behind how many bytes of a word a key begins: behind an option and `=`, or behind what is no
    /// `=` though somebody meant it, as in `--key:secret`; nil if there is none.
    package static func offset(in word: String) -> Int? {
        // By bytes: a key may begin with a mark that belongs to the sign before it.
        let bytes = word.utf8
        if let end = bytes.firstIndex(of: UInt8(ascii: "=")),
            isOption(String(decoding: bytes[..<end], as: UTF8.self))
        {
            return bytes.distance(from: bytes.startIndex, to: end) + 1
        }
        let option = options.first { option in
            guard bytes.starts(with: option.utf8) else { return false }
            return bytes.dropFirst(option.utf8.count).first.map(endsName) ?? false
        }
        return option?.utf8.count
    }

    /// Whether the name of an option cannot go on with a byte. What stands behind `=` is no name.
    private static func endsName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "="):
            false
        default: true
        }
    }

    /// Whether it is what the scripts of `completions` ask: behind the first `--` stand the
    /// option's or argument's name, two numbers, and the words of a line.
    package static func isCompletion(_ arguments: [String]) -> Bool {
        arguments.first == "---completion"
    }

    /// Where a key stands: in which argument, and behind how many bytes of that.
    package struct Place: Equatable {
        package var argument: Int
        package var offset: Int
    }

    /// The places of all keys. What follows such an option is one, whatever it looks like.
    package static func places(in arguments: [String]) -> [Place] {
        let isCompletion = isCompletion(arguments)
        var places: [Place] = []
        var index = 0
        if isCompletion, let end = arguments.firstIndex(of: "--") { index = end + 2 }
        while index < arguments.count, arguments[index] != "--" {
            if let offset = offset(in: arguments[index]) {
                places.append(Place(argument: index, offset: offset))
            } else if isOption(arguments[index]), index + 1 < arguments.count {
                index += 1
                // To bash, `=` is a word of its own.
                if isCompletion, arguments[index] == "=", index + 1 < arguments.count { index += 1 }
                places.append(Place(argument: index, offset: 0))
            }
            index += 1
        }
        return places
    }

    /// The same arguments, in which each key is a mark behind its option and `=`. Those of a
    /// completion stay as they are: their words are counted, and no message repeats them.
    package static func hidden(_ arguments: [String]) -> [String] {
        guard !isCompletion(arguments) else { return arguments }
        var hidden = arguments
        for place in places(in: arguments).reversed() {
            let bytes = arguments[place.argument].utf8
            let key = String(decoding: bytes.dropFirst(place.offset), as: UTF8.self)
            let mark = kept(key).mark
            if place.offset > 0 {
                let option = String(decoding: bytes.prefix(place.offset), as: UTF8.self)
                hidden[place.argument] = option + mark
            } else {
                hidden[place.argument - 1] += "=" + mark
                hidden.remove(at: place.argument)
            }
        }
        return hidden
    }

    /// A word of such arguments as a message repeats it: `--key=KEY`.
    package static func named(_ word: String) -> String {
        guard let offset = offset(in: word), HiddenKey(mark: String(word.dropFirst(offset))) != nil
        else { return word }
        return word.prefix(offset) + "KEY"
    }

    /// Whether a key was taken out of arguments.
    package static func areIn(_ hidden: [String]) -> Bool { !places(in: hidden).isEmpty }

    /// Keeps a key that was typed.
    package static func kept(_ text: String) -> HiddenKey {
        HiddenKey(number: TypedKeys.current.add(text))
    }

    /// The text that a mark with this number stands for; nil for one that was never made.
    fileprivate static func text(_ number: Int) -> String? { TypedKeys.current.text(number) }
}

/// A key that was typed, as the parser of arguments sees it.
package struct HiddenKey: Hashable, Sendable {
    /// 1 is the first one.
    let number: Int

    init(number: Int) { self.number = number }

    /// Reads a mark; nil for anything else.
    package init?(mark: String) {
        guard mark.hasPrefix("(key "), mark.hasSuffix(")"),
            let number = Int(mark.dropFirst(5).dropLast())
        else { return nil }
        self.number = number
    }

    /// What stands in the key's place.
    var mark: String { "(key \(number))" }

    /// The key; empty for a mark that was never made.
    var text: String { HiddenKeys.text(number) ?? "" }
}

/// The keys that were typed into command lines, which a mark with their number stands for.
package final class TypedKeys: ContextValue {
    private let texts = Mutex<[String]>([])

    package init() {}

    /// Adds a key; returns its number, 1 for the first.
    func add(_ text: String) -> Int {
        texts.withLock { texts in
            texts.append(text)
            return texts.count
        }
    }

    /// The key of a number; nil if there is none.
    func text(_ number: Int) -> String? {
        texts.withLock { $0.indices.contains(number - 1) ? $0[number - 1] : nil }
    }
}

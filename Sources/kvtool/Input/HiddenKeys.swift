internal import Synchronization

/// Keys that were typed into a command line. Nothing that is said of the line may repeat them, so
/// they are taken out before anything looks at it, and a mark is put in their place.
enum HiddenKeys {
    /// The options whose values are keys.
    static let options = ["--key", "--new-key"]

    /// Whether an option has a key as its value, or somebody meant it to: `--new-k` is no option,
    /// but what follows it is a key.
    static func isOption(_ word: String) -> Bool {
        word.utf8.count > 3 && options.contains { $0.utf8.starts(with: word.utf8) }
    }

    /// Where a key stands: in which argument, and behind how many bytes of that.
    struct Place: Equatable {
        var argument: Int
        var offset: Int
    }

    private static let texts = Mutex<[String]>([])

    /// The places of all keys. What follows such an option is one, whatever it looks like.
    static func places(in arguments: [String]) -> [Place] {
        var places: [Place] = []
        var index = 0
        while index < arguments.count, arguments[index] != "--" {
            // By bytes: a key may begin with a mark that belongs to the sign before it.
            let bytes = arguments[index].utf8
            let end = bytes.firstIndex(of: UInt8(ascii: "=")) ?? bytes.endIndex
            let takesKey = isOption(String(decoding: bytes[..<end], as: UTF8.self))
            if takesKey, end < bytes.endIndex {
                let offset = bytes.distance(from: bytes.startIndex, to: end) + 1
                places.append(Place(argument: index, offset: offset))
            } else if takesKey, index + 1 < arguments.count {
                index += 1
                places.append(Place(argument: index, offset: 0))
            }
            index += 1
        }
        return places
    }

    /// The same arguments, in which each key is a mark behind its option and `=`.
    static func hidden(_ arguments: [String]) -> [String] {
        var hidden = arguments
        for place in places(in: arguments).reversed() {
            let bytes = arguments[place.argument].utf8
            let key = String(decoding: bytes.dropFirst(place.offset), as: UTF8.self)
            let mark = HiddenKey(number: keep(key)).mark
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

    /// Whether a key was taken out of arguments.
    static func areIn(_ hidden: [String]) -> Bool { !places(in: hidden).isEmpty }

    private static func keep(_ text: String) -> Int {
        texts.withLock { texts in
            texts.append(text)
            return texts.count
        }
    }

    /// The text that a mark with this number stands for; nil for one that was never made.
    fileprivate static func text(_ number: Int) -> String? {
        texts.withLock { $0.indices.contains(number - 1) ? $0[number - 1] : nil }
    }
}

/// A key that was typed, as the parser of arguments sees it.
struct HiddenKey: Hashable, Sendable {
    /// 1 is the first one.
    let number: Int

    init(number: Int) { self.number = number }

    /// Reads a mark; nil for anything else.
    init?(mark: String) {
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

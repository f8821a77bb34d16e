internal import StorePlatform

/// What all decoders of one value have in common.
final class DecodingSource {
    /// Keeps the bytes.
    let document: FleeceDocument
    /// What types can ask for; most ask for nothing.
    var userInfo: [CodingUserInfoKey: Any] { form.userInfo }
    let scalars = ScalarTypes.all
    /// Where properties were found in other values; `form` keeps it.
    let hints: InlineKeyCache
    private let form: FleeceRowDecoder
    private let maximumBytes: Int
    private var spent = 0
    private var calls = 0
    private var stack = StackUse()

    init(_ document: FleeceDocument, _ form: FleeceRowDecoder) {
        self.document = document
        self.form = form
        hints = form.hints.keys
        maximumBytes =
            form.maximumBytes ?? max(Self.leastMaximum, 128 * document.bytes.count)
    }

    /// What may be read of any document.
    private static let leastMaximum = 1 << 26
    /// What the container of an array or dictionary counts, which costs more than an element.
    private static let container = 512

    /// Throws if more than allowed was to be read.
    func requireNotExhausted(_ type: Any.Type) throws {
        guard spent > maximumBytes else { return }
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: [], debugDescription: "over \(maximumBytes) bytes to decode"))
    }

    /// Counts bytes that are about to be copied.
    @inline(__always)
    func spend(_ bytes: Int, on value: RawValue) throws(ReadFailure) {
        spent &+= bytes
        if spent > maximumBytes { throw .invalid("over \(maximumBytes) bytes to decode", value) }
    }

    /// Counts the elements of an array or the pairs of a dictionary that is about to be read.
    @inline(__always)
    func spend(slots: Int, on value: RawValue) throws(ReadFailure) {
        try spend(slots &* 8 &+ Self.container, on: value)
    }

    /// Begins the decoding of a value inside another; false if that is too deep.
    @inline(__always)
    func beginValue() -> Bool {
        guard calls < StackUse.calls, stack.isBearable else { return false }
        calls &+= 1
        return true
    }

    @inline(__always)
    func endValue() { calls &-= 1 }
}

extension ReadFailure {
    /// The error that says so, where `path` leads to the value.
    func decodingError(_ type: Any.Type, path: [any CodingKey]) -> DecodingError {
        let path = path + (element.map { [PositionKey($0.index)] } ?? [])
        let type = element?.type ?? type
        func context(_ message: String) -> DecodingError.Context {
            DecodingError.Context(codingPath: path, debugDescription: message)
        }
        switch reason {
        case .null:
            return .valueNotFound(type, context("\(type) expected, but found \(found.kindName)"))
        case .mismatch where found.isCorrupt:
            return .dataCorrupted(context("corrupt bytes"))
        case .mismatch:
            return .typeMismatch(type, context("\(type) expected, but found \(found.kindName)"))
        case .invalid(let message):
            return .dataCorrupted(context(message))
        }
    }
}

/// How much of the thread's stack has been used since a value's coding began.
///
/// Types that contain themselves are coded by calls inside calls, and how much stack their own
/// code takes is not known beforehand.
struct StackUse {
    /// Values inside values, also those that stand for one another: an array of optional values has
    /// two on each of its levels.
    static let calls = 4 * FleeceLimits.walkDepth
    /// Bytes: what threads have, less what their own code takes; in debug builds a level may take
    /// more than 4 KiB.
    static let limit = ThreadStack.usableBytes

    private let start: UInt

    init() {
        start = Self.address()
    }

    @inline(never)
    private static func address() -> UInt {
        var local: UInt8 = 0
        return withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
    }

    /// Whether there is stack left to go on.
    @inline(__always)
    var isBearable: Bool {
        let now = Self.address()
        return (now > start ? now &- start : start &- now) < Self.limit
    }
}

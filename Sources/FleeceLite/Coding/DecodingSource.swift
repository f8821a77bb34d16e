internal import StorePlatform

/// The state that all decoders of one value share.
final class DecodingSource {
    /// Retains the bytes.
    let document: FleeceDocument
    /// The values that a type can read from its decoder; most types read none.
    var userInfo: [CodingUserInfoKey: Any] { form.userInfo }
    let scalars = ScalarTypes.all
    /// The cache of key positions; `form` retains its memory.
    let keyCache: InlineKeyCache
    private let form: FleeceRowDecoder
    private let maximumBytes: Int
    private var spent = 0
    private var calls = 0
    private var stack = StackUse()

    init(_ document: FleeceDocument, _ form: FleeceRowDecoder) {
        self.document = document
        self.form = form
        keyCache = form.cachedKeys.keys
        maximumBytes =
            form.maximumBytes ?? max(Self.leastMaximum, 128 * document.bytes.count)
    }

    /// The lower limit of `maximumBytes`: what may be read from any document.
    private static let leastMaximum = 1 << 26
    /// What the container of an array or dictionary costs, which is more than an element.
    private static let container = 512

    /// Throws if more bytes were read than allowed.
    func requireNotExhausted(_ type: Any.Type) throws {
        guard spent > maximumBytes else { return }
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: [], debugDescription: "over \(maximumBytes) bytes to decode"))
    }

    /// Charges bytes that are about to be copied.
    @inline(__always)
    func spend(_ bytes: Int, on value: RawValue) throws(ReadFailure) {
        spent &+= bytes
        if spent > maximumBytes { throw .invalid("over \(maximumBytes) bytes to decode", value) }
    }

    /// Charges the elements of an array or the pairs of a dictionary that is about to be read.
    @inline(__always)
    func spend(slots: Int, on value: RawValue) throws(ReadFailure) {
        try spend(slots &* 8 &+ Self.container, on: value)
    }

    /// Begins the decoding of a nested value; returns false if it is nested too deep.
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
    /// The `DecodingError` for this failure; `path` leads to the value.
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

/// The amount of the thread's stack that has been used since the coding of a value began.
///
/// Recursive types are coded by recursive calls, and the stack use of their own code
/// is not known in advance.
struct StackUse {
    /// The maximum depth of nested calls, one for each value including single-value containers: an
    /// array of optional values has two on each of its levels.
    static let calls = 4 * FleeceLimits.walkDepth
    /// In bytes: the usable stack of a thread, less what its own code takes; in debug builds a
    /// level may take more than 4 KiB.
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

    /// Whether enough stack is left for another level.
    @inline(__always)
    var isBearable: Bool {
        let now = Self.address()
        return (now > start ? now &- start : start &- now) < Self.limit
    }
}

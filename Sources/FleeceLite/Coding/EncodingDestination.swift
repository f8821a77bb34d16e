/// Where a container writes: a level of a stream.
///
/// Three words, so that a container fits in an existential without an allocation.
struct EncodingDestination {
    let stream: EncodingStream
    /// Shows that the level is in use, if no `encode(to:)` that runs does.
    private let holder: EncodingHolder?
    private let depth: Int32
    /// `EncodingStream.noSerial` for a place that is none, after a failure.
    private let serial: UInt32

    init(_ stream: EncodingStream, depth: Int, serial: UInt32, holder: EncodingHolder?) {
        self.stream = stream
        self.holder = holder
        self.depth = Int32(truncatingIfNeeded: depth)
        self.serial = serial
    }

    /// Whether the level is the innermost one of `stream`.
    @inline(__always)
    var isOpen: Bool { stream.openSerial == serial }

    /// The stream whose innermost level this is, or continues this.
    func open() throws -> EncodingStream {
        isOpen ? stream : try stream.reopened(depth: Int(depth), serial: serial)
    }

    /// The stream, with this level the innermost and about to become one scalar.
    func openSingle() throws -> EncodingStream {
        let stream = try open()
        guard stream.levels[stream.top].form == .empty else {
            throw stream.fail(
                EncodingError.invalidValue((), stream.context("a second value in one place")))
        }
        stream.begin(.single)
        return stream
    }

    /// The same place with the level as a collection; a dead one after a failure.
    func opened(_ form: EncodingLevel.Form) -> EncodingDestination {
        let depth = Int(depth)
        guard depth >= 0, depth <= stream.top, stream.levels[depth].serial == serial else {
            return self
        }
        let present = stream.levels[depth].form
        if present == .empty, depth == stream.top {
            stream.begin(form)
        } else if present != form {
            stream.fail(
                EncodingError.invalidValue(
                    (),
                    EncodingError.Context(
                        codingPath: stream.path(to: depth),
                        debugDescription: "two containers of different kinds for one value")))
        }
        return self
    }

    /// A place inside this one for a value that need not be written at once.
    func nested(_ key: some CodingKey, isKeyed: Bool) -> EncodingDestination {
        nested(key, isKeyed: isKeyed) { _, _, _ in EncodingHolder() }.place
    }

    /// An encoder for a value inside this place.
    func nestedEncoder(_ key: some CodingKey, isKeyed: Bool) -> any Encoder {
        let (place, holder) = nested(key, isKeyed: isKeyed) { stream, depth, serial in
            NestedEncoder(stream, depth: depth, serial: serial)
        }
        return holder ?? NestedEncoder(place.stream, depth: -1, serial: EncodingStream.noSerial)
    }

    private func nested<Holder: EncodingHolder>(
        _ key: some CodingKey, isKeyed: Bool,
        _ makeHolder: (EncodingStream, Int, UInt32) -> Holder
    ) -> (place: EncodingDestination, holder: Holder?) {
        do {
            let stream = try open()
            do {
                if isKeyed { try stream.writeKey(key) } else { stream.countElement() }
                let (depth, serial) = stream.next
                let holder = makeHolder(stream, depth, serial)
                try stream.push(key: key, holder: holder)
                return (EncodingDestination(stream, depth: depth, serial: serial, holder: holder), holder)
            } catch {
                throw stream.fail(error)
            }
        } catch {
            stream.fail(error)
            return (
                EncodingDestination(stream, depth: -1, serial: EncodingStream.noSerial, holder: nil), nil
            )
        }
    }

    var codingPath: [any CodingKey] { stream.path(to: Int(depth)) }

    /// The elements of an array so far.
    var count: Int {
        let depth = Int(depth)
        guard depth >= 0, depth <= stream.top, stream.levels[depth].serial == serial else {
            return 0
        }
        let level = stream.levels[depth]
        guard let diversion = level.diversions.last, diversion.top >= 0 else { return level.count }
        return diversion.levels[0].count
    }
}

/// The encoder of a value inside another that is written when its owner likes: a superclass's.
final class NestedEncoder: EncodingHolder, Encoder {
    private let stream: EncodingStream
    private let depth: Int
    private let serial: UInt32

    init(_ stream: EncodingStream, depth: Int, serial: UInt32) {
        self.stream = stream
        self.depth = depth
        self.serial = serial
    }

    private var place: EncodingDestination {
        EncodingDestination(stream, depth: depth, serial: serial, holder: self)
    }

    var codingPath: [any CodingKey] { stream.path(to: depth) }

    var userInfo: [CodingUserInfoKey: Any] { stream.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedEncoding<Key>(place: place.opened(.keyed)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedEncoding(place: place.opened(.unkeyed))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleValueEncoding(place: place)
    }
}

/// A value that is being encoded: one for each value around the place where the encoder is.
struct EncodingLevel {
    /// What has been asked of the value's encoder.
    enum Form {
        /// Nothing yet.
        case empty
        case keyed, unkeyed
        /// It is a scalar, or stands for the level above it.
        case single
    }

    /// Tells it from values that were at the same depth before.
    let serial: UInt32
    /// The key in the value around it; nil for the outermost, and for one that another stands for.
    let key: (any CodingKey)?
    /// Who may still write to a nested container; nil for a value whose `encode(to:)` runs.
    var holder: EncodingHolder?
    var form = Form.empty
    /// Collections around it and itself.
    var collections: Int
    /// Elements of an array so far.
    var count = 0
    /// What was written to it while a container inside it was in use, in order.
    var diversions: [EncodingStream] = []
}

/// What the users of a nested container have in common; when it has but one owner left, which is
/// the level, there are none.
class EncodingHolder {}

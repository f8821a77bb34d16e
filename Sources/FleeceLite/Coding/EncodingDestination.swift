/// The destination of a container: a level of an encoding stream.
///
/// Three words, so that a container fits in an existential without an allocation.
struct EncodingDestination {
    let stream: EncodingStream
    /// Marks the level as in use; nil while an `encode(to:)` of the level is running.
    private let holder: EncodingHolder?
    private let depth: Int32
    /// `EncodingStream.noSerial` for an invalid destination, after a failure.
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

    /// The stream whose innermost level is this one, or continues it.
    func open() throws -> EncodingStream {
        isOpen ? stream : try stream.reopened(depth: Int(depth), serial: serial)
    }

    /// The stream, with this level as the innermost one, which is about to become a scalar.
    func openSingle() throws -> EncodingStream {
        let stream = try open()
        guard stream.levels[stream.top].form == .empty else {
            throw stream.fail(
                EncodingError.invalidValue(
                    (), stream.context("a second value in a single-value container")))
        }
        stream.begin(.single)
        return stream
    }

    /// The same destination with the level as a collection; an invalid one after a failure.
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

    /// A destination for a nested value that may be written later.
    func nested(_ key: some CodingKey, isKeyed: Bool) -> EncodingDestination {
        nested(key, isKeyed: isKeyed) { _, _, _ in EncodingHolder() }.destination
    }

    /// An encoder for a nested value.
    func nestedEncoder(_ key: some CodingKey, isKeyed: Bool) -> any Encoder {
        let (destination, holder) = nested(key, isKeyed: isKeyed) { stream, depth, serial in
            NestedEncoder(stream, depth: depth, serial: serial)
        }
        return holder
            ?? NestedEncoder(
                destination.stream, depth: -1, serial: EncodingStream.noSerial)
    }

    private func nested<Holder: EncodingHolder>(
        _ key: some CodingKey, isKeyed: Bool,
        _ makeHolder: (EncodingStream, Int, UInt32) -> Holder
    ) -> (destination: EncodingDestination, holder: Holder?) {
        do {
            let stream = try open()
            do {
                if isKeyed { try stream.writeKey(key) } else { stream.countElement() }
                let (depth, serial) = stream.next
                let holder = makeHolder(stream, depth, serial)
                try stream.push(key: key, holder: holder)
                return (
                    EncodingDestination(stream, depth: depth, serial: serial, holder: holder),
                    holder
                )
            } catch {
                throw stream.fail(error)
            }
        } catch {
            stream.fail(error)
            let serial = EncodingStream.noSerial
            return (EncodingDestination(stream, depth: -1, serial: serial, holder: nil), nil)
        }
    }

    var codingPath: [any CodingKey] { stream.path(to: Int(depth)) }

    /// The number of array elements written so far.
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

/// The encoder of a nested value that is written at any later time: a superclass's encoder.
final class NestedEncoder: EncodingHolder, Encoder {
    private let stream: EncodingStream
    private let depth: Int
    private let serial: UInt32

    init(_ stream: EncodingStream, depth: Int, serial: UInt32) {
        self.stream = stream
        self.depth = depth
        self.serial = serial
    }

    private var destination: EncodingDestination {
        EncodingDestination(stream, depth: depth, serial: serial, holder: self)
    }

    var codingPath: [any CodingKey] { stream.path(to: depth) }

    var userInfo: [CodingUserInfoKey: Any] { stream.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedEncoding<Key>(destination: destination.opened(.keyed)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedEncoding(destination: destination.opened(.unkeyed))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleValueEncoding(destination: destination)
    }
}

/// A value that is being encoded; there is one level for each enclosing value.
struct EncodingLevel {
    /// The kind of container that was requested from the value's encoder.
    enum Form {
        /// Nothing yet.
        case empty
        case keyed, unkeyed
        /// The value is a scalar, or is encoded through the level above it.
        case single
    }

    /// Distinguishes the level from earlier values at the same depth.
    let serial: UInt32
    /// The key in the enclosing value; nil for the root, and for a value
    /// encoded through another one.
    let key: (any CodingKey)?
    /// The owners of a nested container; nil for a value whose `encode(to:)` is running.
    var holder: EncodingHolder?
    var form = Form.empty
    /// The number of collections that enclose the level, including itself.
    var collections: Int
    /// The number of array elements written so far.
    var count = 0
    /// What was written to the level while a nested container was in use, in order.
    var diversions: [EncodingStream] = []
}

/// Shared by all users of a nested container. When the level is its only owner, the container is no
/// longer in use.
class EncodingHolder {}

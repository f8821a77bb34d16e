/// Encodes values: writes them to a Fleece encoder in the order in which they arrive.
///
/// It holds a level for each value that is not yet complete. Containers refer to a level by its
/// depth and serial number, so that the use of a container after its value has ended is detected.
final class EncodingStream: Encoder {
    /// A serial number that neither a level nor `openSerial` ever has.
    static let noSerial = UInt32.max

    /// Valid while there are levels.
    let output: UnsafeMutablePointer<FleeceEncoder>
    let form: FleeceRowEncoder
    let scalars = ScalarTypes.all
    /// The levels, the innermost last.
    private(set) var levels: UnsafeMutablePointer<EncodingLevel>
    /// The index of the innermost level; -1 if there are no levels.
    private(set) var top = -1
    /// The serial number of the innermost level; 0 if it must not be written to.
    private(set) var openSerial: UInt32 = 0
    /// The first error; every later operation fails as well.
    private(set) var failure: (any Error)?
    /// The index of the level whose `encode(to:)` is running.
    private var current = 0
    // Small enough for malloc's fast path.
    private var capacity = 8
    private var serials: UInt32 = 0
    private var stack = StackUse()
    /// The coding path of the outermost level.
    private let prefix: [any CodingKey]
    private let ownsOutput: Bool

    init(output: UnsafeMutablePointer<FleeceEncoder>, form: FleeceRowEncoder) {
        self.output = output
        self.form = form
        prefix = []
        ownsOutput = false
        levels = .allocate(capacity: capacity)
    }

    /// A stream that continues a level of another stream.
    private init(continuing stream: EncodingStream, depth: Int) {
        output = .allocate(capacity: 1)
        output.initialize(to: FleeceEncoder())
        form = stream.form
        prefix = stream.path(to: depth)
        ownsOutput = true
        levels = .allocate(capacity: capacity)
        let level = stream.levels[depth]
        append(key: nil, holder: nil, collections: level.collections - 1)
        begin(level.form)
        levels[0].count = level.diversions.last?.levels[0].count ?? level.count
    }

    deinit {
        removeAll()
        levels.deallocate()
        if ownsOutput {
            output.deinitialize(count: 1)
            output.deallocate()
        }
    }
}

extension EncodingStream {
    var codingPath: [any CodingKey] { path(to: current) }

    var userInfo: [CodingUserInfoKey: Any] { form.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedEncoding<Key>(destination: currentDestination.opened(.keyed)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedEncoding(destination: currentDestination.opened(.unkeyed))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleValueEncoding(destination: currentDestination)
    }

    private var currentDestination: EncodingDestination {
        EncodingDestination(
            self, depth: current, serial: current <= top ? levels[current].serial : Self.noSerial,
            holder: nil)
    }

    func path(to depth: Int) -> [any CodingKey] {
        guard depth <= top, depth >= 0 else { return prefix }
        return prefix + (0...depth).compactMap { levels[$0].key }
    }
}

extension EncodingStream {
    /// Writes the outermost value.
    func encodeRoot<Value: Encodable>(_ value: Value) throws {
        defer { removeAll() }
        if let scalar = scalars.scalar(Value.self) {
            if let refusal = scalar.refusal(of: value, form.dates) {
                throw error(refusal, value, nil)
            }
            return try scalar.write(value, into: &output.pointee, form.dates)
        }
        stack = StackUse()
        try push(key: nil, holder: nil)
        try value.encode(to: self)
        if let failure { throw failure }
        if levels[0].form == .empty {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(
                    codingPath: [], debugDescription: "\(Value.self) encoded nothing"))
        }
        try close(above: -1)
    }

    /// Writes a value into the innermost level, after its key if it has one.
    func encode<Value: Encodable>(_ value: Value, key: (any CodingKey)?) throws {
        let depth = top
        let outer = current
        do {
            try push(key: key, holder: nil)
            current = depth + 1
            try value.encode(to: self)
            if let failure { throw failure }
            try close(above: depth)
        } catch {
            throw fail(error)
        }
        current = outer
    }

    /// Begins a value nested in the innermost level.
    func push(key: (any CodingKey)?, holder: EncodingHolder?) throws {
        guard top + 1 < StackUse.calls, stack.isBearable else {
            throw EncodingError.invalidValue((), context("values nested too deep", key))
        }
        append(key: key, holder: holder, collections: top < 0 ? 0 : levels[top].collections)
    }

    private func append(key: (any CodingKey)?, holder: EncodingHolder?, collections: Int) {
        if top + 1 == capacity { grow() }
        top += 1
        serials &+= 1
        (levels + top).initialize(
            to: EncodingLevel(serial: serials, key: key, holder: holder, collections: collections))
        openSerial = serials
    }

    private func grow() {
        let larger = UnsafeMutablePointer<EncodingLevel>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: levels, count: top + 1)
        levels.deallocate()
        levels = larger
        capacity *= 2
    }

    /// Makes the innermost level, which is still empty, a collection or a scalar.
    func begin(_ form: EncodingLevel.Form) {
        levels[top].form = form
        switch form {
        case .keyed: output.pointee.beginDictionary()
        case .unkeyed: output.pointee.beginArray()
        case .empty, .single: return
        }
        levels[top].collections += 1
        if levels[top].collections > FleeceLimits.walkDepth {
            fail(EncodingError.invalidValue((), context("values nested too deep")))
        }
    }
}

extension EncodingStream {
    /// Writes a property into the innermost level.
    @inline(__always)
    func write<Scalar: FleeceScalar>(
        _ value: Scalar, property key: some CodingKey
    ) throws {
        if let refusal = value.refusal(form.dates) { throw error(refusal, value, key) }
        try writeKey(key)
        try value.write(into: &output.pointee, form.dates)
    }

    @inline(__always)
    func writeElement<Scalar: FleeceScalar>(_ value: Scalar) throws {
        if let refusal = value.refusal(form.dates) {
            throw error(refusal, value, PositionKey(levels[top].count))
        }
        countElement()
        try value.write(into: &output.pointee, form.dates)
    }

    func encode<Value: Encodable>(_ value: Value, property key: some CodingKey) throws {
        guard let scalar = scalars.scalar(Value.self) else {
            if form.nils == .leftOut, isNil(value) { return }
            try writeKey(key)
            return try encode(value, key: key)
        }
        if let refusal = scalar.refusal(of: value, form.dates) { throw error(refusal, value, key) }
        try writeKey(key)
        try scalar.write(value, into: &output.pointee, form.dates)
    }

    func encodeElement<Value: Encodable>(_ value: Value) throws {
        let index = levels[top].count
        guard let scalar = scalars.scalar(Value.self) else {
            countElement()
            return try encode(value, key: PositionKey(index))
        }
        if let refusal = scalar.refusal(of: value, form.dates) {
            throw error(refusal, value, PositionKey(index))
        }
        countElement()
        try scalar.write(value, into: &output.pointee, form.dates)
    }

    func writeNull(property key: some CodingKey) throws {
        try writeKey(key)
        output.pointee.writeNull()
    }

    private func isNil<Value>(_ value: Value) -> Bool {
        (value as? any OptionalValue)?.isNil ?? false
    }
}

/// Recognizes an optional value whose static type is not known.
private protocol OptionalValue {
    var isNil: Bool { get }
}

extension Optional: OptionalValue {
    var isNil: Bool {
        if case .none = self { true } else { false }
    }
}

extension EncodingStream {
    /// Ends the levels deeper than `depth`.
    func close(above depth: Int) throws {
        while top > depth { try closeInnermost() }
    }

    private func closeInnermost() throws {
        switch levels[top].form {
        case .empty:
            output.pointee.beginDictionary()
            try output.pointee.endDictionary()
        case .keyed:
            try joinDiversions()
            try output.pointee.endDictionary()
        case .unkeyed:
            try joinDiversions()
            try output.pointee.endArray()
        case .single: break
        }
        (levels + top).deinitialize(count: 1)
        top -= 1
        openSerial = top >= 0 && levels[top].diversions.isEmpty ? levels[top].serial : 0
    }

    private func joinDiversions() throws {
        for diversion in levels[top].diversions { try diversion.join(&output.pointee) }
    }

    /// Writes the content of a diversion.
    private func join(_ destination: inout FleeceEncoder) throws {
        if let failure { throw failure }
        try close(above: -1)
        try output.pointee.withFinishedBytes { bytes in
            try destination.writeContents(of: bytes)
        }
    }

    /// Returns a stream whose innermost level continues a level that is not open for writing.
    func reopened(depth: Int, serial: UInt32) throws -> EncodingStream {
        if let failure { throw failure }
        guard depth >= 0, depth <= top, levels[depth].serial == serial else {
            throw EncodingError.invalidValue(
                (), context("a container was used after its value had ended"))
        }
        if let last = levels[depth].diversions.last {
            if let failure = last.failure { throw failure }
            if try last.closeUnused(above: 0) { return last }
        } else if try closeUnused(above: depth) {
            return self
        }
        let diversion = EncodingStream(continuing: self, depth: depth)
        levels[depth].diversions.append(diversion)
        openSerial = levels[top].diversions.isEmpty ? levels[top].serial : 0
        return diversion
    }

    /// Ends nested containers that have no users left; returns whether all
    /// above `depth` were ended.
    private func closeUnused(above depth: Int) throws -> Bool {
        while top > depth, levels[top].holder != nil,
            isKnownUniquelyReferenced(&levels[top].holder)
        {
            try closeInnermost()
        }
        return top == depth
    }

    /// Fails the stream: all later writes to its containers fail.
    @discardableResult
    func fail(_ error: any Error) -> any Error {
        if failure == nil { failure = error }
        removeAll()
        return failure ?? error
    }

    private func removeAll() {
        while top >= 0 {
            (levels + top).deinitialize(count: 1)
            top -= 1
        }
        openSerial = 0
    }
}

extension EncodingStream {
    /// The depth and serial number of the next level to be pushed.
    var next: (depth: Int, serial: UInt32) { (top + 1, serials &+ 1) }

    @inline(__always)
    func writeKey(_ key: some CodingKey) throws {
        var text = key.stringValue
        try text.withUTF8 { try output.pointee.writeKey(UnsafeRawBufferPointer($0)) }
    }

    /// Counts an element that is about to be written to the innermost level.
    @inline(__always)
    func countElement() {
        levels[top].count &+= 1
    }

    func context(_ message: String, _ key: (any CodingKey)? = nil) -> EncodingError.Context {
        EncodingError.Context(
            codingPath: path(to: top) + (key.map { [$0] } ?? []), debugDescription: message)
    }

    func error(_ refusal: WriteRefusal, _ value: Any, _ key: (any CodingKey)?) -> EncodingError {
        let index = refusal.index.map { PositionKey($0) as any CodingKey }
        let path = path(to: top) + [key, index].compactMap { $0 }
        return EncodingError.invalidValue(
            value, EncodingError.Context(codingPath: path, debugDescription: refusal.message))
    }
}

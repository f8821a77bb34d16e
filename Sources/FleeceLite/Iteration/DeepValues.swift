/// A sequence of a value and all values nested in it, each before its children.
///
/// Use it to search a document for values at any depth, wherever they are:
///
/// ```swift
/// var strings: [PropertyPath: String] = [:]
/// for item in fleece.root.deepValues() {
///     let item = try item.get()
///     strings[item.path] = item.value.string
/// }
/// ```
///
/// The order is pre-order: the value itself with an empty path, then its elements or pairs in
/// stored order, each directly followed by the values nested in it. (The reference yields all items
/// of a collection first, and then descends into the last one of them.) Dictionaries yield
/// inherited values, and values that are `undefined`; pairs whose key cannot be read are left out,
/// as in ``FleeceDictionary``; unreadable values have no children.
///
/// Each element is a `Result`, so that an iteration that had to stop is not mistaken for a complete
/// one: the last element is then a failure, ``FleeceError/Code/outOfRange`` for more than `limit`
/// values, for collections nested more than ``FleeceLimits/walkDepth`` deep, for dictionaries that
/// inherit too much, or for more than 256 MiB of keys.
///
/// To skip the values nested in a value, use the iterator itself:
///
/// ```swift
/// var items = fleece.root.deepValues().makeIterator()
/// while let item = try items.next()?.get() {
///     if item.key == "history" { items.skipChildren() }
/// }
/// ```
///
/// The iteration is lazy, uses no recursion, and can be started again. For a value at a known
/// place, use a ``PropertyPath``. See <doc:PathsAndIteration>.
public struct DeepValues: Sequence, Sendable {
    private let root: FleeceValue
    private let limit: Int

    init(root: FleeceValue, limit: Int) {
        self.root = root
        self.limit = limit
    }

    /// Returns an iterator that starts at the value itself.
    public func makeIterator() -> Iterator { Iterator(root: root, limit: limit) }
}

extension FleeceValue {
    /// Returns this value and all values nested in it, each before its children.
    ///
    /// ```swift
    /// let count = try fleece.root.deepValues(limit: 10_000).reduce(0) { count, item in
    ///     _ = try item.get()
    ///     return count + 1
    /// }
    /// ```
    ///
    /// - Parameter limit: the maximum number of values; one more is a failure (default:
    ///   ``FleeceLimits/deepValues``).
    /// - Returns: a lazy sequence, which retains the document.
    public func deepValues(limit: Int = FleeceLimits.deepValues) -> DeepValues {
        DeepValues(root: self, limit: limit)
    }
}

extension DeepValues {
    /// Yields the values by a loop over the open collections, since a stack may be small.
    public struct Iterator: IteratorProtocol {
        private struct Frame {
            let container: DeepParent
            var level: WalkLevel
        }

        private let document: FleeceDocument
        private var root: DeepItem?
        /// The open collections, the innermost last.
        private var frames: [Frame] = []
        /// The value that was yielded last, if its children have not been visited.
        private var entered: DeepItem?
        /// The number of values that may still be yielded.
        private var left: Int
        private var keyBytesLeft = FleeceLimits.deepKeyBytes
        private var mergedPairs = 0
        private var hasEnded = false

        init(root: FleeceValue, limit: Int) {
            document = root.document
            self.root = DeepItem(value: root, container: nil, component: nil)
            left = limit
        }

        /// Returns the next value; nil after the last one, and after a failure.
        ///
        /// - Returns: the value with its path, or a ``FleeceError`` as a failure.
        public mutating func next() -> Result<DeepItem, FleeceError>? {
            guard !hasEnded else { return nil }
            do {
                if let item = try advance() { return .success(item) }
                hasEnded = true
                return nil
            } catch {
                hasEnded = true
                frames = []
                return .failure(error as? FleeceError ?? FleeceError(.invalidData, "\(error)"))
            }
        }

        /// Skips the values nested in the value that was yielded last.
        ///
        /// It does nothing after a scalar.
        public mutating func skipChildren() {
            entered = nil
        }

        private mutating func advance() throws -> DeepItem? {
            try enter()
            guard let item = following() else { return nil }
            guard left > 0 else {
                throw FleeceError(.outOfRange, "more values than the iteration's limit")
            }
            left -= 1
            keyBytesLeft -= item.key?.utf8.count ?? 0
            guard keyBytesLeft >= 0 else {
                throw FleeceError(
                    .outOfRange, "over \(FleeceLimits.deepKeyBytes) bytes of keys")
            }
            entered = item
            return item
        }

        private mutating func following() -> DeepItem? {
            if let first = root {
                root = nil
                return first
            }
            while let frame = frames.last {
                let index = frame.level.next
                guard index < frame.level.count else {
                    frames.removeLast()
                    continue
                }
                frames[frames.count - 1].level.next += 1
                if let item = item(index, of: frame) { return item }
            }
            return nil
        }

        /// Returns an item of a collection; nil for a pair whose key cannot be read.
        private func item(_ index: Int, of frame: Frame) -> DeepItem? {
            let (rawKey, raw) = frame.level.item(index)
            let component = frame.level.isArray ? .index(index) : key(rawKey)
            return component.map {
                let value = FleeceValue(document: document, raw: raw ?? .undefined)
                return DeepItem(value: value, container: frame.container, component: $0)
            }
        }

        private func key(_ key: RawCollection.Key?) -> PropertyPath.Component? {
            switch key {
            case .string(let text): .key(String(decoding: text, as: UTF8.self))
            case .number(let number): document.sharedKeys.key(at: number).map { .key($0) }
            case nil: nil
            }
        }

        /// Opens the value that was yielded last if it is a collection.
        private mutating func enter() throws {
            guard let item = entered else { return }
            entered = nil
            let raw = item.value.raw
            let level: WalkLevel
            if let array = raw.array {
                level = WalkLevel(array: array, offset: raw.offset)
            } else if let dictionary = raw.dictionary {
                level = try WalkLevel(
                    dictionary: dictionary, offset: raw.offset, mergedPairs: &mergedPairs)
            } else {
                return
            }
            guard level.count > 0 else { return }
            guard frames.count < FleeceLimits.walkDepth else {
                throw FleeceError.tooDeep(offset: raw.offset)
            }
            frames.append(Frame(container: DeepParent(item), level: level))
        }
    }
}

extension FleeceLimits {
    /// The default maximum number of values of an iteration, about 4 million: a small document that
    /// refers to its parts repeatedly can stand for a very large one.
    public static let deepValues = 1 << 22
    /// The maximum number of bytes of keys of an iteration: many pairs can refer to one long key.
    static let deepKeyBytes = 1 << 28
}

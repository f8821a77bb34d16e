/// A value and all values below it, each before what is in it.
///
/// ```swift
/// for item in document.root.deepValues() {
///     let item = try item.get()
///     texts[item.path] = item.value.string
/// }
/// ```
/// The order is pre-order: the value itself with an empty path, then its elements or pairs in the
/// order they are stored in, each directly followed by what is below it. (The reference yields all
/// items of a collection first, and then goes into the last one of them.) Dictionaries yield what
/// they inherit, and values that are `undefined`; pairs whose key cannot be read are left out, as
/// in `FleeceDictionary`; what cannot be read has nothing below it.
///
/// Each element is a `Result`, so that an iteration that had to stop is not taken for one that
/// came to its end: the last element is then a failure, `.outOfRange` for more than `limit`
/// values, for collections more than `FleeceLimits.walkDepth` deep, or for dictionaries that
/// inherit too much.
///
/// To pass over what is below a value, use the iterator itself:
///
/// ```swift
/// var items = document.root.deepValues().makeIterator()
/// while let item = try items.next()?.get() {
///     if item.key == "history" { items.skipChildren() }
/// }
/// ```
public struct DeepValues: Sequence, Sendable {
    private let root: FleeceValue
    private let limit: Int

    init(root: FleeceValue, limit: Int) {
        self.root = root
        self.limit = limit
    }

    /// Begins at the value itself.
    public func makeIterator() -> Iterator { Iterator(root: root, limit: limit) }
}

extension FleeceValue {
    /// This value and all values below it, each before what is in it.
    ///
    /// - Parameter limit: the most values that are yielded; one more is a failure.
    public func deepValues(limit: Int = FleeceLimits.deepValues) -> DeepValues {
        DeepValues(root: self, limit: limit)
    }
}

extension DeepValues {
    /// Goes from value to value: a loop over the open collections, since a stack may be small.
    public struct Iterator: IteratorProtocol {
        /// What is left of the open collections, the innermost last.
        private var open: [AnyIterator<DeepItem>] = []
        /// The value that was yielded last, if its children come next.
        private var entered: DeepItem?
        private var root: DeepItem?
        /// The values that may still be yielded.
        private var left: Int
        private var mergedPairs = 0
        private var hasEnded = false

        init(root: FleeceValue, limit: Int) {
            self.root = DeepItem(value: root, place: nil, component: nil)
            left = limit
        }

        /// Begins with what is in a collection.
        init(below children: AnyIterator<DeepItem>) {
            open = [children]
            left = FleeceLimits.deepValues
        }

        /// The next value; nil after the last one, and after a failure.
        public mutating func next() -> Result<DeepItem, FleeceError>? {
            guard !hasEnded else { return nil }
            do {
                guard let item = try advance() else {
                    hasEnded = true
                    return nil
                }
                return .success(item)
            } catch {
                hasEnded = true
                open = []
                return .failure(error)
            }
        }

        /// Passes over what is below the value that was yielded last.
        public mutating func skipChildren() {
            entered = nil
        }

        private mutating func advance() throws(FleeceError) -> DeepItem? {
            try enter()
            guard let item = following() else { return nil }
            guard left > 0 else {
                throw FleeceError(.outOfRange, "more values than the iteration's limit")
            }
            left -= 1
            entered = item
            return item
        }

        private mutating func following() -> DeepItem? {
            if let first = root {
                root = nil
                return first
            }
            while let innermost = open.last {
                if let item = innermost.next() { return item }
                open.removeLast()
            }
            return nil
        }

        /// Opens the value that was yielded last if it is a collection.
        private mutating func enter() throws(FleeceError) {
            guard let item = entered else { return }
            entered = nil
            guard let children = try children(of: item) else { return }
            guard open.count < FleeceLimits.walkDepth else {
                throw FleeceError(
                    .outOfRange, "over \(FleeceLimits.walkDepth) levels of nesting",
                    offset: item.value.raw.offset)
            }
            open.append(children)
        }

        private mutating func children(
            of item: DeepItem
        ) throws(FleeceError) -> AnyIterator<DeepItem>? {
            if let array = item.value.array, !array.isEmpty {
                return DeepItem.elements(of: array, at: DeepPlace(item))
            }
            guard let dictionary = item.value.dictionary, dictionary.raw.count > 0 else {
                return nil
            }
            try pay(for: dictionary.raw)
            return DeepItem.pairs(of: dictionary, at: DeepPlace(item))
        }

        /// What a dictionary inherits is merged at once, and paid for: none of it may be yielded.
        private mutating func pay(for dictionary: RawCollection) throws(FleeceError) {
            guard dictionary.parent != nil else { return }
            var ancestor: RawCollection? = dictionary
            var generations = 0
            while let next = ancestor {
                // A pair is copied once on its way from each parent to its heir.
                generations += 1
                mergedPairs += next.count * generations
                ancestor = next.parent
                guard generations <= FleeceLimits.parents + 1,
                    mergedPairs <= FleeceLimits.mergedPairs
                else {
                    throw FleeceError(
                        .outOfRange, "dictionaries that inherit too much",
                        offset: dictionary.start)
                }
            }
        }
    }
}

/// A path that is followed in many documents: its keys remember their numbers, and where they were
/// found last.
///
/// It belongs to one thread at a time. Keys are looked up again when a document has another table of
/// shared keys, so it stays right when a number is given to another key.
package final class PreparedPath {
    private struct Step {
        var key: FleeceKey
        /// The index of an element; of no account where there is a key.
        let index: Int
        let isKey: Bool
    }

    /// How many steps there are; none for the value itself.
    package let count: Int
    // A plain pointer, since each use of a stored property that changes is kept account of.
    private let steps: UnsafeMutablePointer<Step>

    /// Prepares a path.
    package init(_ path: PropertyPath) {
        count = path.components.count
        steps = .allocate(capacity: count)
        for (place, component) in path.components.enumerated() {
            let step =
                switch component {
                case .key(let key): Step(key: FleeceKey(key), index: 0, isKey: true)
                case .index(let index): Step(key: FleeceKey(""), index: index, isKey: false)
                }
            (steps + place).initialize(to: step)
        }
    }

    deinit {
        steps.deinitialize(count: count)
        steps.deallocate()
    }

    /// What the path leads to from a value, nil if there is nothing.
    package func value(from start: UnsafeFleeceValue) -> UnsafeFleeceValue? {
        let keys = start.document._withUnsafeGuaranteedRef { $0.keys }
        var value = start.raw
        var step = steps
        for _ in 0..<count {
            if step.pointee.isKey {
                guard let dictionary = value.dictionary,
                    let next = step.pointee.key.value(in: dictionary, keys)
                else { return nil }
                value = next
            } else {
                guard let array = value.array else { return nil }
                let index = step.pointee.index
                let place = index < 0 ? array.count &+ index : index
                guard place >= 0, place < array.count, let next = array.slot(place)?.unlessUndefined
                else { return nil }
                value = next
            }
            step += 1
        }
        return UnsafeFleeceValue(value, start.document)
    }
}

/// A path for lookups in many documents: its keys cache their numbers, and the positions at which
/// they were found last.
///
/// It must be used by one thread at a time. Keys are looked up again when a document has another
/// table of shared keys, so a number that is assigned to another key does no harm.
package final class PreparedPath {
    private struct Step {
        var key: FleeceKey
        /// The index of an element; unused if there is a key.
        let index: Int
        let isKey: Bool
    }

    /// The number of steps; 0 for the value itself.
    package let count: Int
    // A plain pointer, since each access to a mutable stored property is tracked by the runtime.
    private let steps: UnsafeMutablePointer<Step>

    /// Prepares a path.
    package init(_ path: PropertyPath) {
        count = path.components.count
        steps = .allocate(capacity: count)
        for (position, component) in path.components.enumerated() {
            let step =
                switch component {
                case .key(let key): Step(key: FleeceKey(key), index: 0, isKey: true)
                case .index(let index): Step(key: FleeceKey(""), index: index, isKey: false)
                }
            (steps + position).initialize(to: step)
        }
    }

    deinit {
        steps.deinitialize(count: count)
        steps.deallocate()
    }

    /// The value at the path, starting at a value; nil if there is none.
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
                let position = index < 0 ? array.count &+ index : index
                guard position >= 0, position < array.count,
                    let next = array.slot(position)?.unlessUndefined
                else { return nil }
                value = next
            }
            step += 1
        }
        return UnsafeFleeceValue(value, start.document)
    }
}

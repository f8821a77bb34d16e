/// A value that an iteration over ``DeepValues`` yields, with its path.
///
/// ```swift
/// for item in fleece.root.deepValues() {
///     let item = try item.get()
///     if item.value.data != nil { show("data at \(item.pathText)") }
/// }
/// ```
///
/// The path is stored as a chain of the open collections, and composed only when ``path``,
/// ``pathText`` or ``pointer`` is read. ``key``, ``index`` and ``depth`` take constant time: filter
/// by them first.
public struct DeepItem: Sendable {
    /// The value itself; a collection is yielded before its children.
    public let value: FleeceValue
    /// The open collection that contains the value.
    let container: DeepParent?
    /// The step from the parent to the value; nil for the value at which the iteration started.
    public let component: PropertyPath.Component?

    init(value: FleeceValue, container: DeepParent?, component: PropertyPath.Component?) {
        self.value = value
        self.container = container
        self.component = component
    }

    /// The array or dictionary that contains the value; nil for the value at which the iteration
    /// started.
    public var parent: FleeceValue? { container?.value }

    /// The key of a dictionary's value; nil for an array's element and for the value at which the
    /// iteration started.
    public var key: String? {
        if case .key(let key) = component { key } else { nil }
    }

    /// The index of an array's element; nil for a dictionary's value and for the value at which the
    /// iteration started.
    public var index: Int? {
        if case .index(let index) = component { index } else { nil }
    }

    /// The number of steps of the path; 0 for the value at which the iteration started.
    public var depth: Int { container.map { $0.depth + 1 } ?? 0 }

    /// The path of the value from the start of the iteration.
    ///
    /// It can be used as a subscript of the ``FleeceValue`` at which the iteration started. Each
    /// call composes it, in O(depth).
    public var path: PropertyPath { PropertyPath(components) }

    /// The path as text in JavaScript notation, `likes[0].name`; `$` for the value at which the
    /// iteration started. O(depth).
    public var pathText: String { path.description }

    /// The path as a JSON Pointer, `/likes/0/name`; empty for the value at which the iteration
    /// started. O(depth).
    public var pointer: JSONPointer {
        JSONPointer(
            components.map { component in
                switch component {
                case .key(let key): key
                case .index(let index): String(index)
                }
            })
    }

    private var components: [PropertyPath.Component] {
        var steps: [PropertyPath.Component] = []
        if let component { steps.append(component) }
        var above = container
        while let next = above {
            if let component = next.component { steps.append(component) }
            above = next.above
        }
        return steps.reversed()
    }
}

/// An open collection on the path to a value; the items of one collection share it.
final class DeepParent: Sendable {
    let value: FleeceValue
    let component: PropertyPath.Component?
    let above: DeepParent?
    let depth: Int

    init(_ item: DeepItem) {
        value = item.value
        component = item.component
        above = item.container
        depth = item.depth
    }
}

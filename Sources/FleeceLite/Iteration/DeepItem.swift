/// A value that an iteration over `DeepValues` came to, and the way there.
public struct DeepItem: Sendable {
    /// The value.
    public let value: FleeceValue
    /// The open collection that the value is in.
    let place: DeepParent?
    /// The step from the parent to the value; nil for the value that the iteration began at.
    public let component: PropertyPath.Component?

    init(value: FleeceValue, place: DeepParent?, component: PropertyPath.Component?) {
        self.value = value
        self.place = place
        self.component = component
    }

    /// The array or dictionary that the value is in; nil for the one the iteration began at.
    public var parent: FleeceValue? { place?.value }

    /// The key of a dictionary's value, else nil.
    public var key: String? {
        if case .key(let key) = component { key } else { nil }
    }

    /// The index of an array's element, else nil.
    public var index: Int? {
        if case .index(let index) = component { index } else { nil }
    }

    /// How many steps lead here, 0 for the value that the iteration began at.
    public var depth: Int { place.map { $0.depth + 1 } ?? 0 }

    /// The way here; `FleeceValue` and `PropertyPath.description` understand it. O(depth).
    public var path: PropertyPath { PropertyPath(components) }

    /// The way here as text in the manner of JavaScript, `likes[0].name`; `$` for the value that
    /// the iteration began at. O(depth).
    public var pathText: String { path.description }

    /// The way here as a JSON Pointer, `/likes/0/name`. O(depth).
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
        var above = place
        while let next = above {
            if let component = next.component { steps.append(component) }
            above = next.above
        }
        return steps.reversed()
    }
}

/// An open collection on the way to a value; the items of one collection share it.
final class DeepParent: Sendable {
    let value: FleeceValue
    let component: PropertyPath.Component?
    let above: DeepParent?
    let depth: Int

    init(_ item: DeepItem) {
        value = item.value
        component = item.component
        above = item.place
        depth = item.depth
    }
}

internal import FleeceLite

/// Finds keys of a body that are stored as strings.
struct UnsharedKeys {
    /// A document without shared keys, which is reused to read bodies: then integer keys have no
    /// string.
    private let plain: FleeceDocument
    private var open: [UnsafeFleeceItems] = []

    /// Whether the top level of the last body has a string key.
    private(set) var hasOuterText = false
    /// One of its keys that could be a shared key.
    private(set) var eligible: String?

    init() throws {
        plain = try FleeceDocument.empty(sharedKeys: SharedKeys())
    }

    /// Examines a validated body. A body that refers to its parts many times is not examined
    /// completely.
    mutating func look(at body: UnsafeRawBufferPointer) {
        defer { extendLifetime(plain) }
        hasOuterText = false
        eligible = nil
        open.removeAll(keepingCapacity: true)
        guard let root = UnsafeFleeceValue(rootOf: body, .passUnretained(plain)),
            let items = UnsafeFleeceItems(root)
        else { return }
        open.append(items)
        var budget = body.count
        var isOuter = true
        while let items = open.popLast() {
            budget &-= items.count
            if budget < 0 { return }
            look(at: items, isOuter: isOuter)
            isOuter = false
        }
    }

    private mutating func look(at items: UnsafeFleeceItems, isOuter: Bool) {
        let isDictionary = items.isDictionary
        for index in 0..<items.count {
            if isDictionary, let key = items.key(at: index) { note(key, isOuter: isOuter) }
            if let inner = UnsafeFleeceItems(items.value(at: index)), inner.count > 0 {
                open.append(inner)
            }
        }
    }

    @inline(never)
    private mutating func note(_ key: UnsafeRawBufferPointer, isOuter: Bool) {
        if isOuter { hasOuterText = true }
        guard eligible == nil, key.count <= FleeceLimits.sharedKeyLength else { return }
        let text = String(decoding: key, as: UTF8.self)
        if SharedKeys.isEligible(text) { eligible = text }
    }
}

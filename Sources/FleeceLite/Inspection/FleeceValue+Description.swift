extension FleeceValue: CustomStringConvertible {
    /// The value as text to be looked at: like compact JSON, of at most
    /// `FleeceLimits.descriptionLength` bytes and then `…`.
    ///
    /// Data are shown as `<cafe>`, and `undefined`, `inf`, `-inf` and `nan` as such; `corrupt`
    /// stands for what cannot be read. Use `JSONWriter` for JSON.
    public var description: String {
        ValueDescription.text(deepValues().makeIterator())
    }
}

extension FleeceArray: CustomStringConvertible {
    /// The elements, as `FleeceValue.description` shows them.
    public var description: String {
        ValueDescription.text(
            DeepValues.Iterator(below: DeepItem.elements(of: self, at: nil)),
            opener: "[", closer: "]")
    }
}

extension FleeceDictionary: CustomStringConvertible {
    /// The pairs, as `FleeceValue.description` shows them.
    public var description: String {
        ValueDescription.text(
            DeepValues.Iterator(below: DeepItem.pairs(of: self, at: nil)),
            opener: "{", closer: "}")
    }
}

extension FleeceDocument: CustomStringConvertible {
    /// The root, as `FleeceValue.description` shows it; `dump()` shows the bytes.
    public var description: String { root.description }
}

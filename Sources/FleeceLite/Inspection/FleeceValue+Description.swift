extension FleeceValue: CustomStringConvertible {
    /// The value as text to be looked at: like compact JSON, of at most
    /// `FleeceLimits.descriptionLength` bytes and then `…`.
    ///
    /// Data are shown as `<cafe>`, and `undefined`, `inf`, `-inf` and `nan` as such; `corrupt`
    /// stands for what cannot be read. Use `JSONWriter` for JSON.
    public var description: String {
        ValueDescription.text(self)
    }
}

extension FleeceArray: CustomStringConvertible {
    /// The elements, as `FleeceValue.description` shows them.
    public var description: String {
        ValueDescription.text(FleeceValue(document: document, raw: raw.value))
    }
}

extension FleeceDictionary: CustomStringConvertible {
    /// The pairs, as `FleeceValue.description` shows them.
    public var description: String {
        ValueDescription.text(FleeceValue(document: document, raw: raw.value))
    }
}

extension FleeceDocument: CustomStringConvertible {
    /// The root, as `FleeceValue.description` shows it; `dump()` shows the bytes.
    public var description: String { root.description }
}

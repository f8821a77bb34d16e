extension SharedKeys {
    /// Reads the stored form: a Fleece array of the keys in the order of their numbers.
    ///
    /// Throws `.invalidData` if it is not one, or if a key stands in it twice: the numbers after
    /// it would be in doubt.
    public init(state: [UInt8]) throws {
        self.init()
        try state.withUnsafeBytes { bytes in
            guard let keys = RawValue.root(of: bytes)?.array else {
                throw FleeceError(.invalidData, "the shared keys are not a Fleece array")
            }
            for index in 0..<keys.count {
                guard let key = keys.slot(index)?.string, appendStored(key) else {
                    throw FleeceError(.invalidData, "shared key \(index) is not a new short string")
                }
            }
        }
    }
}

extension SharedKeys {
    /// The stored form: a Fleece array of the keys in the order of their numbers.
    public func stateData() throws -> [UInt8] {
        var encoder = FleeceEncoder()
        encoder.beginArray()
        for key in keys { encoder.writeString(key) }
        try encoder.endArray()
        return try encoder.finish()
    }
}

extension FleeceEncoder {
    /// Writes a value that a program made or changed.
    ///
    /// Integers of 3 and 4 bytes go into the slots of their collection, as when a value of a
    /// document is copied: the bytes are the reference's. What lies in the encoder's base and has
    /// not been changed is pointed to, and a dictionary of the base with few changes becomes one
    /// that inherits from it.
    ///
    /// Throws `.outOfRange` beyond `FleeceLimits.walkDepth` levels, and if small documents stand
    /// for values of more than 16 MiB and 16 times their size; `.invalidData` for NaN and for
    /// corrupt values of a document. The encoder then has to be `reset()`.
    public mutating func write(_ value: MutableFleeceValue) throws {
        var walk = MutableWalk()
        try walk.begin(value, &self)
        while try walk.step(&self) {}
    }

    /// Writes a dictionary that a program made or changed; see `write(_:)` of a value.
    @_disfavoredOverload  // A literal is a value, rather than this.
    public mutating func write(_ dictionary: MutableFleeceDictionary) throws {
        try write(.dictionary(dictionary))
    }

    /// Writes an array that a program made or changed; see `write(_:)` of a value.
    @_disfavoredOverload
    public mutating func write(_ array: MutableFleeceArray) throws {
        try write(.array(array))
    }
}

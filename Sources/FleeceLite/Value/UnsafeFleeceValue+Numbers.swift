extension UnsafeFleeceValue {
    /// Reads elements of an array as doubles, as many as `numbers` has room for.
    ///
    /// False if one of them is no number, or if there are not so many.
    package func readNumbers(
        from start: Int, into numbers: UnsafeMutableBufferPointer<Double>
    ) -> Bool {
        guard let array = raw.array, start >= 0, start <= array.count,
            numbers.count <= array.count - start
        else { return false }
        for index in 0..<numbers.count {
            guard let number = array.slot(start &+ index)?.double else { return false }
            numbers[index] = number
        }
        return true
    }
}

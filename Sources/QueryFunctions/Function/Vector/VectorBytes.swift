internal import FleeceLite

/// Vectors as the extension keeps them: numbers of single precision, little-endian.
enum VectorBytes {
    /// Appends the vector that a value stands for: an array of numbers, the Base64 of the bytes, or
    /// the bytes themselves.
    ///
    /// False if it is none of them, or not one of `count` numbers; what was appended is then of no
    /// use.
    static func append(
        _ value: FunctionValue, to bytes: inout ScratchBytes, count: Int?
    ) -> Bool {
        switch value {
        case .collection(let array):
            guard case .array = array.content, fits(array.elementCount, count) else { return false }
            return appendNumbers(of: array, to: &bytes)
        case .text(let text):
            // Four characters are three bytes.
            if let count, text.count > (4 * count + 2) / 3 * 4 { return false }
            return Base64.decode(text) { bytes.append($0) } && isVector(bytes.count, count)
        case .data(let data):
            guard isVector(data.count, count) else { return false }
            bytes.append(data)
            return true
        default:
            return false
        }
    }

    private static func isVector(_ size: Int, _ count: Int?) -> Bool {
        size % 4 == 0 && fits(size / 4, count)
    }

    private static func fits(_ found: Int, _ wanted: Int?) -> Bool {
        found > 0 && (wanted ?? found) == found
    }

    private static func appendNumbers(
        of array: UnsafeFleeceValue, to bytes: inout ScratchBytes
    ) -> Bool {
        let count = array.elementCount
        return withUnsafeTemporaryAllocation(of: Double.self, capacity: 128) { room in
            var start = 0
            while start < count {
                let filled = min(room.count, count - start)
                let numbers = UnsafeMutableBufferPointer(rebasing: room[..<filled])
                guard array.readNumbers(from: start, into: numbers) else { return false }
                for number in numbers {
                    withUnsafeBytes(of: Float(number).bitPattern.littleEndian) { bytes.append($0) }
                }
                start += filled
            }
            return true
        }
    }
}

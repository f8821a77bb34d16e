import SampleData

/// A record of the core workloads: ten fields of a hundred characters.
package struct FieldRecord: Sendable, Equatable {
    /// The number of fields.
    package static let fieldCount = 10
    /// The number of bytes in a field.
    package static let fieldSize = 100
    /// The number of bytes in all fields.
    package static let size = fieldCount * fieldSize
    /// The names of the fields.
    package static let names = (0..<fieldCount).map { "field\($0)" }

    /// The key.
    package let key: String
    /// The values of the fields.
    package var fields: [String]

    /// Creates a record.
    package init(key: String, fields: [String]) {
        self.key = key
        self.fields = fields
    }

    /// Creates the record with a number, as it is first stored.
    package init(number: Int) {
        key = RecordKey.key(number)
        fields = (0..<Self.fieldCount).map { field in
            Self.value(seed: UInt64(number * Self.fieldCount + field))
        }
    }

    /// The values one after the other.
    package var bytes: [UInt8] { fields.flatMap { Array($0.utf8) } }

    /// A hundred random characters of which none needs an escape in JSON.
    package static func value(seed: UInt64) -> String {
        var random = SeededGenerator(seed: seed)
        return String(unsafeUninitializedCapacity: fieldSize) { characters in
            var (bits, left) = (0 as UInt64, 0)
            for index in 0..<fieldSize {
                if left == 0 { (bits, left) = (random.next(), 10) }
                characters[index] = alphabet[Int(bits & 63)]
                (bits, left) = (bits >> 6, left - 1)
            }
            return fieldSize
        }
    }

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}

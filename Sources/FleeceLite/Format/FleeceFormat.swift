// The Fleece format, as this module reads and writes it. docs/fleece.md specifies it in full.
//
// A document is a byte string of even length. Every value starts at an even offset and its first
// four bits are its tag:
//
//   0000 iiii iiiiiiii            12-bit signed integer                              2 bytes
//   0001 uccc …                   integer of ccc+1 bytes, little-endian; u: unsigned 2…9
//   0010 ww00 0…                  ww 00 float, 01 a double in 4 bytes, 10 double 6, 10
//   0011 ss00 0…                  null, false, true, undefined                       2
//   0100 cccc …                   UTF-8 text of cccc bytes; 15: a varint count follows
//   0101 cccc …                   bytes, likewise
//   0110 wccc cccccccc …          array of c slots; 2047: a varint of c - 2047 follows
//   0111 wccc cccccccc …          dictionary of c pairs of slots, sorted by key
//   1xoo oooo oooooooo (…)        pointer, o units of 2 bytes backwards; x: into another document
//
// A slot is 2 bytes, or 4 in a wide (w) collection, and holds a value that fits or a pointer to
// one. Children are written before their parents, so pointers go backwards only; the root is
// found from the last 2 bytes.

// `@inlinable`, here and in everything that `UnsafeFleeceValue` uses, lets loops in other modules
// be optimized together with the functions that they call.

/// The first four bits of a value.
@usableFromInline
enum FleeceTag {
    @inlinable static var shortInteger: UInt8 { 0 }
    @inlinable static var integer: UInt8 { 1 }
    @inlinable static var float: UInt8 { 2 }
    @inlinable static var special: UInt8 { 3 }
    @inlinable static var string: UInt8 { 4 }
    @inlinable static var data: UInt8 { 5 }
    @inlinable static var array: UInt8 { 6 }
    @inlinable static var dictionary: UInt8 { 7 }
    /// Set in the first byte of a pointer.
    @inlinable static var pointerBit: UInt8 { 0x80 }
    /// Set in the first byte of a collection with 4-byte slots.
    @inlinable static var wideBit: UInt8 { 0x08 }
}

/// The first byte of a special value.
@usableFromInline
enum FleeceSpecial {
    @inlinable static var null: UInt8 { 0x30 }
    @inlinable static var `false`: UInt8 { 0x34 }
    @inlinable static var `true`: UInt8 { 0x38 }
    @inlinable static var undefined: UInt8 { 0x3C }
}

/// Limits of the format and of this implementation.
///
/// They protect against documents that are made to exhaust memory or the stack: a small document
/// can refer to its parts repeatedly, and so stand for a very large value. Beyond a limit, methods
/// throw ``FleeceError/Code/outOfRange``, or ``FleeceError/Code/jsonError`` for JSON.
///
/// A document has less than 2 GiB.
public enum FleeceLimits {
    /// The maximum depth of collections in JSON, as in the reference: 100, with a scalar inside the
    /// innermost.
    public static let jsonDepth = 100
    /// The maximum depth of collections in traversals, whatever their origin: 512.
    ///
    /// It applies to validation, JSON output, copies, iteration and `Codable` types. A document
    /// that is nested deeper can still be read step by step.
    public static let walkDepth = 512
    /// The maximum number of keys in a ``SharedKeys`` table; further keys are written as strings.
    public static let sharedKeys = 2048
    /// The maximum number of bytes of a key that can be shared; a longer key is written as a
    /// string.
    public static let sharedKeyLength = 16

    /// The key, as an integer, whose value is the parent of a dictionary.
    static let parentKey = -2048
    /// The maximum distance of a pointer of 2 bytes, in bytes.
    static let narrowReach = 0x7FFE
    /// The maximum distance of a pointer of 4 bytes, in bytes.
    static let wideReach = 0x7FFF_FFFE
    /// The count from which a collection's header needs a varint.
    @inlinable static var longCount: Int { 2047 }
    /// The lengths of strings that are written once and referred to by pointers.
    static let sharedString = 2...15
    /// A shared string is reused only within the reach of a narrow pointer less this margin.
    static let sharedStringMargin = 32
    /// The maximum number of ancestors of a dictionary; encoders create at most three.
    static let parents = 8
    /// The maximum number of inherited pairs that are merged during the traversal of one value: a
    /// small document can refer to the same parents repeatedly.
    static let mergedPairs = 1 << 22
    /// The size that a copy of one value may always have, whatever the size of its document.
    static let copiedBytes = 1 << 24
    /// The maximum size of a copy of a value from a document of `size` bytes.
    static func copyBudget(forBytes size: Int) -> Int { max(copiedBytes, 16 * size) }

    /// The maximum number of pointers in a chain; encoders need one such step.
    static let pointerChain = 16
}

/// The hash function SHA-256 (FIPS 180-4), for documents that are too long for a test's source.
struct SHA256 {
    private static let constants: [UInt32] = primes(64).map { fraction(ofRoot: 3, of: $0) }
    private static let start: [UInt32] = primes(8).map { fraction(ofRoot: 2, of: $0) }

    private static func primes(_ count: Int) -> [UInt64] {
        var primes: [UInt64] = []
        var candidate: UInt64 = 2
        while primes.count < count {
            if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
            candidate += 1
        }
        return primes
    }

    /// The first 32 bits after the point of a square or cube root, found bit by bit.
    private static func fraction(ofRoot degree: Int, of prime: UInt64) -> UInt32 {
        var root: UInt64 = 0
        for bit in (0..<36).reversed() {
            let larger = root | 1 << UInt64(bit)
            // larger / 2^32 to the power is at most prime, without fractions.
            let square = larger.multipliedFullWidth(by: larger)
            let isWithin: Bool
            if degree == 2 {
                isWithin = square.high < prime || (square.high == prime && square.low == 0)
            } else {
                let middle = square.low.multipliedFullWidth(by: larger)
                let (low, carry) = (square.high * larger).addingReportingOverflow(middle.high)
                isWithin = !carry && low < prime << 32
            }
            if isWithin { root = larger }
        }
        return UInt32(truncatingIfNeeded: root)
    }

    /// The hash in hexadecimal.
    static func hex(_ bytes: [UInt8]) -> String {
        var message = bytes + [0x80]
        message += Array(repeating: 0, count: (120 - message.count % 64) % 64)
        message += withUnsafeBytes(of: UInt64(8 * bytes.count).bigEndian) { [UInt8]($0) }
        var state = start
        var schedule = [UInt32](repeating: 0, count: 64)
        message.withUnsafeBytes { message in
            for block in stride(from: 0, to: message.count, by: 64) {
                for index in 0..<16 {
                    schedule[index] = UInt32(
                        bigEndian: message.loadUnaligned(
                            fromByteOffset: block + 4 * index, as: UInt32.self))
                }
                extend(&schedule)
                compress(&state, schedule)
            }
        }
        return unspacedHex(state.flatMap { withUnsafeBytes(of: $0.bigEndian) { [UInt8]($0) } })
    }

    private static func rotated(_ word: UInt32, _ bits: UInt32) -> UInt32 {
        word &>> bits | word &<< (32 &- bits)
    }

    private static func extend(_ schedule: inout [UInt32]) {
        for index in 16..<64 {
            let (early, late) = (schedule[index - 15], schedule[index - 2])
            let first = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
            let second = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
            schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
        }
    }

    private static func compress(_ state: inout [UInt32], _ schedule: [UInt32]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let high = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let choice = (e & f) ^ (~e & g)
            let first = h &+ high &+ choice &+ constants[index] &+ schedule[index]
            let low = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            let second = low &+ ((a & b) ^ (a & c) ^ (b & c))
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }
}

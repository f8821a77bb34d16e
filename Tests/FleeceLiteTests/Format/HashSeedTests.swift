import StoreTestSupport
import Testing

@testable import FleeceLite

@Suite("Safety: colliding keys")
struct HashSeedTests {
    /// Strings of 12 bytes whose first word is the seed's: the product is always 0.
    private static func colliding(_ seed: UInt64, count: Int) -> [ShortString] {
        (0..<count).map { number in
            ShortString(low: seed, high: 0x3030_3030 &+ UInt64(number), count: 12)
        }
    }

    private static func places(_ texts: [ShortString], _ seed: HashSeed) -> Int {
        Set(texts.map { $0.hash(seed) & 0xFFFF }).count
    }

    @Test("Keys collide for a known seed; with the process's own seed they are distributed")
    func spread() {
        let known = HashSeed((0x6162_6364_6566_6768, 12345))
        let texts = Self.colliding(0x6162_6364_6566_6768, count: 4096)
        #expect(Self.places(texts, known) == 1)
        #expect(Self.places(texts, HashSeed()) > 3000)
        #expect(Self.places(texts, HashSeed((0x9E37_79B9_7F4A_7C15, 12345))) > 3000)
    }

    @Test("A document whose keys collide for a known seed takes no longer than another")
    func time() throws {
        func seconds(_ prefix: String) throws -> Double {
            let keys = (0..<20_000).map { "\"\(prefix)\(String($0, radix: 36))\":0" }
            let json = "{\(keys.joined(separator: ","))}"
            var encoder = FleeceEncoder()
            var best = Double.infinity
            for _ in 0..<3 {
                let seconds = try processorSeconds {
                    try encoder.writeJSON(json)
                    _ = try encoder.finish()
                }
                best = min(best, seconds)
            }
            return best
        }
        // Linear probing would take thousands of steps per key, not twice as long.
        #expect(try seconds("hgfedcba") < 50 * seconds("k") + 0.5)
    }
}

import StoreTestSupport
import Testing

@testable import FleeceLite

@Suite("Safety: keys made to collide")
struct HashSeedTests {
    /// Texts of 12 bytes whose first word is the seed's: the product is 0 whatever follows.
    private static func colliding(_ seed: UInt64, count: Int) -> [ShortString] {
        (0..<count).map { number in
            ShortString(low: seed, high: 0x3030_3030 &+ UInt64(number), count: 12)
        }
    }

    private static func places(_ texts: [ShortString], _ seed: HashSeed) -> Int {
        Set(texts.map { $0.hash(seed) & 0xFFFF }).count
    }

    @Test("Who knows the seed can make keys collide; for the process's own they are spread")
    func spread() {
        let known = HashSeed((0x6162_6364_6566_6768, 12345))
        let texts = Self.colliding(0x6162_6364_6566_6768, count: 4096)
        #expect(Self.places(texts, known) == 1)
        #expect(Self.places(texts, HashSeed()) > 3000)
        #expect(Self.places(texts, HashSeed((0x9E37_79B9_7F4A_7C15, 12345))) > 3000)
    }

    @Test("A document of keys that collide for a known seed takes no longer than another")
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
        // Probing one after the other would take thousands of steps a key, not twice as long.
        #expect(try seconds("hgfedcba") < 50 * seconds("k") + 0.5)
    }
}

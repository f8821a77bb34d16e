import ServerStore
import Testing

@Suite("Numbers of servers, rounded for display")
struct RepositoryRoundingTests {
    @Test(
        "a number up to 100 is exact, a higher one goes down to hundreds and is never reached",
        arguments: [
            (0, 0), (1, 1), (99, 99), (100, 100), (101, 100), (4200, 4100), (4201, 4200),
            (4299, 4200), (14123, 14100),
        ])
    func rounding(count: Int, rounded: Int) throws {
        let repository = ServerRepository(serverCount: { count })
        #expect(try repository.roundedServerCount == rounded)
        #expect(repository.withFallbacks().roundedServerCount == rounded)
    }
}

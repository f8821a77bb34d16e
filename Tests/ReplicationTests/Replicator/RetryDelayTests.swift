import Testing

@testable import Replication

@Suite("The delay before another attempt")
struct RetryDelayTests {
    @Test("doubles up to five minutes, and begins again after a success")
    func doubles() {
        var delay = RetryDelay()
        let seconds = (0..<11).map { _ in delay.next { $0.upperBound } }
        #expect(seconds == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
        delay.reset()
        #expect(delay.next { $0.lowerBound } == 0.5)
    }
}

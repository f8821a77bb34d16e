import Testing

@testable import KVToolCore

@Suite("Colours are enabled")
struct ColourTests {
    private func isOn(
        _ choice: Choice = .auto, terminal: Bool = true, in variables: [String: String]
    ) -> Bool {
        Colour.isOn(choice, isTerminal: terminal) { variables[$0] }
    }

    @Test("by the option, regardless of the environment")
    func option() {
        #expect(isOn(.always, terminal: false, in: ["NO_COLOR": "1", "TERM": "dumb"]))
        #expect(!isOn(.never, in: ["CLICOLOR_FORCE": "1", "TERM": "xterm"]))
    }

    @Test("at a terminal that supports them, unless the environment disables them")
    func terminal() {
        #expect(isOn(in: ["TERM": "xterm"]))
        #expect(!isOn(terminal: false, in: ["TERM": "xterm"]))
        #expect(!isOn(in: ["TERM": "dumb"]))
        #expect(!isOn(in: [:]))
        #expect(!isOn(in: ["TERM": "xterm", "NO_COLOR": "1"]))
        #expect(!isOn(in: ["TERM": "xterm", "CLICOLOR": "0"]))
        #expect(isOn(in: ["TERM": "xterm", "CLICOLOR": "1"]))
    }

    @Test("without a terminal if they are forced, except with NO_COLOR")
    func forced() {
        #expect(isOn(terminal: false, in: ["CLICOLOR_FORCE": "1"]))
        #expect(!isOn(terminal: false, in: ["CLICOLOR_FORCE": "0", "TERM": "xterm"]))
        #expect(!isOn(terminal: false, in: ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"]))
    }
}

import Testing

import KVToolCore

@Suite("Terminal cells of a text")
struct DisplayWidthTests {
    @Test(
        "are two for wide characters and emoji, none for combining marks",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한", 2), ("ｱ", 1),
            ("Ａ", 2), ("😀", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("שלום", 4), ("a\u{200B}b", 2),
        ])
    func cells(_ text: String, _ cells: Int) {
        #expect(DisplayWidth.cells(text) == cells, "\(text)")
    }

    @Test(
        "are never more than the width to fit",
        arguments: ["abcdef", "日本語の名前", "a日b本c", "e\u{301}e\u{301}e\u{301}e\u{301}", "😀😀😀"])
    func fitted(_ text: String) {
        for cells in 0...12 {
            let fitted = DisplayWidth.fitted(text, cells)
            #expect(DisplayWidth.cells(fitted) <= cells)
            if DisplayWidth.cells(text) <= cells {
                #expect(fitted == text)
            } else if cells > 0 {
                #expect(fitted.hasSuffix("…") && text.hasPrefix(String(fitted.dropLast())))
                // One more character would not fit.
                #expect(DisplayWidth.cells(fitted) >= cells - 1)
            }
        }
    }

    @Test("are padded with spaces, on either side")
    func padded() {
        #expect(DisplayWidth.padded("日", 4) == "日  ")
        #expect(DisplayWidth.padded("日", 4, toRight: true) == "  日")
        #expect(DisplayWidth.padded("long", 2) == "long")
    }
}

import BenchmarkGate
import Testing

@Suite("Callgrind's files")
struct CallgrindProfileTests {
    /// A file with these lines between its head and its end.
    private func file(_ lines: String, totals: Int) -> String {
        """
        # callgrind format
        version: 1
        creator: callgrind-3.19.0
        pid: 22900
        cmd:  ./kvgate kernel x 0001 --directory /dev/shm/a=b
        part: 1

        desc: I1 cache:
        desc: Trigger: Program termination

        positions: line
        events: Ir
        summary: 999

        \(lines)

        totals: \(totals)

        """
    }

    private func message(_ text: String) -> String {
        do {
            return "\(try CallgrindProfile(text: text))"
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "the instructions are those of each function, and those of its calls are not counted twice")
    func instructions() throws {
        let text = file(
            """
            ob=(1) /bin/kvgate
            fl=(1) ???
            fn=(1) main
            0 10
            +3 5
            * 2
            cfn=(2) work
            calls=4 0
            0 100

            fn=(2)
            0 60
            -2 40
            """, totals: 117)
        #expect(
            try CallgrindProfile(text: text)
                == CallgrindProfile(instructions: 117, allocations: 0))
    }

    @Test("calls of all allocators count, by their names and by the numbers of their names")
    func allocations() throws {
        let text = file(
            """
            fn=(1) swift_slowAlloc
            0 10
            cob=(3) /lib/libc.so.6
            cfi=(4) ./malloc/malloc.c
            cfn=(2) malloc
            calls=3 0
            0 30
            cfn=(3) posix_memalign
            calls=1 0
            0 9

            fn=(5) sqlite3_malloc
            0 1
            cfn=(2)
            calls=20 +7
            0 200
            cfn=(4) realloc'2
            calls=100 0
            0 200
            cfn=calloc
            calls=1000 0
            0 200
            cfn=(6) aligned_alloc@@GLIBC_2.16
            calls=10000 0
            0 200
            """, totals: 11)
        #expect(try CallgrindProfile(text: text).allocations == 11_124)
    }

    @Test("functions with similar names, and calls by an allocator, are not allocations")
    func noAllocations() throws {
        let text = file(
            """
            fn=(1) main
            0 1
            cfn=(2) my_malloc
            calls=3 0
            0 30
            cfn=(3) malloc_usable_size
            calls=3 0
            0 30
            cfn=(4) free
            calls=3 0
            0 30

            fn=(5) realloc
            0 1
            cfn=(6) malloc
            calls=3 0
            0 30

            fn=(7) $s4main6mallocyyF
            0 1
            cfn=(5)
            calls=1 0
            0 30
            """, totals: 3)
        #expect(
            try CallgrindProfile(text: text) == CallgrindProfile(instructions: 3, allocations: 1))
    }

    @Test("of several events the instructions are read, wherever they stand")
    func events() throws {
        let text = """
            version: 1
            positions: instr line
            events: Dr Ir Dw
            fn=(1) main
            0x10 5 1 20 3
            0x18 6 1 300
            0x20 7 1
            totals: 3 320 3
            """
        // Positions as `0x10` begin with a digit, too; what is left out at the end is 0.
        #expect(
            try CallgrindProfile(text: text) == CallgrindProfile(instructions: 320, allocations: 0)
        )
    }

    @Test("the parts of a file are added up")
    func parts() throws {
        let part = "version: 1\npositions: line\nevents: Ir\nfn=(1) main\n0 21\ntotals: 21\n"
        #expect(try CallgrindProfile(text: part + part).instructions == 42)
    }

    @Test(
        "bad files are reported with the line",
        arguments: [
            ("", "this is not a file of callgrind"),
            ("hello\n", "line 1 of callgrind's file: neither costs nor a name"),
            ("hello: 1\n", "this is not a file of callgrind"),
            ("version: 2\n", "line 1 of callgrind's file: version 2 is not supported, only 1"),
            (
                "version: 1\nevents: Dr Dw\n",
                "line 2 of callgrind's file: the events are Dr Dw: instructions, Ir, are not "
                    + "counted"
            ),
            ("version: 1\n0 5\n", "line 2 of callgrind's file: costs before the events"),
            ("version: 1\npositions:\n", "line 2 of callgrind's file: there are no positions"),
        ])
    func badHeads(text: String, expected: String) {
        #expect(message(text) == expected)
    }

    @Test(
        "bad lines are reported",
        arguments: [
            ("fn=(7)", "function 7 has no name"),
            ("calls=1 0\n0 5", "calls without a called function"),
            ("cfn=(1) malloc\ncalls=x 0\n0 5", "x is not a count"),
            ("cfn=(1) malloc\ncalls=\n0 5", "a number is missing"),
            ("cfn=(1) malloc\ncalls=1 0\nfn=(2) main", "a call without its cost"),
            ("0 -5", "-5 is not a count"),
            ("0 5 6", "too many costs"),
            ("jump=3 5", "jump is not a known key"),
            ("0 9223372036854775807\n0 1", "the count overflows"),
            (
                "cfn=(1) malloc\ncalls=9223372036854775807 0\n0 1\ncfn=(1)\ncalls=1 0\n0 1",
                "the count overflows"
            ),
            ("0 99999999999999999999", "99999999999999999999 is not a count"),
        ])
    func badLines(lines: String, expected: String) {
        let text = message(file(lines, totals: 5))
        #expect(text.hasPrefix("line "))
        #expect(text.hasSuffix(": " + expected))
    }

    @Test("a file truncated at any of its lines is rejected")
    func truncated() throws {
        let lines = file(
            "fn=(1) main\n0 7\ncfn=(2) malloc\ncalls=1 0\n0 30\n\nfn=(2)\n0 30", totals: 37
        ).split(separator: "\n", omittingEmptySubsequences: false)
        // The two last are the totals and the end.
        for count in 0..<(lines.count - 2) {
            let text = lines.prefix(count).joined(separator: "\n")
            #expect(throws: GateError.self, "after \(count) lines") {
                try CallgrindProfile(text: text)
            }
        }
        #expect(try CallgrindProfile(text: lines.joined(separator: "\n")).instructions == 37)
    }

    @Test("a total that is not the sum of the lines is refused")
    func otherTotal() {
        #expect(
            message(file("fn=(1) main\n0 7", totals: 8))
                == "the lines have 7 instructions, but the total is 8")
    }
}

// The table of the format.
extension Target {
    static let converting: [Target] =
        ["", ", shared keys"].map { keys in
            let part = keys.isEmpty ? "shared keys off" : "shared keys on"
            return rate(
                "JSON → Fleece (shared keys off / on)", part: part,
                conversionOfReferenceFile + keys, atLeast: 1_600e6, stretch: 2_400e6)
        } + [
            seconds(
                .fleece, "small documents (390 B), shared keys",
                "documents of 390 bytes: JSON to Fleece, shared keys", atMost: 400e-9,
                stretch: 270e-9)
        ] + unfriendly + [
            rate(
                "Fleece → JSON", part: "counted by the file's 1.30 MB, of which 1.01 are written",
                "1000people.json: Fleece to JSON, bytes of the file",
                atLeast: 1_000e6, stretch: 1_500e6),
            rate(
                "validate untrusted (bytes of Fleece)",
                "1000people.json: validate, bytes of Fleece", atLeast: 3_700e6),
        ]

    private static func rate(
        _ row: String, part: String? = nil, _ workload: String, atLeast limit: Double,
        stretch: Double? = nil
    ) -> Target {
        Target(
            .fleece, row, part: part, workloads: [workload],
            rule: .bytesPerSecond(.atLeast(limit, stretch: stretch)), needsReferenceFile: true)
    }

    /// The nanoseconds of C++ Fleece for a document of each kind, without and with shared keys.
    private static let unfriendlyKinds: [(name: String, plain: Double, shared: Double)] = [
        ("a random subset of 40 keys in random order", 1886, 1400),
        ("20 keys in order, each with 70 %", 1410, 1222),
        ("37 numbers, a third of 16 or 17 digits", 3243, 3368),
        ("escapes and text that is not ASCII", 903, 876),
        ("keys of 32 hexadecimal digits", 1114, 1606),
        ("random keys of 6 and strings of 8 digits", 1716, 2361),
    ]

    /// Twice as fast is half of the time.
    private static let unfriendly: [Target] = unfriendlyKinds.flatMap { kind in
        [("", kind.plain), (", shared keys", kind.shared)].map { keys, nanoseconds in
            Target(
                .fleece, "unfriendly documents", part: kind.name + keys,
                workloads: [kind.name + keys],
                rule: .share(
                    ofSeconds: nanoseconds * 1e-9, of: "C++", .atMost(1 / 2, stretch: 1 / 3)))
        }
    }

    static let lookingUp: [Target] = {
        let row = "dictionary lookup, string / prepared key"
        func lookup(_ part: String, _ workload: String, _ nanoseconds: Double) -> Target {
            seconds(
                .fleece, row, part: part, workload, atMost: nanoseconds * 1e-9,
                needsReferenceFile: true)
        }
        return [
            lookup("string", "lookup in a view by string", 10),
            lookup("prepared key", "lookup in a view by prepared key", 4),
            lookup("string, shared keys", "lookup in a view by string, shared keys", 7),
            lookup("prepared key, shared keys", "lookup in a view by prepared key, shared keys", 3),
        ]
            + ["", ", shared keys"].map { keys in
                Target(
                    .fleece, row, part: "owned handle" + keys,
                    workloads: ["lookup in a handle by string" + keys],
                    rule: .secondsMore(
                        than: "lookup in a view by string" + keys, .atMost(7e-9)),
                    needsReferenceFile: true)
            } + [
                seconds(
                    .fleece, "iterate a dictionary, per entry",
                    "iteration over a dictionary in a view, an entry", atMost: 2e-9,
                    needsReferenceFile: true)
            ] + ["", ", shared keys"].map(coding) + allocations
    }()

    /// The kernels of kvgate, which counts them.
    private static let allocations: [Target] = [
        (
            "lookup",
            [
                "lookup-string", "lookup-string-shared", "lookup-key", "lookup-key-shared",
                "lookup-missing", "lookup-handle",
            ]
        ), ("scalar read", ["read-scalars"]),
    ].map { part, kernels in
        Target(
            .fleece, "allocations per lookup, per scalar read (strings as UTF-8 views)",
            part: part, workloads: [], rule: .noAllocations(kernels: kernels))
    }

    private static func coding(_ keys: String) -> Target {
        Target(
            .fleece, "Codable struct → Fleece → struct",
            part: keys.isEmpty ? "shared keys off" : "shared keys on",
            workloads: ["Codable to Fleece" + keys, "Codable from Fleece" + keys],
            rule: .timesAsFast(
                as: ["Codable to JSON, JSONEncoder", "Codable from JSON, JSONDecoder"],
                .atLeast(5, stretch: 10)))
    }
}

import DocumentStore
import Foundation

/// From JSON to Fleece and back, and validation.
enum FleeceWorkloads {
    static func groups() -> [[Workload]] {
        [conversions, smallDocuments, writing, validation]
    }

    /// Converts each text into bytes owned by the caller, reusing one encoder.
    static func conversion(
        _ name: String, sharedKeys: SharedKeys?, bytes: Bool = false, baseline: String? = nil,
        texts: @escaping () throws -> [[UInt8]]
    ) -> Workload {
        Workload(name + (sharedKeys == nil ? "" : ", shared keys"), baseline: baseline) {
            let texts = try texts()
            try requireSame(texts, sharedKeys)
            let box = EncoderBox(sharedKeys)
            // A reused encoder has its shared keys after the first run.
            _ = try box.size(of: texts)
            let expected = try size(of: texts, box.encoder.sharedKeys)
            return Workload.Prepared(bytes ? .bytes(texts[0].count) : .items(texts.count)) {
                try Recount.require(box.size(of: texts), expected, name)
            }
        }
    }

    /// The total size of the texts as Fleece, with an encoder for each.
    private static func size(of texts: [[UInt8]], _ sharedKeys: SharedKeys?) throws -> Int {
        try texts.reduce(0) {
            $0 + (try BenchmarkData.fleece($1, sharedKeys: sharedKeys).bytes.count)
        }
    }

    /// The first texts converted to Fleece and back must be equal to what Foundation reads.
    private static func requireSame(_ texts: [[UInt8]], _ sharedKeys: SharedKeys?) throws {
        for text in texts.prefix(100) {
            let (bytes, keys) = try BenchmarkData.fleece(text, sharedKeys: sharedKeys)
            let json = try FleeceDocument(trusted: bytes, sharedKeys: keys).root.json()
            let (found, expected) = try (
                JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSObject,
                JSONSerialization.jsonObject(with: Data(text)) as? NSObject
            )
            guard found == expected, found != nil else {
                throw BenchmarkError(message: "Fleece differs from its JSON: \(json)")
            }
        }
    }

    private final class EncoderBox {
        var encoder: FleeceEncoder

        init(_ sharedKeys: SharedKeys?) {
            encoder = FleeceEncoder(sharedKeys: sharedKeys)
        }

        @inline(__always)
        func size(of texts: [[UInt8]]) throws -> Int {
            var sum = 0
            for text in texts {
                try text.withUnsafeBytes { _ = try encoder.writeJSON($0) }
                sum &+= try encoder.finish().count
            }
            return sum
        }
    }

    private static var conversions: [Workload] {
        [nil, SharedKeys()].map { keys in
            conversion(
                "1000people.json: JSON to Fleece", sharedKeys: keys, bytes: true,
                baseline: "1000people.json: JSONSerialization reads"
            ) { [BenchmarkData.people] }
        } + [
            Workload("1000people.json: JSONSerialization reads", isPeer: true) {
                let json = Data(BenchmarkData.people)
                let people = try BenchmarkData.fleece(BenchmarkData.people).bytes
                let expected = try FleeceDocument(trusted: people).root.array?.count
                return .init(.bytes(json.count)) {
                    let value = try JSONSerialization.jsonObject(with: json)
                    return try Recount.require((value as? [Any])?.count, expected, "reads") ?? 0
                }
            }
        ]
    }

    private static var smallDocuments: [Workload] {
        [nil, SharedKeys()].map { keys in
            conversion(
                "documents of 390 bytes: JSON to Fleece", sharedKeys: keys,
                baseline: "documents of 390 bytes: JSONSerialization reads"
            ) { BenchmarkData.small }
        } + [
            Workload("documents of 390 bytes: JSONSerialization reads", isPeer: true) {
                let documents = BenchmarkData.small.map { Data($0) }
                // Each person has ten properties.
                let expected = 10 * documents.count
                return .init(.items(documents.count)) {
                    let sum = try documents.reduce(0) {
                        let value = try JSONSerialization.jsonObject(with: $1)
                        return $0 + ((value as? [String: Any])?.count ?? 0)
                    }
                    return try Recount.require(sum, expected, "reads")
                }
            }
        ]
    }

    private static var writing: [Workload] {
        let baseline = "1000people.json: JSONSerialization writes"
        return [
            Workload("1000people.json: Fleece to JSON, bytes of the file", baseline: baseline) {
                let document = try FleeceDocument(
                    trusted: BenchmarkData.fleece(BenchmarkData.people).bytes)
                let expected = try sizeOfSame(document)
                return .init(.bytes(BenchmarkData.people.count)) {
                    var writer = JSONWriter()
                    try writer.write(document.root)
                    return try Recount.require(writer.text.utf8.count, expected, "Fleece to JSON")
                }
            },
            Workload(baseline, isPeer: true) {
                let value = try JSONSerialization.jsonObject(with: Data(BenchmarkData.people))
                let written = try JSONSerialization.data(withJSONObject: value)
                let again = try JSONSerialization.jsonObject(with: written)
                try Recount.require(again as? NSArray, value as? NSArray, baseline)
                return .init(.bytes(BenchmarkData.people.count)) {
                    let count = try JSONSerialization.data(withJSONObject: value).count
                    return try Recount.require(count, written.count, baseline)
                }
            },
        ]
    }

    /// The size of the JSON of the people's Fleece, which must be equal to the file's.
    private static func sizeOfSame(_ document: FleeceDocument) throws -> Int {
        var writer = JSONWriter()
        try writer.write(document.root)
        let found = try JSONSerialization.jsonObject(with: Data(writer.text.utf8))
        let expected = try JSONSerialization.jsonObject(with: Data(BenchmarkData.people))
        try Recount.require(found as? NSArray, expected as? NSArray, "Fleece to JSON")
        return writer.text.utf8.count
    }

    private static var validation: [Workload] {
        [
            Workload("1000people.json: validate, bytes of Fleece") {
                let fleece = try BenchmarkData.fleece(BenchmarkData.people).bytes
                // Acceptance must depend on the bytes.
                let broken = [UInt8](fleece.dropFirst(fleece.count / 2))
                let isRefused = broken.withUnsafeBytes { bytes in
                    (try? FleeceValidation.structure.check(bytes)) == nil
                }
                try Recount.require(isRefused, true, "half of it is refused")
                return .init(.bytes(fleece.count)) {
                    try fleece.withUnsafeBytes { try FleeceValidation.structure.check($0) }
                    return 1
                }
            }
        ]
    }
}

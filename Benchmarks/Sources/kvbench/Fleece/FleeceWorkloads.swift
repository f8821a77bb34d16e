import FleeceLite
import Foundation

/// From JSON to Fleece and back, and validation.
enum FleeceWorkloads {
    static func groups() -> [[Workload]] {
        [conversions, smallDocuments, writing, validation]
    }

    /// Converts each text, with an encoder that is kept, into bytes that the caller owns.
    static func conversion(
        _ name: String, sharedKeys: SharedKeys?, bytes: Bool = false, floor: String? = nil,
        texts: @escaping () throws -> [[UInt8]]
    ) -> Workload {
        Workload(name + (sharedKeys == nil ? "" : ", shared keys"), floor: floor) {
            let texts = try texts()
            try requireSame(texts, sharedKeys)
            let box = EncoderBox(sharedKeys)
            return Workload.Prepared(bytes ? .bytes(texts[0].count) : .items(texts.count)) {
                var sum = 0
                for text in texts {
                    try text.withUnsafeBytes { _ = try box.encoder.writeJSON($0) }
                    sum &+= try box.encoder.finish().count
                }
                return sum
            }
        }
    }

    /// What comes back out of the Fleece of the first texts must be what Foundation reads in them.
    private static func requireSame(_ texts: [[UInt8]], _ sharedKeys: SharedKeys?) throws {
        for text in texts.prefix(100) {
            let (bytes, keys) = try BenchmarkData.fleece(text, sharedKeys: sharedKeys)
            let json = try FleeceDocument(trusted: bytes, sharedKeys: keys).root.json()
            let (found, expected) = try (
                JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSObject,
                JSONSerialization.jsonObject(with: Data(text)) as? NSObject
            )
            guard found == expected, found != nil else {
                throw BenchmarkError(message: "Fleece does not hold what its JSON said: \(json)")
            }
        }
    }

    private final class EncoderBox {
        var encoder: FleeceEncoder

        init(_ sharedKeys: SharedKeys?) {
            encoder = FleeceEncoder(sharedKeys: sharedKeys)
        }
    }

    private static var conversions: [Workload] {
        [nil, SharedKeys()].map { keys in
            conversion(
                "1000people.json: JSON to Fleece", sharedKeys: keys, bytes: true,
                floor: "1000people.json: JSONSerialization reads"
            ) { [BenchmarkData.people] }
        } + [
            Workload("1000people.json: JSONSerialization reads", isPeer: true) {
                let json = Data(BenchmarkData.people)
                return .init(.bytes(json.count)) {
                    let value = try JSONSerialization.jsonObject(with: json)
                    return (value as? [Any])?.count ?? 0
                }
            }
        ]
    }

    private static var smallDocuments: [Workload] {
        [nil, SharedKeys()].map { keys in
            conversion(
                "documents of 390 bytes: JSON to Fleece", sharedKeys: keys,
                floor: "documents of 390 bytes: JSONSerialization reads"
            ) { BenchmarkData.small }
        } + [
            Workload("documents of 390 bytes: JSONSerialization reads", isPeer: true) {
                let documents = BenchmarkData.small.map { Data($0) }
                return .init(.items(documents.count)) {
                    try documents.reduce(0) {
                        let value = try JSONSerialization.jsonObject(with: $1)
                        return $0 + ((value as? [String: Any])?.count ?? 0)
                    }
                }
            }
        ]
    }

    private static var writing: [Workload] {
        let floor = "1000people.json: JSONSerialization writes"
        return [
            Workload("1000people.json: Fleece to JSON, bytes of the file", floor: floor) {
                let document = try FleeceDocument(
                    trusted: BenchmarkData.fleece(BenchmarkData.people).bytes)
                return .init(.bytes(BenchmarkData.people.count)) {
                    var writer = JSONWriter()
                    try writer.write(document.root)
                    return writer.text.utf8.count
                }
            },
            Workload(floor, isPeer: true) {
                let value = try JSONSerialization.jsonObject(with: Data(BenchmarkData.people))
                return .init(.bytes(BenchmarkData.people.count)) {
                    try JSONSerialization.data(withJSONObject: value).count
                }
            },
        ]
    }

    private static var validation: [Workload] {
        [
            Workload("1000people.json: validate, bytes of Fleece") {
                let fleece = try BenchmarkData.fleece(BenchmarkData.people).bytes
                return .init(.bytes(fleece.count)) {
                    try fleece.withUnsafeBytes { try FleeceValidation.structure.check($0) }
                    return 1
                }
            }
        ]
    }
}

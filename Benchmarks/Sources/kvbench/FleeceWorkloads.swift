import FleeceLite
import Foundation

/// From JSON to Fleece and back, and validation.
enum FleeceWorkloads {
    static func convertOnce() throws -> Int {
        try BenchmarkData.fleece(BenchmarkData.people).bytes.count
    }

    static func all() -> [Workload] {
        conversions + smallDocuments + others
    }

    /// Converts each text, with an encoder that is kept, into bytes that the caller owns.
    static func conversion(
        _ name: String, sharedKeys: SharedKeys?, bytes: Bool = false,
        texts: @escaping () throws -> [[UInt8]]
    ) -> Workload {
        Workload(name + (sharedKeys == nil ? "" : ", shared keys")) {
            let texts = try texts()
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

    private final class EncoderBox {
        var encoder: FleeceEncoder

        init(_ sharedKeys: SharedKeys?) {
            encoder = FleeceEncoder(sharedKeys: sharedKeys)
        }
    }

    private static var conversions: [Workload] {
        [nil, SharedKeys()].map { keys in
            conversion("1000people.json: JSON to Fleece", sharedKeys: keys, bytes: true) {
                [BenchmarkData.people]
            }
        } + [
            Workload("1000people.json: JSONSerialization reads") {
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
            conversion("documents of 390 bytes: JSON to Fleece", sharedKeys: keys) {
                BenchmarkData.small
            }
        } + [
            Workload("documents of 390 bytes: JSONSerialization reads") {
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

    private static var others: [Workload] {
        [
            Workload("1000people.json: Fleece to JSON, bytes of the file") {
                let document = try FleeceDocument(
                    trusted: BenchmarkData.fleece(BenchmarkData.people).bytes)
                return .init(.bytes(BenchmarkData.people.count)) {
                    var writer = JSONWriter()
                    try writer.write(document.root)
                    return writer.text.utf8.count
                }
            },
            Workload("1000people.json: JSONSerialization writes") {
                let value = try JSONSerialization.jsonObject(with: Data(BenchmarkData.people))
                return .init(.bytes(BenchmarkData.people.count)) {
                    try JSONSerialization.data(withJSONObject: value).count
                }
            },
            Workload("1000people.json: validate, bytes of Fleece") {
                let fleece = try BenchmarkData.fleece(BenchmarkData.people).bytes
                return .init(.bytes(fleece.count)) {
                    try fleece.withUnsafeBytes { try FleeceValidation.structure.check($0) }
                    return 1
                }
            },
        ]
    }
}

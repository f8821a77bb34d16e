import FleeceLite
import Foundation

/// The format itself: conversion, validation, lookup, iteration.
enum FleeceWorkloads {
    static func convertOnce() throws -> Int {
        var encoder = FleeceEncoder()
        try BenchmarkData.loadPeople().bytes.withUnsafeBytes { _ = try encoder.writeJSON($0) }
        return try encoder.withFinishedBytes { $0.count }
    }

    static func all(_ data: BenchmarkData) throws -> [Workload] {
        try conversions(data) + smallDocuments(data) + readings(data)
    }

    /// A pass that converts each text, with an encoder that is kept.
    static func conversion(
        _ name: String, _ texts: [[UInt8]], sharedKeys: SharedKeys?, amount: Workload.Amount
    ) -> Workload {
        let box = EncoderBox(sharedKeys)
        return Workload(name: name, amount: amount) {
            var sum = 0
            for text in texts {
                try text.withUnsafeBytes { _ = try box.encoder.writeJSON($0) }
                // The caller's own copy is part of the work.
                sum &+= try box.encoder.finish().count
            }
            return sum
        }
    }

    private final class EncoderBox {
        var encoder: FleeceEncoder

        init(_ sharedKeys: SharedKeys?) {
            encoder = FleeceEncoder(sharedKeys: sharedKeys)
        }
    }

    private static func conversions(_ data: BenchmarkData) throws -> [Workload] {
        let json = Data(data.people)
        let amount = Workload.Amount.bytes(data.people.count)
        return [
            conversion(
                "\(data.peopleName): JSON to Fleece", [data.people], sharedKeys: nil,
                amount: amount),
            conversion(
                "\(data.peopleName): JSON to Fleece, shared keys", [data.people],
                sharedKeys: SharedKeys(), amount: amount),
            Workload(name: "\(data.peopleName): JSONSerialization reads", amount: amount) {
                let value = try JSONSerialization.jsonObject(with: json)
                return (value as? [Any])?.count ?? 0
            },
        ]
    }

    private static func smallDocuments(_ data: BenchmarkData) throws -> [Workload] {
        let documents = data.small.map { Data($0) }
        let bytes = data.small.reduce(0) { $0 + $1.count } / data.small.count
        return [
            conversion(
                "documents of \(bytes) bytes: JSON to Fleece", data.small, sharedKeys: nil,
                amount: .items(data.small.count)),
            conversion(
                "documents of \(bytes) bytes: JSON to Fleece, shared keys", data.small,
                sharedKeys: SharedKeys(), amount: .items(data.small.count)),
            Workload(
                name: "documents of \(bytes) bytes: JSONSerialization reads",
                amount: .items(documents.count)
            ) {
                try documents.reduce(0) {
                    $0
                        + ((try JSONSerialization.jsonObject(with: $1) as? [String: Any])?.count
                            ?? 0)
                }
            },
        ]
    }

    private static func readings(_ data: BenchmarkData) throws -> [Workload] {
        var encoder = FleeceEncoder()
        try data.people.withUnsafeBytes { _ = try encoder.writeJSON($0) }
        let fleece = try encoder.finish()
        let document = try FleeceDocument(trusted: fleece)
        let value = try JSONSerialization.jsonObject(with: Data(data.people))
        return [
            Workload(
                name: "\(data.peopleName): Fleece to JSON", amount: .bytes(data.people.count)
            ) {
                var writer = JSONWriter()
                try writer.write(document.root)
                return writer.text.utf8.count
            },
            Workload(
                name: "\(data.peopleName): JSONSerialization writes",
                amount: .bytes(data.people.count)
            ) {
                try JSONSerialization.data(withJSONObject: value).count
            },
            Workload(
                name: "\(data.peopleName): copy and validate, bytes of Fleece",
                amount: .bytes(fleece.count)
            ) {
                try FleeceDocument(validating: fleece).root.array?.count ?? 0
            },
        ]
    }
}

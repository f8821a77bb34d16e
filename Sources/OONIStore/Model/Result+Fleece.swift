public import DocumentStore

// Written by hand for speed: each event of a measurement reads and writes its result.
extension OONIStore.TestResult: FleeceCodable {
    /// Reads the body of its document; properties that this version does not know are ignored.
    ///
    /// - Throws: a `DecodingError` for a missing property, or for one of another type.
    public init(_ properties: FleeceProperties) throws {
        id = try ID(properties.int64("id"))
        descriptor = try .init(properties.properties("descriptor"))
        startTime = try .init(milliseconds: properties.int64("startTime"))
        isViewed = try properties.bool("isViewed")
        isDone = try properties.bool("isDone")
        dataUsageUpKiB = try properties.int64("dataUsageUpKiB")
        dataUsageDownKiB = try properties.int64("dataUsageDownKiB")
        failureMessage = try properties.stringIfPresent("failureMessage")
        networkID = try properties.int64IfPresent("networkID").map { .init($0) }
        taskOrigin = try .init(rawValue: properties.string("taskOrigin"))
        runID = try properties.stringIfPresent("runID")
        expirationDate = try properties.int64IfPresent("expirationDate")
            .map { .init(milliseconds: $0) }
        counts = try .init(properties.properties("counts"))
    }

    /// Writes the body of its document, without the properties that are nil.
    public func write(to encoder: inout FleeceEncoder) throws {
        encoder.beginDictionary()
        try encoder.write("id", id.number)
        try encoder.writeKey("descriptor")
        try descriptor.write(to: &encoder)
        try encoder.write("startTime", startTime.milliseconds)
        try encoder.write("isViewed", isViewed)
        try encoder.write("isDone", isDone)
        try encoder.write("dataUsageUpKiB", dataUsageUpKiB)
        try encoder.write("dataUsageDownKiB", dataUsageDownKiB)
        try encoder.write("failureMessage", failureMessage)
        try encoder.write("networkID", networkID?.number)
        try encoder.write("taskOrigin", taskOrigin.rawValue)
        try encoder.write("runID", runID)
        try encoder.write("expirationDate", expirationDate?.milliseconds)
        try encoder.writeKey("counts")
        try counts.write(to: &encoder)
        try encoder.endDictionary()
    }
}

extension OONIStore.DescriptorReference {
    fileprivate init(_ properties: FleeceProperties) throws {
        name = try properties.stringIfPresent("name")
        key = try properties.valueIfPresent("key")
    }

    fileprivate func write(to encoder: inout FleeceEncoder) throws {
        encoder.beginDictionary()
        try encoder.write("name", name)
        try encoder.write("key", encoding: key)
        try encoder.endDictionary()
    }
}

extension OONIStore.Counts {
    fileprivate init(_ properties: FleeceProperties) throws {
        measurements = try properties.int("measurements")
        done = try properties.int("done")
        ok = try properties.int("ok")
        failed = try properties.int("failed")
        anomalies = try properties.int("anomalies")
        notUploaded = try properties.int("notUploaded")
        uploadFailed = try properties.int("uploadFailed")
    }

    fileprivate func write(to encoder: inout FleeceEncoder) throws {
        encoder.beginDictionary()
        try encoder.write("measurements", measurements)
        try encoder.write("done", done)
        try encoder.write("ok", ok)
        try encoder.write("failed", failed)
        try encoder.write("anomalies", anomalies)
        try encoder.write("notUploaded", notUploaded)
        try encoder.write("uploadFailed", uploadFailed)
        try encoder.endDictionary()
    }
}

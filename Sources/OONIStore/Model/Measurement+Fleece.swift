public import DocumentStore

// Written by hand for speed: each event of a run reads and writes a measurement.
extension OONIStore.Measurement: FleeceCodable {
    /// Reads the body of its document; properties that this version does not know are ignored.
    ///
    /// - Throws: a `DecodingError` for a missing property, or for one of another type.
    public init(_ properties: FleeceProperties) throws {
        id = try ID(properties.properties("id"))
        testName = try .init(rawValue: properties.string("testName"))
        startTime = try .init(milliseconds: properties.int64("startTime"))
        runtimeSeconds = try properties.doubleIfPresent("runtimeSeconds")
        isDone = try properties.bool("isDone")
        isUploaded = try properties.bool("isUploaded")
        isFailed = try properties.bool("isFailed")
        failureMessage = try properties.stringIfPresent("failureMessage")
        isUploadFailed = try properties.bool("isUploadFailed")
        uploadFailureMessage = try properties.stringIfPresent("uploadFailureMessage")
        isRerun = try properties.bool("isRerun")
        isAnomaly = try properties.bool("isAnomaly")
        reportID = try properties.stringIfPresent("reportID")
        uid = try properties.stringIfPresent("uid")
        verificationStatus = try properties.stringIfPresent("verificationStatus")
            .map { .init(rawValue: $0) }
        testKeys = try properties.valueIfPresent("testKeys")
        url = try properties.stringIfPresent("url")
        rerunNetwork = try properties.valueIfPresent("rerunNetwork")
    }

    /// Writes the body of its document, without the properties that are nil.
    public func write(to encoder: inout FleeceEncoder) throws {
        encoder.beginDictionary()
        try encoder.writeKey("id")
        try id.write(to: &encoder)
        try encoder.write("testName", testName.rawValue)
        try encoder.write("startTime", startTime.milliseconds)
        try encoder.write("runtimeSeconds", runtimeSeconds)
        try encoder.write("isDone", isDone)
        try encoder.write("isUploaded", isUploaded)
        try encoder.write("isFailed", isFailed)
        try encoder.write("failureMessage", failureMessage)
        try encoder.write("isUploadFailed", isUploadFailed)
        try encoder.write("uploadFailureMessage", uploadFailureMessage)
        try encoder.write("isRerun", isRerun)
        try encoder.write("isAnomaly", isAnomaly)
        try encoder.write("reportID", reportID)
        try encoder.write("uid", uid)
        try encoder.write("verificationStatus", verificationStatus?.rawValue)
        try encoder.write("testKeys", encoding: testKeys)
        try encoder.write("url", url)
        try encoder.write("rerunNetwork", encoding: rerunNetwork)
        try encoder.endDictionary()
    }
}

extension OONIStore.Measurement.ID {
    fileprivate init(_ properties: FleeceProperties) throws {
        self.init(
            OONIStore.TestResult.ID(try properties.int64("result")), try properties.int64("number"))
    }

    fileprivate func write(to encoder: inout FleeceEncoder) throws {
        encoder.beginDictionary()
        try encoder.write("result", result.number)
        try encoder.write("number", number)
        try encoder.endDictionary()
    }
}

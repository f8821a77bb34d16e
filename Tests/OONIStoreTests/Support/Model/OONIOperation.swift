import OONIStore

/// One change of a store, with all that it needs.
enum OONIOperation {
    case saveDescriptors([OONIStore.TestDescriptor])
    case insertDescriptors([OONIStore.TestDescriptor])
    case applyFetched(OONIStore.TestDescriptor)
    case install(OONIStore.TestDescriptor, OONIStore.Instant)
    case setAutoUpdate(Bool, String)
    case setRejected(Int?, String)
    case deleteDescriptor(String)
    case registerNetwork(OONIStore.NetworkDetails)
    case deleteUnusedNetworks
    case insertResult(
        OONIStore.DescriptorReference, OONIStore.Instant, OONIStore.TaskOrigin, run: String?,
        OONIStore.Network.ID?)
    case updateResult(OONIStore.TestResult.ID, ResultChange)
    case markAsViewed(OONIStore.TestResult.ID)
    case markAllAsViewed(OONIStore.ResultFilter)
    case markAsDone(OONIStore.TestResult.ID)
    case markAllAsDone
    case deleteResults([OONIStore.TestResult.ID])
    case deleteFiltered(OONIStore.ResultFilter)
    case setExpiration(OONIStore.TestResult.ID, OONIStore.Instant?)
    case deleteExpired(OONIStore.Instant)
    case retain(results: Int?, lastMonth: Bool)
    case insertMeasurement(OONIStore.TestName, OONIStore.TestResult.ID, String?, OONIStore.Instant)
    case updateMeasurement(OONIStore.Measurement.ID, MeasurementChange)
    case noteUpload(OONIStore.Measurements.UploadOutcome, OONIStore.Measurement.ID)
    case deleteMeasurement(OONIStore.Measurement.ID)
    case registerUrl(OONIStore.Url)
    case refreshArticles([OONIStore.Article])

    /// What is set; nil leaves a property as it is.
    struct ResultChange {
        var startTime: OONIStore.Instant?
        var upKiB: Int64?
        var run: String?
        var network: OONIStore.Network.ID?
        var descriptor: OONIStore.DescriptorReference?

        func apply(_ result: inout OONIStore.TestResult) {
            if let startTime { result.startTime = startTime }
            if let upKiB { result.dataUsageUpKiB = upKiB }
            if let run { result.runID = run }
            if let network { result.networkID = network }
            if let descriptor { result.descriptor = descriptor }
        }
    }

    /// What is set; nil leaves a property as it is.
    struct MeasurementChange {
        var isDone: Bool?
        var isUploaded: Bool?
        var isFailed: Bool?
        var isUploadFailed: Bool?
        var isAnomaly: Bool?
        var startTime: OONIStore.Instant?
        var testKeys: OONIStore.TestKeys?
        var url: String?

        func apply(_ measurement: inout OONIStore.Measurement) {
            if let isDone { measurement.isDone = isDone }
            if let isUploaded { measurement.isUploaded = isUploaded }
            if let isFailed { measurement.isFailed = isFailed }
            if let isUploadFailed { measurement.isUploadFailed = isUploadFailed }
            if let isAnomaly { measurement.isAnomaly = isAnomaly }
            if let startTime { measurement.startTime = startTime }
            if let testKeys { measurement.testKeys = testKeys }
            if let url { measurement.url = url }
        }
    }
}

// The names that examples in OONIStore's documentation use without declaring them.
import OONIStore

var probe: OONIStore { never() }
var link: OONIStore.TestDescriptor { never() }
var resultID: OONIStore.TestResult.ID { never() }
var measurementID: OONIStore.Measurement.ID { never() }
var startTime: OONIStore.Instant { never() }
/// Fetches a descriptor from OONI's server.
func fetchLink(_ runID: String) async throws -> OONIStore.TestDescriptor { never() }
/// Sends a report to OONI's server; returns its identifier there.
func sendReport(_ fileName: String) async throws -> String { never() }
func removeFiles(_ names: [String]) throws {}

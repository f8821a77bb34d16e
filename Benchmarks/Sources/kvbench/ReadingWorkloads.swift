import FleeceLite
import Foundation

/// Lookup and iteration in the people of the reference's file.
enum ReadingWorkloads {
    static func all() -> [Workload] { [] }
}

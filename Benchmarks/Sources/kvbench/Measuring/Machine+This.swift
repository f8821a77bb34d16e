import BenchmarkReport
import Foundation
import SQLCore

extension Machine {
    /// The machine that this program runs on.
    static var this: Machine {
        Machine(
            system: ProcessInfo.processInfo.operatingSystemVersionString, processor: processorName,
            cores: ProcessInfo.processInfo.processorCount,
            memory: Int(ProcessInfo.processInfo.physicalMemory), swift: compiler,
            sqlite: SQLContext.version, sqliteOptions: sqliteOptions)
    }

    private static var sqliteOptions: [String] {
        SQLContext.compileOptions.map { name, value in
            switch value {
            case .long(let number): "\(name)=\(number)"
            case .text(let text): "\(name)=\(text)"
            default: name
            }
        }.sorted()
    }

    private static var processorName: String {
        let information = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
        let line = information?.split(separator: "\n").first { $0.hasPrefix("model name") }
        let name = line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
        return name ?? "unknown"
    }

    private static var compiler: String {
        #if compiler(>=6.4)
            "6.4 or later"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }
}

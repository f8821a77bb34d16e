/// The compiler of this program, on which its instructions depend.
enum Compiler {
    /// Such as `swift-6.3`: that of the program; a compiler found at run time may be another.
    static var name: String {
        #if compiler(>=7.0)
            "swift-7"
        #elseif compiler(>=6.6)
            "swift-6.6"
        #elseif compiler(>=6.5)
            "swift-6.5"
        #elseif compiler(>=6.4)
            "swift-6.4"
        #elseif compiler(>=6.3)
            "swift-6.3"
        #else
            "swift-6.2"
        #endif
    }

    static var architecture: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "arm64"
        #else
            "other"
        #endif
    }
}

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

// The calls of C that `System` has methods of the same name for. Inside it those names are its own,
// and C's would have to be written with the name of the platform's library.

/// `read`
func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}

/// `write`
func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

/// `open`
func openFile(_ path: String, _ flags: Int32, _ permissions: mode_t = 0) -> Int32 {
    open(path, flags, permissions)
}

/// `close`
func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }

import Foundation

/// Sockets of TCP on this machine's loopback interface, 127.0.0.1.
package enum Loopback {
    /// Connects with a port; nil if nothing accepts connections there.
    package static func connected(to port: Int) -> Int32? {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let result = withAddress(of: port) { connect(file, $0, $1) }
        guard result == 0 else {
            close(file)
            return nil
        }
        return file
    }

    /// A socket with a port of its own, on which it does not listen yet.
    package static func bound() throws -> (file: Int32, port: Int) {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var port = 0
        let result = withAddress(of: 0) { address, size in
            var length = size
            guard bind(file, address, size) == 0,
                getsockname(file, address, &length) == 0
            else { return Int32(-1) }
            port = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                Int(in_port_t(bigEndian: $0.pointee.sin_port))
            }
            return 0
        }
        guard result == 0 else { throw Failure(code: errno) }
        return (file, port)
    }

    /// A call of the system that has failed, with its `errno`.
    package struct Failure: Error {
        package let code: Int32
    }

    private static func withAddress(
        of port: Int, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

internal import NIOSSL

extension WebSocketTLS {
    /// - Throws: ``WebSocketError/incompatible(_:)`` if a certificate or a key cannot be read.
    func clientContext() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        try apply(to: &configuration)
        return try context(configuration)
    }

    /// The same for a server. It asks for no certificates of clients unless some are trusted.
    func serverContext() throws -> NIOSSLContext {
        guard let identity else {
            throw WebSocketError.incompatible("a server with TLS needs a certificate and a key")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try identity.certificateChain(),
            privateKey: .privateKey(try identity.privateKey()))
        if case .certificates = trust {
            try apply(to: &configuration)
            configuration.certificateVerification = .noHostnameVerification
        }
        return try context(configuration)
    }

    private func apply(to configuration: inout TLSConfiguration) throws {
        switch trust {
        case .system: break
        case .all: configuration.certificateVerification = .none
        case .certificates(let pem):
            configuration.trustRoots = .certificates(
                try Self.readable("a trusted certificate") {
                    try NIOSSLCertificate.fromPEMBytes(pem)
                })
        }
        guard let identity else { return }
        configuration.certificateChain = try identity.certificateChain()
        configuration.privateKey = .privateKey(try identity.privateKey())
    }

    private func context(_ configuration: TLSConfiguration) throws -> NIOSSLContext {
        try Self.readable("the certificate and the key") {
            try NIOSSLContext(configuration: configuration)
        }
    }

    fileprivate static func readable<T>(_ what: String, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch {
            throw WebSocketError.incompatible("\(what) cannot be used: \(error)")
        }
    }
}

extension WebSocketTLS.Identity {
    fileprivate func certificateChain() throws -> [NIOSSLCertificateSource] {
        try WebSocketTLS.readable("the certificate") {
            try NIOSSLCertificate.fromPEMBytes(certificates).map { .certificate($0) }
        }
    }

    fileprivate func privateKey() throws -> NIOSSLPrivateKey {
        try WebSocketTLS.readable("the key") { try NIOSSLPrivateKey(bytes: key, format: .pem) }
    }
}

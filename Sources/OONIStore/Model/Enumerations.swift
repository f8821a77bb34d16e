extension OONIStore {
    /// Who started a run: the user, or the app in the background.
    ///
    /// ``ResultFilter/taskOrigin`` filters results by it. A value of a newer app is retained
    /// unchanged.
    ///
    /// ```swift
    /// let filter = OONIStore.ResultFilter(taskOrigin: .autorun)
    /// let automatic = try probe.read { try probe.results.totals(filter, in: $0).results }
    /// ```
    public struct TaskOrigin: OpenEnumeration {
        /// The string as stored, such as `ooni-run`.
        public let rawValue: String

        /// Creates a value from its string, known or not.
        ///
        /// - Parameter rawValue: the string as stored, such as `autorun`; it is not checked.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The user: stored as `ooni-run`, and the default of a new result.
        public static let ooniRun = Self(rawValue: "ooni-run")
        /// The app, in the background: stored as `autorun`.
        public static let autorun = Self(rawValue: "autorun")

        /// The values known to this version: `ooni-run` and `autorun`.
        public static let known: [Self] = [
            .ooniRun, .autorun,
        ]
    }

    /// How a device was connected to a network.
    ///
    /// It is part of the identity of a network: the same operator by Wi-Fi and by VPN are two
    /// networks of a store. A value of a newer app is retained unchanged.
    public struct NetworkType: OpenEnumeration {
        /// The string as stored, such as `wired_ethernet`.
        public let rawValue: String

        /// Creates a value from its string, known or not.
        ///
        /// - Parameter rawValue: the string as stored, such as `wifi`; it is not checked.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A virtual private network, whatever it runs over: stored as `vpn`.
        public static let vpn = Self(rawValue: "vpn")
        /// Wi-Fi: stored as `wifi`.
        public static let wifi = Self(rawValue: "wifi")
        /// A mobile network: stored as `mobile`.
        public static let mobile = Self(rawValue: "mobile")
        /// A cable: stored as `wired_ethernet`.
        public static let wiredEthernet = Self(rawValue: "wired_ethernet")
        /// Another device, by Bluetooth: stored as `bluetooth`.
        public static let bluetooth = Self(rawValue: "bluetooth")
        /// Another device, by USB: stored as `usb`.
        public static let usb = Self(rawValue: "usb")
        /// Not connected: stored as `no_internet`.
        public static let noInternet = Self(rawValue: "no_internet")

        /// The values known to this version, for a screen on which networks are filtered.
        public static let known: [Self] = [
            .vpn, .wifi, .mobile, .wiredEthernet, .bluetooth, .usb, .noInternet,
        ]
    }

    /// A test of OONI's engine; an unknown one is experimental.
    ///
    /// Names come from OONI Run links, which anyone can publish, so any string can occur. File
    /// names derived from it do not lead to another directory: see ``Measurement/reportFileName``.
    ///
    /// ```swift
    /// let test = OONIStore.TestName(rawValue: "vanilla_tor")
    /// show(test.isKnown)  // false: an experimental test
    /// ```
    public struct TestName: OpenEnumeration {
        /// The string as stored and as OONI's engine uses it, such as `web_connectivity`.
        public let rawValue: String

        /// Creates a value from its string, known or not.
        ///
        /// - Parameter rawValue: the string as stored, such as `web_connectivity`; it is not
        ///   checked.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Streaming of video: the bitrate at which a video would play.
        ///
        /// Stored as `dash`. Its measurements have ``TestKeys/simple``.
        public static let dash = Self(rawValue: "dash")
        /// Facebook Messenger: whether its servers can be reached.
        ///
        /// Stored as `facebook_messenger`.
        public static let facebookMessenger = Self(rawValue: "facebook_messenger")
        /// Middleboxes, detected by changed headers of HTTP requests.
        ///
        /// Stored as `http_header_field_manipulation`.
        public static let httpHeaderFieldManipulation = Self(
            rawValue: "http_header_field_manipulation")
        /// Middleboxes, detected by their responses to invalid requests of HTTP.
        ///
        /// Stored as `http_invalid_request_line`.
        public static let httpInvalidRequestLine = Self(rawValue: "http_invalid_request_line")
        /// The speed of the network: upload, download and latency.
        ///
        /// Stored as `ndt`. Its measurements have ``TestKeys/summary``.
        public static let ndt = Self(rawValue: "ndt")
        /// Psiphon, a tool of circumvention: whether it can connect.
        ///
        /// Stored as `psiphon`.
        public static let psiphon = Self(rawValue: "psiphon")
        /// Signal: whether its servers can be reached.
        ///
        /// Stored as `signal`.
        public static let signal = Self(rawValue: "signal")
        /// Telegram: whether its servers can be reached.
        ///
        /// Stored as `telegram`.
        public static let telegram = Self(rawValue: "telegram")
        /// Tor: whether its bridges and directory authorities can be reached.
        ///
        /// Stored as `tor`.
        public static let tor = Self(rawValue: "tor")
        /// Websites: whether they can be reached and respond as elsewhere.
        ///
        /// Stored as `web_connectivity`. Its inputs are registered as websites when a descriptor is
        /// saved.
        public static let webConnectivity = Self(rawValue: "web_connectivity")
        /// WhatsApp: whether its servers can be reached.
        ///
        /// Stored as `whatsapp`.
        public static let whatsapp = Self(rawValue: "whatsapp")

        /// The tests known to this version, by their names.
        ///
        /// A name that is missing here is a test of a later engine, or an experimental one.
        public static let known: [Self] = [
            .dash, .facebookMessenger, .httpHeaderFieldManipulation, .httpInvalidRequestLine,
            .ndt, .psiphon, .signal, .telegram, .tor, .webConnectivity, .whatsapp,
        ]

        /// Whether the test measures speeds: `dash` and `ndt`. Only such measurements have
        /// ``Measurement/testKeys``.
        public var isPerformance: Bool { self == .dash || self == .ndt }
    }

    /// The verification status of an uploaded measurement at OONI's server.
    ///
    /// The server reports it with the upload; record it with ``Measurements/noteUpload(_:of:in:)``.
    public struct VerificationStatus: OpenEnumeration {
        /// The string as stored, such as `Verified`.
        public let rawValue: String

        /// Creates a value from its string, known or not.
        ///
        /// - Parameter rawValue: the string as stored, such as `Verified`; it is not checked.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The measurement is verified: stored as `Verified`.
        public static let verified = Self(rawValue: "Verified")
        /// The verification failed: stored as `Failed`.
        public static let failed = Self(rawValue: "Failed")
        /// The measurement has not been verified: stored as `Unverified`.
        public static let unverified = Self(rawValue: "Unverified")

        /// The values known to this version: verified, failed and unverified.
        public static let known: [Self] = [
            .verified, .failed, .unverified,
        ]
    }
}

extension OONIStore {
    /// Who started a run.
    public struct TaskOrigin: OpenEnumeration {
        /// The string as stored.
        public let rawValue: String

        /// Creates a value from its string, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The user.
        public static let ooniRun = Self(rawValue: "ooni-run")
        /// The app, in the background.
        public static let autorun = Self(rawValue: "autorun")

        /// The values known to this version.
        public static let known: [Self] = [
            .ooniRun, .autorun,
        ]
    }

    /// How a device was connected.
    public struct NetworkType: OpenEnumeration {
        /// The string as stored.
        public let rawValue: String

        /// Creates a value from its string, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A virtual private network.
        public static let vpn = Self(rawValue: "vpn")
        /// Wi-Fi.
        public static let wifi = Self(rawValue: "wifi")
        /// A mobile network.
        public static let mobile = Self(rawValue: "mobile")
        /// A cable.
        public static let wiredEthernet = Self(rawValue: "wired_ethernet")
        /// Another device, by Bluetooth.
        public static let bluetooth = Self(rawValue: "bluetooth")
        /// Another device, by USB.
        public static let usb = Self(rawValue: "usb")
        /// Not connected.
        public static let noInternet = Self(rawValue: "no_internet")

        /// The values known to this version.
        public static let known: [Self] = [
            .vpn, .wifi, .mobile, .wiredEthernet, .bluetooth, .usb, .noInternet,
        ]
    }

    /// A test of OONI's engine; an unknown one is experimental.
    public struct TestName: OpenEnumeration {
        /// The string as stored.
        public let rawValue: String

        /// Creates a value from its string, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Streaming of video.
        public static let dash = Self(rawValue: "dash")
        /// Facebook Messenger.
        public static let facebookMessenger = Self(rawValue: "facebook_messenger")
        /// Middleboxes, detected by changed headers.
        public static let httpHeaderFieldManipulation = Self(
            rawValue: "http_header_field_manipulation")
        /// Middleboxes, detected by their responses to invalid requests.
        public static let httpInvalidRequestLine = Self(rawValue: "http_invalid_request_line")
        /// The speed of the network.
        public static let ndt = Self(rawValue: "ndt")
        /// Psiphon.
        public static let psiphon = Self(rawValue: "psiphon")
        /// Signal.
        public static let signal = Self(rawValue: "signal")
        /// Telegram.
        public static let telegram = Self(rawValue: "telegram")
        /// Tor.
        public static let tor = Self(rawValue: "tor")
        /// Websites.
        public static let webConnectivity = Self(rawValue: "web_connectivity")
        /// WhatsApp.
        public static let whatsapp = Self(rawValue: "whatsapp")

        /// The values known to this version.
        public static let known: [Self] = [
            .dash, .facebookMessenger, .httpHeaderFieldManipulation, .httpInvalidRequestLine,
            .ndt, .psiphon, .signal, .telegram, .tor, .webConnectivity, .whatsapp,
        ]

        /// Whether the test has keys to store: the speeds that the lists show.
        public var isPerformance: Bool { self == .dash || self == .ndt }
    }

    /// The verification status of an uploaded measurement at OONI's server.
    public struct VerificationStatus: OpenEnumeration {
        /// The string as stored.
        public let rawValue: String

        /// Creates a value from its string, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The measurement is verified.
        public static let verified = Self(rawValue: "Verified")
        /// The verification failed.
        public static let failed = Self(rawValue: "Failed")
        /// The measurement has not been verified.
        public static let unverified = Self(rawValue: "Unverified")

        /// The values known to this version.
        public static let known: [Self] = [
            .verified, .failed, .unverified,
        ]
    }
}

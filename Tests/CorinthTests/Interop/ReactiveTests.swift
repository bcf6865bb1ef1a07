import Corinth
import CorinthFoundation
import CorinthTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct ReactiveTests {
    private final class Player: ReactiveExtensionsProvider, @unchecked Sendable {  // Used by one thread.
        var volume = 0
    }

    @MainActor
    private final class Screen: ReactiveExtensionsProvider {
        var text = "" { didSet { MainActor.assertIsolated() } }
    }

    @Test func base() {
        let player = Player()
        #expect(player.reactive.base === player)
        #expect(Player.reactive == Reactive<Player>.self)
    }

    @Test func targetOfAKeyPath() {
        var player: Player? = Player()
        weak let weakPlayer = player
        let (signal, input) = Signal<Int, Never>.pipe()
        let disposable = player.sure.reactive[\.volume] <~ signal
        input.send(value: 3)
        #expect(player?.volume == 3)
        player = nil
        #expect(weakPlayer == nil)
        input.send(value: 4)
        #expect(disposable?.isDisposed == true)
    }

    @Test @MainActor func `Any thread sets a property of the main actor there; the main thread does so at once`() async
    {
        var screen: Screen? = Screen()
        let (signal, input) = Signal<String, Never>.pipe()
        let disposable = screen.sure.reactive[\.text, on: MainActor.self] <~ signal
        input.send(value: "at once")
        #expect(screen?.text == "at once")
        await Task.detached { input.send(value: "later") }.value
        while screen?.text == "at once" { await Task.yield() }
        #expect(screen?.text == "later")
        screen = nil
        input.send(value: "never")
        #expect(disposable?.isDisposed == true)
    }

    @Test @MainActor func `A target of a lifetime sets a property of the main actor`() {
        let screen = Screen()
        let (signal, input) = Signal<String, Never>.pipe()
        let (lifetime, token) = Lifetime.make()
        BindingTarget(on: MainActor.self, lifetime: lifetime, object: screen, keyPath: \.text) <~ signal
        input.send(value: "bound")
        token.dispose()
        input.send(value: "too late")
        #expect(screen.text == "bound")
    }

    @Test func notifications() {
        let center = NotificationCenter()
        let name = Notification.Name("played")
        let sender = Player()
        let names = EventRecorder<String, Never>()
        let senders = EventRecorder<Bool, Never>()
        let disposable = center.reactive.notifications(forName: name, object: sender)
            .map { ($0.object as AnyObject) is Player }.observe(senders.observer)
        let other = center.reactive.notifications(forName: nil).map(\.name.rawValue).observe(names.observer)
        center.post(name: name, object: sender)
        center.post(name: name, object: nil)
        disposable?.dispose()
        center.post(name: Notification.Name("stopped"), object: sender)
        #expect(senders.values == [true])
        #expect(names.values == ["played", "played", "stopped"])
        #expect(names.termination == nil)
        other?.dispose()
        center.post(name: name, object: sender)
        #expect(names.values.count == 3)
    }

    /// Answers requests without a network: it returns the path of the address, or an error for "/missing".
    private final class Answering: URLProtocol {
        override static func canInit(with request: URLRequest) -> Bool { true }
        override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }
        override func stopLoading() {}

        override func startLoading() {
            guard let url = request.url, url.path != "/missing" else {
                client?.urlProtocol(self, didFailWithError: URLError(.fileDoesNotExist))
                return
            }
            let response = URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: Data(url.path.utf8))
            client?.urlProtocolDidFinishLoading(self)
        }
    }

    /// The events of a request, as text.
    private func events(of path: String) async throws -> [String] {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [Answering.self]
        let session = URLSession(configuration: configuration)
        let request = URLRequest(url: try #require(URL(string: "test://host\(path)")))
        let words = Holder([String]())
        await withCheckedContinuation { continuation in
            session.reactive.data(with: request).start { event in
                switch event {
                case .value((let data, _)): words.held.append(String(decoding: data, as: UTF8.self))
                case .failed: words.held.append("failed")
                case .completed: words.held.append("completed")
                case .interrupted: words.held.append("interrupted")
                }
                if event.isTerminating { continuation.resume() }
            }
        }
        return words.held
    }

    @Test func data() async throws {
        #expect(try await events(of: "/hello") == ["/hello", "completed"])
    }

    @Test func missingData() async throws {
        #expect(try await events(of: "/missing") == ["failed"])
    }

    @Test func disposalOfARequest() throws {
        let request = URLRequest(url: try #require(URL(string: "test://host/")))
        let recorder = EventRecorder<(Data, URLResponse), any Error>()
        let session = URLSession(configuration: .ephemeral)
        session.reactive.data(with: request).start(recorder.observer).dispose()
        #expect(recorder.events.count == 1)
    }
}

internal import CCorinth

/// A word that says which thread owns something, and that may be *biased* to the thread that uses it most.
///
/// The thread to which the word is biased enters and leaves with plain loads and stores: it marks itself inside, executes a
/// light barrier, and looks at the word once more. A thread that finds the word biased to another one takes the bias back: it
/// changes the word, executes a heavy barrier, and looks whether the other one is inside. At least one of the two sees what the
/// other wrote.
///
///      63 … 61        60 … 4                  3         2         1         0
///     | generation | the state's own bits | biased | unclaimed | state's | owned |
///
/// On arm64 the generation is in bits 53 to 55, between the state's own bits.
///
/// - biased: the word belongs to a thread, whose number the state's bits hold. Not owned, as the word alone tells.
/// - unclaimed, with owned: a bias was taken back, or ended from inside. Either the thread that had it is inside, or it is
///   about to look at the word again; or the thread that took it is about to look whether the first one is inside. Both may
///   claim the word with a compare-exchange. The one that wins is the owner. At a strand, nobody else may: the loser has left
///   its event to the winner, and doesn't look again. At a flag it does.
///
/// A thread may be suspended between its look at the word and its mark. The mark then comes when the bias is long gone. So each
/// bias has a generation with a byte of its own, and a thread's number is never used again. After the last generation the word
/// stays unbiased.
///
/// `namesOwner` says, in the functions below, whether the state's own bits are the token of the owning thread. Then an unclaimed
/// word has the token of the thread that had the bias. Otherwise the state's own bits are kept when the word is claimed.
///
/// Source: *Quickly Reacquirable Locks*, David Dice, Mark Moir, William Scherer, 2003, with `membarrier` in place of its
/// fence.
@frozen
@usableFromInline
@safe struct BiasedWord: ~Copyable, Sendable {
    @usableFromInline let word = AtomicWord()

    /// For each generation whether its thread is inside. Written by that thread alone.
    @usableFromInline let inside = AtomicBytes()

    @inlinable @inline(__always)
    init() {}

    @inlinable @inline(__always)
    static var owned: UInt64 { 1 }

    @inlinable @inline(__always)
    static var unclaimed: UInt64 { 4 }

    @inlinable @inline(__always)
    static var biased: UInt64 { 8 }

    /// Which byte belongs to the generation of a word.
    @inlinable @inline(__always)
    static func generation(of bits: UInt64) -> Int { Int(truncatingIfNeeded: bits >> generationBits) & 7 }

    /// The lowest bit of the generation. An unclaimed strand holds the address of a node, too. On arm64 a heap may tag its
    /// addresses in bits 56 to 63, as those of Android and of address sanitizers do.
    @inlinable @inline(__always)
    static var generationBits: UInt64 {
        #if arch(arm64)
            53
        #else
            61
        #endif
    }

    /// The bits of a thread's token.
    @inlinable @inline(__always)
    static var tokens: UInt64 { ~(generations | 15) }

    /// The bits of the generation.
    @inlinable @inline(__always)
    static var generations: UInt64 { 7 << generationBits }

    /// The number of generations.
    static var generationLimit: Int { 8 }

    /// Whether anything may be biased in this process.
    @usableFromInline
    static var isPossible: Bool {
        #if Exploration
            Explorer.limit(.biasing, usually: 0) > 0
        #else
            AsymmetricBarrier.isAsymmetric
        #endif
    }

    /// The word when it is biased to a thread.
    static func bits(for thread: ThreadState, _ generation: Int) -> UInt64 {
        thread.token | BiasedWord.biased | UInt64(generation) << generationBits
    }

    // MARK: The thread to which the word is biased

    /// Whether the word is biased to a thread.
    @inlinable @inline(__always)
    static func isBiased(_ bits: UInt64, to thread: ThreadState) -> Bool { bits & ~generations == thread.bias }

    /// Enters if the word is biased to the calling thread and the thread is outside.
    ///
    /// - Returns: Whether the caller owns the word now: by its bias or, if that was taken back meanwhile, without.
    @inlinable @inline(__always)
    func tryEnterByBias(_ thread: ThreadState, namesOwner: Bool = false) -> Bool {
        #if Exploration
            // The look at a word without a bias changes nothing, but doubles the schedules.
            if !BiasedWord.isPossible { return false }
        #endif
        // relaxed: the word is compared with what only this thread can make of it, and this thread was the last owner.
        let seen = word.load(.relaxed)
        guard BiasedWord.isBiased(seen, to: thread) else { return false }
        let generation = BiasedWord.generation(of: seen)
        // relaxed: no other thread writes this byte. Set if this thread is inside already.
        guard inside.load(generation, .relaxed) == 0 else { return false }
        inside.store(1, generation, .relaxed)
        AsymmetricBarrier.lightIfAsymmetric()
        // relaxed: against the heavy barrier in `takeBias(_:namesOwner:)`.
        if word.load(.relaxed) == seen { return true }
        return claim(generation, namesOwner: namesOwner)
    }

    /// Leaves, if the calling thread is inside by its bias.
    ///
    /// - Returns: Whether the caller still owns the word: it wasn't inside by its bias, or that was taken back.
    @inlinable @inline(__always)
    func leaveByBias(_ thread: ThreadState, namesOwner: Bool = false) -> Bool {
        #if Exploration
            if !BiasedWord.isPossible { return true }
        #endif
        // relaxed: as in `tryEnterByBias(_:namesOwner:)`.
        let seen = word.load(.relaxed)
        guard BiasedWord.isBiased(seen, to: thread) else { return true }
        let generation = BiasedWord.generation(of: seen)
        // release: publishes this owner's writes. Pairs with the acquire in `takeBias(_:namesOwner:)`.
        inside.store(0, generation, .release)
        AsymmetricBarrier.lightIfAsymmetric()
        // relaxed: as above.
        return word.load(.relaxed) != seen && claim(generation, namesOwner: namesOwner)
    }

    /// Makes the calling thread the owner without a bias. It owns the word already, by its bias or without.
    func giveUpBias(_ thread: ThreadState, namesOwner: Bool = false) {
        #if Exploration
            if !BiasedWord.isPossible { return }
        #endif
        // relaxed: no other thread owns the word.
        let seen = word.load(.relaxed)
        let isBiased = BiasedWord.isBiased(seen, to: thread)
        let owned = namesOwner ? thread.token | BiasedWord.owned : BiasedWord.owned
        if isBiased, word.compareExchange(seen, owned, .relaxed).won { return }
        if isBiased || seen & BiasedWord.unclaimed != 0 {
            _ = claim(BiasedWord.generation(of: seen), namesOwner: namesOwner)
        }
    }

    /// Whether the thread that has the bias is inside, or was when the bias was taken back. Exact for this thread only, and
    /// for threads that neither enter nor leave meanwhile.
    ///
    /// - Parameter seen: A word that is biased or unclaimed.
    func isInside(_ seen: UInt64) -> Bool {
        // relaxed: only that thread writes this byte.
        inside.load(BiasedWord.generation(of: seen), .relaxed) != 0
    }

    // MARK: Other threads

    /// Takes the bias back that the calling thread has seen.
    ///
    /// - Returns: Whether the caller owns the word now.
    @inline(never)
    func takeBias(_ seen: UInt64, namesOwner: Bool = false) -> Bool {
        let generation = BiasedWord.generation(of: seen)
        let kept = namesOwner ? BiasedWord.generations | BiasedWord.tokens : BiasedWord.generations
        // acquire: sees what was written before the bias was given.
        guard
            word.compareExchange(
                seen, BiasedWord.owned | BiasedWord.unclaimed | seen & kept, .acquire
            ).won
        else { return false }
        AsymmetricBarrier.heavy()
        if generation == 0 { BiasRate.countTaken() }
        // acquire: sees what the biased thread wrote. Pairs with the release in `leaveByBias(_:namesOwner:)`.
        return inside.load(generation, .acquire) == 0 && claim(generation, namesOwner: namesOwner)
    }

    /// Claims the word, if the bias of this generation was taken back and nobody has claimed it yet.
    @usableFromInline
    @inline(never)
    func claim(_ generation: Int, namesOwner: Bool) -> Bool {
        let mark = BiasedWord.unclaimed | BiasedWord.generations
        let replaced = namesOwner ? mark | BiasedWord.tokens : mark
        let owner = namesOwner ? ThreadState.current.token : 0
        // relaxed: the claiming thread knows what the last owner wrote: it was that itself, or has read its byte.
        return word.update(.relaxed) { (seen: UInt64) in
            seen & (mark | BiasedWord.biased) == BiasedWord.unclaimed | UInt64(generation) << BiasedWord.generationBits
                ? seen & ~replaced | owner : nil
        }.new != nil
    }
}

/// When a word is biased: at once for the first thread that uses it; after that was taken back, for a thread that has used it
/// many times in a row without meeting another. Owned by the word's owner.
@frozen
@usableFromInline
struct BiasHistory {
    /// The low bits of the number of the thread that used the word last.
    private var thread: UInt32 = 0

    /// How often in a row.
    private var entries: UInt16 = 0

    /// How many biases there have been.
    private var generation: UInt8 = 0

    /// Whether the thread that had the bias has ended it itself and may have the same again. Nobody else has owned the word since.
    private(set) var isKept = false

    @usableFromInline
    init() {}

    /// The bits of a new one.
    @inlinable @inline(__always)
    static var none: UInt64 { 0 }

    /// Counts an entry of a thread.
    ///
    /// - Returns: The generation of the bias that the thread gets; nil if it gets none.
    mutating func next(for current: ThreadState) -> Int? {
        let number = UInt32(truncatingIfNeeded: current.token >> 4)
        if number != thread {
            thread = number
            entries = 0
            isKept = false
        }
        if entries < .max { entries += 1 }
        if isKept {
            isKept = false
            return Int(generation) - 1
        }
        guard generation < BiasedWord.generationLimit, entries >= threshold else { return nil }
        entries = 0
        generation += 1
        return Int(generation) - 1
    }

    /// How many biases a strand has given, as seen by a thread that doesn't own it.
    ///
    /// - Parameter word: That of the strand, whose history lies behind it.
    static func given(behind word: UnsafeRawPointer) -> Int {
        let offset = MemoryLayout<BiasHistory>.offset(of: \.generation) ?? 0
        return Int(unsafe ccorinth_peek(word + MemoryLayout<BiasedWord>.size + offset))
    }

    /// Notes that the thread that had the bias has ended it itself.
    mutating func keep() { isKept = true }

    /// Notes that the owner has met another thread. No thread has the number 0, so the next entry is one of another thread.
    mutating func meet() { thread = 0 }

    private var threshold: UInt16 {
        #if Exploration
            if Explorer.isControlled { return 1 }
        #endif
        return switch generation {
        case 0: BiasRate.isLow ? 1 : 64
        case 1: 64
        case 2: 1_024
        default: 16_384
        }
    }
}

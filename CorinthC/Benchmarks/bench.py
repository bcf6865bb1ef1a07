"""The rows in Python: bench.py ROUNDS, as bench.c."""

import asyncio
import ctypes
import queue
import sys
import threading
import time

corinth = ctypes.CDLL("libcorinth.so.0")
Handle = ctypes.c_void_p


class Value(ctypes.Structure):
    _fields_ = [("bits", ctypes.c_uint64), ("owner", Handle)]


OnValue = ctypes.CFUNCTYPE(None, ctypes.c_void_p, Value)
OnBatch = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(Value), ctypes.c_size_t)
OnEnd = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
Release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Observer(ctypes.Structure):
    _fields_ = [("context", ctypes.c_void_p), ("value", OnValue), ("end", OnEnd), ("release", Release)]


class BatchObserver(ctypes.Structure):
    _fields_ = [("context", ctypes.c_void_p), ("values", OnBatch), ("end", OnEnd), ("release", Release)]


def declare(name, result, *arguments):
    function = getattr(corinth, "corinth_" + name)
    function.restype, function.argtypes = result, arguments
    return function


pipe = declare("pipe", Handle, ctypes.c_void_p, ctypes.POINTER(Handle))
send = declare("send", None, Handle, Value)
end = declare("end", None, Handle, ctypes.c_int, ctypes.c_void_p)
observe = declare("observe", Handle, Handle, ctypes.POINTER(Observer))
queue_create = declare("queue_create", Handle, ctypes.c_char_p)
observe_on = declare("observe_on", Handle, Handle, Handle, ctypes.c_void_p)
observe_batches = declare(
    "observe_batches", Handle, Handle, Handle, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64,
    ctypes.POINTER(BatchObserver))
release = declare("release", None, ctypes.c_void_p)


def measure(n, connect):
    """`connect` observes a signal, and gives what has to be kept."""
    feed = Handle()
    signal = pipe(None, ctypes.byref(feed))
    over = threading.Event()
    kept = connect(signal, over)
    begin = time.perf_counter()
    for i in range(n):
        send(feed, Value(i, None))
    end(feed, 0, None)
    over.wait()
    elapsed = time.perf_counter() - begin
    del kept
    release(signal)
    release(feed)
    return elapsed / n * 1e9


total = 0


def add(_, value):
    global total
    total += value.bits


def add_batch(_, values, count):
    global total
    total += sum(value.bits for value in values[:count])


def observed(n):
    def connect(signal, over):
        observer = Observer(None, OnValue(add), OnEnd(lambda *_: over.set()), Release(0))
        release(observe(signal, ctypes.byref(observer)))
        return observer
    return measure(n, connect)


def hop(n):
    def connect(signal, over):
        observer = Observer(None, OnValue(add), OnEnd(lambda *_: over.set()), Release(0))
        here = observe_on(signal, queue_create(b"bench"), None)
        release(observe(here, ctypes.byref(observer)))
        return observer
    return measure(n, connect)


def batches(n):
    def connect(signal, over):
        observer = BatchObserver(None, OnBatch(add_batch), OnEnd(lambda *_: over.set()), Release(0))
        release(observe_batches(signal, queue_create(b"bench"), None, 256, 5_000_000, ctypes.byref(observer)))
        return observer
    return measure(n, connect)


def through_queue(n):
    values = queue.Queue(16384)

    def consume():
        global total
        while (value := values.get()) is not None:
            total += value

    thread = threading.Thread(target=consume)
    begin = time.perf_counter()
    thread.start()
    for i in range(n):
        values.put(i)
    values.put(None)
    thread.join()
    return (time.perf_counter() - begin) / n * 1e9


def through_asyncio(n):
    async def run():
        global total
        values = asyncio.Queue(16384)

        async def consume():
            global total
            while (value := await values.get()) is not None:
                total += value

        task = asyncio.create_task(consume())
        for i in range(n):
            await values.put(i)
        await values.put(None)
        await task

    begin = time.perf_counter()
    asyncio.run(run())
    return (time.perf_counter() - begin) / n * 1e9


ROWS = [
    ("Python, observed: Corinth", observed, 100_000),
    ("Python, to a thread: Corinth, one callback for each", hop, 10_000),
    ("Python, to a thread: Corinth, batches of 256", batches, 100_000),
    ("Python, to a thread: queue.Queue", through_queue, 50_000),
    ("Python, to a task: asyncio.Queue", through_asyncio, 50_000),
]

rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
times = [[] for _ in ROWS]
for number in range(rounds):
    for row, (_, run, events) in enumerate(ROWS):
        times[row].append(f"{run(events):.1f}")
for row, (name, _, _) in enumerate(ROWS):
    print(name, *times[row], sep="\t")

"""A feed in a thread, and batches of it in Python, whose callbacks are too slow for single ticks.

    LD_LIBRARY_PATH=$(pkg-config --variable=libdir corinth) python3 feed.py
"""

import ctypes
import threading

corinth = ctypes.CDLL("libcorinth.so.0")

Handle = ctypes.c_void_p


class Value(ctypes.Structure):
    _fields_ = [("bits", ctypes.c_uint64), ("owner", Handle)]


class Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int32), ("text", ctypes.c_char_p)]


OnBatch = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(Value), ctypes.c_size_t)
OnEnd = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(Error))
Release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
IsIncluded = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, Value)


class BatchObserver(ctypes.Structure):
    _fields_ = [("context", ctypes.c_void_p), ("values", OnBatch), ("end", OnEnd), ("release", Release)]


def declare(name, result, *arguments):
    function = getattr(corinth, name)
    function.restype, function.argtypes = result, arguments
    return function


pipe = declare("corinth_pipe", Handle, ctypes.c_void_p, ctypes.POINTER(Handle))
send = declare("corinth_send", None, Handle, Value)
end = declare("corinth_end", None, Handle, ctypes.c_int, ctypes.c_void_p)
queue_create = declare("corinth_queue_create", Handle, ctypes.c_char_p)
filter_ = declare("corinth_filter", Handle, Handle, IsIncluded, ctypes.c_void_p, Release)
observe_batches = declare(
    "corinth_observe_batches", Handle, Handle, Handle, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64,
    ctypes.POINTER(BatchObserver))
release = declare("corinth_release", None, ctypes.c_void_p)

count = total = 0
over = threading.Event()


def on_batch(_, values, size):
    global count, total
    count += size
    total += sum(value.bits for value in values[:size])


# Python frees a callback that nobody names, so these live as long as the program.
is_even = IsIncluded(lambda _, value: value.bits % 2 == 0)
observer = BatchObserver(None, OnBatch(on_batch), OnEnd(lambda *_: over.set()), Release(0))

feed_input = Handle()
ticks = pipe(None, ctypes.byref(feed_input))
even = filter_(ticks, is_even, None, Release(0))
queue = queue_create(b"batches")
# Batches of up to 256; the first tick of a batch waits 5 ms at most.
observation = observe_batches(even, queue, None, 256, 5_000_000, ctypes.byref(observer))


def feed():
    for tick in range(1000):
        send(feed_input, Value(tick, None))
    end(feed_input, 0, None)


thread = threading.Thread(target=feed)
thread.start()
thread.join()
over.wait()
print(f"{count} ticks, sum {total}")
for handle in (observation, even, ticks, queue, feed_input):
    release(handle)

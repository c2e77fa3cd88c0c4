"""A minimal X11 client that pings a window and drops files onto it, as other programs do.

The event loop of the window answers `_NET_WM_PING` between two frames, so the time to an answer is the
remaining time of the current frame. Drops follow version 5 of the XDND protocol.
"""

import os
import select
import socket
import struct
import time
from pathlib import Path
from urllib.parse import quote

CLIENT_MESSAGE, SELECTION_REQUEST, SELECTION_NOTIFY = 33, 30, 31
SUBSTRUCTURE_NOTIFY, SUBSTRUCTURE_REDIRECT = 1 << 19, 1 << 20
ATOM = 4


class ConnectionLost(Exception):
    """An error of a connection that is lost, or of a window that no longer exists."""


class Client:
    """A connection to a display such as `:7`, with an invisible window for replies."""

    def __init__(self, display):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(f"/tmp/.X11-unix/X{display.lstrip(':')}")
        self.socket.sendall(struct.pack("<BxHHHHxx", 0x6C, 11, 0, 0, 0))
        status, _, _, length = struct.unpack("<BBHxxH", self._read(8))
        data = self._read(4 * length)
        if status != 1:
            raise ConnectionLost(data)
        vendor, formats = struct.unpack_from("<H", data, 16)[0], data[21]
        screen = 32 + (vendor + 3) // 4 * 4 + 8 * formats
        self.root = struct.unpack_from("<I", data, screen)[0]
        self.events, self.atoms = [], {}
        self.window = struct.unpack_from("<I", data, 4)[0] + 1
        # Create an unmapped window of one pixel, which receives the replies.
        self._send(1, 0, struct.pack("<IIhhHHHHII", self.window, self.root, 0, 0, 1, 1, 0, 2, 0, 0))
        # Listen to events that are sent to the root window.
        self._send(2, 0, struct.pack("<III", self.root, 1 << 11, SUBSTRUCTURE_NOTIFY))

    def atom(self, name):
        if name not in self.atoms:
            text = name.encode()
            self._send(16, 0, struct.pack("<Hxx", len(text)) + text)
            self.atoms[name] = struct.unpack_from("<I", self._reply(), 8)[0]
        return self.atoms[name]

    def ping(self, window, timeout_s):
        """Returns the seconds until the window answers, or None after `timeout_s` seconds."""
        stamp = int(time.monotonic() * 1000) & 0x7FFFFFFF
        start = time.monotonic()
        protocols = self.atom("WM_PROTOCOLS")
        self._message(window, window, protocols, [self.atom("_NET_WM_PING"), stamp, window, 0, 0], 0)
        is_answer = lambda event: self._is(event, "WM_PROTOCOLS") and self._longs(event)[1] == stamp
        return time.monotonic() - start if self._wait(is_answer, timeout_s) else None

    def drop(self, window, paths, timeout_s):
        """Drops files onto the centre of the window. Returns `True` if the window accepted them."""
        selection, listed = self.atom("XdndSelection"), self.atom("text/uri-list")
        x, y, width, height = self._geometry(window)
        self._send(22, 0, struct.pack("<III", self.window, selection, 0))
        self._xdnd(window, "XdndEnter", [self.window, 5 << 24, listed, 0, 0])
        position = (x + width // 2) << 16 | (y + height // 2)
        self._xdnd(window, "XdndPosition", [self.window, 0, position, 0, self.atom("XdndActionCopy")])
        uris = "".join(f"file://{quote(os.fsencode(Path(path)))}\r\n" for path in paths).encode()
        answer = lambda name: lambda event: self._send_selection(event, uris) or self._is(event, name)
        status = self._wait(answer("XdndStatus"), timeout_s)
        if status is None or not self._longs(status)[1] & 1:
            self._xdnd(window, "XdndLeave", [self.window, 0, 0, 0, 0])
            return False
        self._xdnd(window, "XdndDrop", [self.window, 0, 0, 0, 0])
        return self._wait(answer("XdndFinished"), timeout_s) is not None

    def _send_selection(self, event, data):
        """Sends the dragged files if the event requests them. Always returns `False`, so that `_wait` continues."""
        if event[0] & 0x7F != SELECTION_REQUEST:
            return False
        stamp, _, requestor, selection, target, name = struct.unpack_from("<IIIIII", event, 4)
        self._send(18, 0, struct.pack("<IIIBxxxI", requestor, name, target, 8, len(data)) + data)
        answer = struct.pack("<BxHIIIII8x", SELECTION_NOTIFY, 0, stamp, requestor, selection, target, name)
        self._send(25, 0, struct.pack("<II", requestor, 0) + answer)
        return False

    def _geometry(self, window):
        """Returns the position and size of a child of the root window."""
        self._send(14, 0, struct.pack("<I", window))
        return struct.unpack_from("<hhHH", self._reply(), 12)

    def _xdnd(self, window, name, longs):
        self._message(window, window, self.atom(name), longs, 0)

    def _message(self, to, window, kind, longs, mask):
        event = struct.pack("<BBHII5I", CLIENT_MESSAGE, 32, 0, window, kind, *longs)
        self._send(25, 0, struct.pack("<II", to, mask) + event)

    def _is(self, event, name):
        is_message = event[0] & 0x7F == CLIENT_MESSAGE
        return is_message and struct.unpack_from("<I", event, 8)[0] == self.atom(name)

    @staticmethod
    def _longs(event):
        return struct.unpack_from("<5I", event, 12)

    def _send(self, opcode, detail, body):
        body += bytes(-len(body) % 4)
        try:
            self.socket.sendall(struct.pack("<BBH", opcode, detail, 1 + len(body) // 4) + body)
        except OSError as error:
            raise ConnectionLost(error) from error

    def _read(self, count):
        data = b""
        while len(data) < count:
            try:
                more = self.socket.recv(count - len(data))
            except OSError as error:
                raise ConnectionLost(error) from error
            if not more:
                raise ConnectionLost("the server closed the connection")
            data += more
        return data

    def _next(self):
        """Reads an event, an error or a reply. Only replies can be longer than 32 bytes."""
        data = self._read(32)
        return data + self._read(4 * struct.unpack_from("<I", data, 4)[0]) if data[0] == 1 else data

    def _reply(self):
        while True:
            data = self._next()
            if data[0] == 0:
                raise ConnectionLost(f"X11 error {data[1]}; the window may no longer exist")
            if data[0] == 1:
                return data
            self.events.append(data)

    def _wait(self, matches, timeout_s):
        """Waits for an event for which `matches` is true. Returns None after `timeout_s` seconds."""
        end = time.monotonic() + timeout_s
        while True:
            while self.events:
                event = self.events.pop(0)
                # Errors belong to windows that no longer exist.
                if event[0] > 1 and matches(event):
                    return event
            remaining_s = end - time.monotonic()
            if remaining_s <= 0 or not select.select([self.socket], [], [], remaining_s)[0]:
                return None
            self.events.append(self._next())

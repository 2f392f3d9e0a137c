"""Two hosts on this machine: network namespaces of their own, with names and clocks of their own, and a
link between them that is slow, loses frames or is cut. The kernel need not know how: two TAP devices
are the hosts' ends of the link, and a thread here carries each frame from one to the other."""

import fcntl
import heapq
import os
import random
import selectors
import struct
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

TUNSETIFF = 0x400454CA
IFF_TAP, IFF_NO_PI = 0x0002, 0x1000
LARGEST_FRAME = 65536


@dataclass
class Weather:
    """What the link does to a frame."""

    delay_s: float = 0
    jitter_s: float = 0  # up to so much more; no frame overtakes another
    loss: float = 0      # share of frames that vanish


def may_be_made() -> bool:
    """Whether we have the right to make namespaces and TAP devices."""
    if os.geteuid() != 0 or not Path("/dev/net/tun").exists():
        return False
    tried = subprocess.run(["unshare", "--net", "--uts", "--time", "ip", "link", "set", "lo", "up"],
                           capture_output=True)
    return tried.returncode == 0


class Hosts:
    """hosta (10.93.0.1, where the launcher is) and hostb (10.93.0.2), whose monotonic clock is clock_s
    ahead. Use it with `with`."""

    NAMES = ("hosta", "hostb")

    def __init__(self, folder: Path, weather: Weather, clock_s: int = 0, seed: int = 1):
        self.weather = weather
        self._clock_s = clock_s
        self.cut = False  # while it is, no frame arrives
        self._dice = random.Random(seed)
        self._mark = f"somnus{os.getpid()}"
        self._folder = folder
        self._taps = []
        self._keepers = []
        self._over = threading.Event()
        self._relay = threading.Thread(target=self._carry, daemon=True)

    def __enter__(self) -> "Hosts":
        try:
            for at, name in enumerate(self.NAMES):
                self._make(at, name)
        except BaseException:
            self.__exit__()
            raise
        self._relay.start()
        return self

    def __exit__(self, *_) -> None:
        self._over.set()
        if self._relay.is_alive():
            self._relay.join()
        for tap in self._taps:
            os.close(tap)
        for keeper in self._keepers:  # the namespaces go with the last process in them
            keeper.kill()
            keeper.wait()

    def _make(self, at: int, name: str) -> None:
        keeper = subprocess.Popen(["unshare", "--net", "--uts", "sh", "-c", "echo up; exec sleep 3600"],
                                  stdout=subprocess.PIPE, text=True)
        self._keepers.append(keeper)
        keeper.stdout.readline()
        device = f"{self._mark}{'ab'[at]}"[-15:]
        tap = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        self._taps.append(tap)
        fcntl.ioctl(tap, TUNSETIFF, struct.pack("16sH22x", device.encode(), IFF_TAP | IFF_NO_PI))
        subprocess.run(["ip", "link", "set", device, "netns", str(keeper.pid)], check=True)
        for command in (f"hostname {name}", "ip link set lo up",
                        f"ip addr add 10.93.0.{at + 1}/24 dev {device}",
                        f"ip link set {device} up"):
            subprocess.run([*self.on(at), *command.split()], check=True)

    def on(self, at: int) -> list[str]:
        """The beginning of a command that is to run on that host."""
        return ["nsenter", "--net", "--uts", "--target", str(self._keepers[at].pid)]

    def mpirun(self, ranks_of_a: int, ranks_of_b: int) -> list[str]:
        """The beginning of a command that runs on both, launched from the first. There is no ssh
        between them: the agent enters the other's namespaces."""
        agent = self._folder / "agent.sh"
        agent.write_text("#!/bin/sh\nshift  # the host's name: there is one other\n"
                         f'exec {" ".join(self.on(1))} '
                         f'unshare --time --monotonic {self._clock_s} sh -c "$*"\n')
        agent.chmod(0o755)
        return [*self.on(0), "mpirun", "--host", f"hosta:{ranks_of_a},hostb:{ranks_of_b}",
                "-np", str(ranks_of_a + ranks_of_b),
                "--mca", "plm_rsh_agent", str(agent), "--mca", "plm", "rsh",
                "--mca", "btl", "self,vader,tcp", "--mca", "pml", "ob1",
                "--mca", "btl_tcp_if_include", "10.93.0.0/24",
                "--mca", "oob_tcp_if_include", "10.93.0.0/24"]

    def _carry(self) -> None:
        selector = selectors.DefaultSelector()
        for at, tap in enumerate(self._taps):
            selector.register(tap, selectors.EVENT_READ, at)
        under_way = []  # (when it arrives, number, to, frame)
        last = [0.0, 0.0]
        count = 0
        while not self._over.is_set():
            wait = 0.1 if not under_way else max(0.0, min(0.1, under_way[0][0] - time.monotonic()))
            for key, _ in selector.select(wait):
                for _ in range(64):
                    try:
                        frame = os.read(key.fd, LARGEST_FRAME)
                    except BlockingIOError:
                        break
                    if self.cut or self._dice.random() < self.weather.loss:
                        continue
                    to = 1 - key.data
                    late = self.weather.delay_s + self._dice.random() * self.weather.jitter_s
                    last[to] = max(last[to], time.monotonic() + late)
                    count += 1
                    heapq.heappush(under_way, (last[to], count, to, frame))
            while under_way and under_way[0][0] <= time.monotonic():
                _, _, to, frame = heapq.heappop(under_way)
                if not self.cut:
                    try:
                        os.write(self._taps[to], frame)
                    except OSError:
                        pass  # its queue is full: the frame is lost, as on any link

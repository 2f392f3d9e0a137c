"""The UWFQ paper's Algorithms 1 to 3, slow and plain: deadlines by two-level virtual time.

An oracle for small examples. Users have equal weights; jobs have one stage, so no user is revived.
"""

from __future__ import annotations

from dataclasses import dataclass, field

ROUNDING = 1e-9


@dataclass
class VirtualUser:
    start: float  # in global virtual time
    virtual: float = 0.0
    end: float = 0.0
    jobs: list[tuple[float, float, object]] = field(default_factory=list)  # deadline, work, job


class TwoLevel:
    def __init__(self, slots: int):
        self.slots, self.now, self.virtual = slots, 0.0, 0.0
        self.users: dict[object, VirtualUser] = {}  # the active ones

    def arrive(self, now: float, user: object, job: object, work: float) -> dict:
        """Algorithm 1. Global deadlines of all the user's active jobs: a later one may shift."""
        self._advance(now)
        owner = self.users.setdefault(user, VirtualUser(self.virtual))
        owner.jobs.append((owner.virtual + work, work, job))
        owner.jobs.sort(key=lambda each: each[0])
        deadline, deadlines = owner.start, {}
        for _, each_work, each in owner.jobs:
            deadline += each_work
            deadlines[each] = deadline
        owner.end = deadline
        return deadlines

    def _advance(self, now: float) -> None:
        """Algorithm 2."""
        while self.users:
            share = self.slots / len(self.users)
            name, first = min(self.users.items(), key=lambda each: each[1].end)
            leaves = self.now + (first.end - self.virtual) / share
            if leaves > now:
                self._progress(now, share)
                break
            self._progress(leaves, share)
            del self.users[name]
        self.now = now

    def _progress(self, now: float, share: float) -> None:
        """Algorithm 3 for each user."""
        elapsed = now - self.now
        self.virtual += elapsed * share
        for user in self.users.values():
            left = elapsed
            while user.jobs:
                rate = share / len(user.jobs)
                deadline, work, _ = user.jobs[0]
                if deadline > user.virtual + left * rate + ROUNDING:
                    user.virtual += left * rate
                    break
                left -= (deadline - user.virtual) / rate
                user.virtual = deadline
                user.start += work
                user.jobs.pop(0)
        self.now = now

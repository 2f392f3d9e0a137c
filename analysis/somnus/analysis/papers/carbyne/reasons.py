"""Why numbers and claims of the Carbyne paper differ from ours, where that is known.

Numbers in reasons are of the run at hand, or the paper's. What only further runs could show is said
without one, with the key to set for such a run.
"""

from somnus.analysis.base.text import number
from somnus.analysis.papers.common.expect import Found, Reason, Relation

_LEFTOVER = (
    "what a job must start now to end as promised is little, which a run where nobody takes the rest "
    "shows (scheduler.carbyne.leftover = \"none\"), and the rest goes to the shortest remaining jobs: many "
    "of those with something to run have nothing in a window, and a few have most."
)
_PROMISES = (
    "by remaining work alone (SJF with scheduler.sjf.metric = \"srtf\") BigBench would be faster still; "
    "what jobs must start to end as promised costs Carbyne some of that."
)
_SHARE_ALONE = (
    "a job is promised what its share alone gives it, and DRF, which leaves nothing unused, gives it more; "
    "most of those that take longer than under DRF end as early as they were last promised. The paper's "
    "Theorem 3.1 is of the share, too."
)
_LOAD_UNKNOWN = (
    "the paper says neither its load nor its workload, and on TPC-H the factor over DRF depends on it (see "
    "Figure 9, --load)."
)
_BY_MANY = (
    "the paper does not tell its load, and these factors grow with it manifold (second table, --loads)."
)
_SHORT_FIRST = (
    "Tetris here counts remaining work as much as alignment, and so has the short jobs first, too; without "
    "(scheduler.tetris.shortness = 0) its mean is far above Carbyne's."
)
_WITHIN = (
    "the order inside a job decides only what a selfish job starts and which of equal tasks is packed first: "
    "with full altruism packing decides the rest. The paper has DAGPS make the schedule itself, whose mirror "
    "image is not built here."
)
_JAIN = (
    "with many more jobs than fit, most have nothing at all under SJF and Tetris, and of those that run "
    "something a few have nearly all. With f = 0, the paper's setting, the index of running jobs is "
    r"{span[.*\.jain-running\.tetris]} under Tetris (the paper has 0.74); f = 0.25, which Tetris "
    "itself recommends, comes nearer to that (scheduler.tetris.fairness)."
)
_CRITICAL_PATH = (
    "a short critical path is not little work, and a wide and shallow query goes first: on BigBench SJF's "
    "mean is {text[bigbench.seconds.sjf]} s, Tetris' {text[bigbench.seconds.tetris]} s and "
    "Carbyne's {text[bigbench.seconds.carbyne]} s. By the work that is left "
    "(scheduler.sjf.metric = \"srtf\") it would be the least."
)
_SMALL_PARTS = (
    "the index is of the jobs that run something; Tetris and SJF leave most others nothing and so out of "
    r"it. Over all jobs Carbyne's index is {span[.*\.jain\.carbyne]}, Tetris' "
    r"{span[.*\.jain\.tetris]} and SJF's {span[.*\.jain\.sjf]}."
)
_LAST_ARRIVAL = (
    r"the last job comes when {span[.*\.last-arrival\..*]} % of the makespan are over; "
    r"makespans are {span[.*\.makespan\..*]} times Carbyne's."
)
_ROOM = (
    "nobody can gain much more than by how much a job is slower than alone in the idle cluster: under DRF "
    r"and Tetris a quarter of these is slower by at most {span[room\.tpc-h\..*\.p25]} times, "
    r"half by at most {span[room\.tpc-h\..*\.p50]} times (third table)."
)
_ROOM_AT_FACEBOOK = (
    "nobody can gain much more than by how much a job is slower than alone in the idle cluster (last "
    "table). Most of these jobs are narrow, and under DRF three in four take at most "
    "{text[room.facebook.drf.p75]} times as long as alone."
)
_ROOM_AT_MICROSOFT = (
    "nobody can gain much more than by how much a job is slower than alone in the idle cluster, which is "
    "{text[room.microsoft.drf.p50]} times in the median under DRF (last table). The paper does "
    "not give its load."
)
_UNUSED_SHARES = (
    "without altruism a job starts what its share allows, and what is free beyond that still goes to the "
    "shortest remaining job: DRF's mean is {text[0.drf]} times Carbyne's with P = 0. Where nobody "
    "takes it (scheduler.carbyne.leftover = \"none\") Carbyne's is many times as long."
)
_BY_LOAD = "{text[1.drf]} at load 1, {text[2.drf]} at load 2, {text[4.drf]} at load 4, {text[6.drf]} at load 6"
_LOAD = (
    "the paper says neither its load nor its workload, and on TPC-H the factor over DRF depends on it: "
    f"{_BY_LOAD}."
)
_LITTLE_LEFT = (
    "the more jobs there are for each machine, the more of it goes to what they must start now. So little "
    f"is left for the shortest remaining jobs, and Carbyne comes near DRF: {_BY_LOAD}."
)


def _most(found: Found, scheduler: str) -> str:
    """By which factor anybody could end sooner: where the kind used most is never idle."""
    in_use = found.means(rf".*\.in-use\.{scheduler}")
    return number(100 / min(in_use) if in_use else None)


def _busy(found: Found) -> str:
    return (
        f"of the kind used most DRF keeps {found.span(r'.*[.]in-use[.]drf')} % in use over the whole makespan "
        f"and SJF {found.span(r'.*[.]in-use[.]sjf')} %, so that with this work nobody can end more than "
        f"{_most(found, 'drf')} times sooner than DRF, or {_most(found, 'sjf')} times sooner than SJF. DRF "
        "here sees all six kinds and is work-conserving; probably YARN's leaves more unused, or promises "
        "disks and networks twice, which here slows no task down."
    )


def _tail(found: Found) -> str:
    return (
        f"DRF's makespan is {found.span(r'.*[.]makespan[.]drf')} times Carbyne's, and with this work nobody can "
        f"end more than {_most(found, 'drf')} times sooner than DRF: of the kind used most it has "
        f"{found.span(r'.*[.]in-use[.]drf')} % in use, Tetris {found.span(r'.*[.]in-use[.]tetris')} % and SJF "
        f"{found.span(r'.*[.]in-use[.]sjf')} %. Who favours short jobs is left with the chains of a few long "
        "ones."
    )


_OF_ALL_RUNS = (
    Reason(r"claim\.fastest", _CRITICAL_PATH, Relation.LESS),
    Reason(r"\S+\.response\.sjf", _CRITICAL_PATH, Relation.MORE),
    Reason(r"\S+\.unfair(-running)?\.carbyne", _LEFTOVER, Relation.LESS),
    Reason(r"claim\.fair\.running", _SMALL_PARTS, Relation.LESS),
    Reason(r"claim\.fast|bigbench\.response\.tetris", _SHORT_FIRST, Relation.LESS),
)
FIGURE_4 = (
    Reason(r"\S+\.makespan\.(drf|sjf)", _busy, Relation.LESS),
    Reason(r"claim\.(densest|dense)", _tail, Relation.LESS),
    Reason(r"\S+\.unfair(-running)?\.(tetris|sjf)", _JAIN, Relation.LESS),
    *_OF_ALL_RUNS,
    Reason(r"bigbench\.response\.drf", _PROMISES, Relation.LESS),
)
FIGURE_5 = (
    *_OF_ALL_RUNS,
    Reason(r"claim\.(densest|dense)", _LAST_ARRIVAL, Relation.LESS),
)
TABLE_3 = (
    Reason(r"tpc-h\.\S+\.p(25|50)", _ROOM, Relation.LESS),
    Reason(r"\S+\.tetris\.p(25|50|75)|claim\.(faster|least)\.tetris", _SHORT_FIRST, Relation.LESS),
    Reason(r"claim\.beyond\.tetris", _SHORT_FIRST, Relation.MORE),
    Reason(r"claim\.(faster|least)\.drf", _SHARE_ALONE, Relation.LESS),
    Reason(r"claim\.beyond\.drf", _SHARE_ALONE, Relation.MORE),
)
TABLE_4 = (
    Reason(r"tpc-ds\..*", _BY_MANY, Relation.LESS),
    Reason(r"facebook\..*|claim\.larger", _ROOM_AT_FACEBOOK, Relation.LESS),
    Reason(r"microsoft\..*", _ROOM_AT_MICROSOFT, Relation.LESS),
)
FIGURE_9 = (
    Reason(r"claim\.(4|6)", _LITTLE_LEFT, Relation.LESS),
    Reason(r"claim\.1", _LOAD, Relation.LESS),
    Reason(r"claim\.2\.least", _SHORT_FIRST, Relation.LESS),
)
FIGURE_10 = (Reason(r"claim\.over", _SHORT_FIRST, Relation.LESS),)
FIGURE_11 = (
    Reason(r"claim\.all", _LOAD_UNKNOWN, Relation.LESS),
    Reason(r"claim\.none", _UNUSED_SHARES, Relation.MORE),
)
FIGURE_12 = (
    Reason(r"claim\.quarter", _WITHIN),
    Reason(r"carbyne\+dagps\.p75", _WITHIN, Relation.LESS),
    Reason(r"carbyne\.p75", _LOAD_UNKNOWN, Relation.LESS),
)
SECTION_5_6 = (
    Reason(r"\S+\.jain(-running)?\.carbyne", _LEFTOVER, Relation.LESS),
    Reason(r"claim\.fair(\.running)?", _LEFTOVER, Relation.MORE),
    Reason(r"claim\.dense|\S+\.makespan\.tetris-fair", _LAST_ARRIVAL, Relation.LESS),
)

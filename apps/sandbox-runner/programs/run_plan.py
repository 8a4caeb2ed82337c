"""Carries a compiled plan out inside its container: each step is one exec of one file with final arguments. It never starts a shell,
never parses a word of the plan, and follows no link on the way to a redirection.

Everything comes and goes under /run: plan.json, stdin (a file, or a pipe that stays open), and report, one JSON line per end of a step.
"""

import fcntl
import json
import os
import signal
import stat
import sys

PLACE = "/run"
WORKSPACE = "/workspace"
NOT_FOUND, NOT_A_PROGRAM, REFUSED = 127, 126, 1
DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Unopened(Exception):
    """A redirection that leads nowhere; its words are for the person."""


def report(line):
    os.write(REPORT, (json.dumps(line) + "\n").encode())


def complain(stream, text):
    try:
        os.write(stream, (text + "\n").encode("utf-8", "surrogatepass"))
    except OSError:
        pass


def open_below(path, flags, mode=0o666):
    """Opens a path of the workspace one name at a time, so that a link anywhere on it is an error."""
    names = [name for name in path.split("/") if name not in ("", ".")]
    if ".." in names:
        raise Unopened("it leads upwards")
    here = os.open(WORKSPACE, DIRECTORY)
    try:
        for name in names[:-1]:
            below = os.open(name, DIRECTORY, dir_fd=here)
            os.close(here)
            here = below
        if not names:
            return os.dup(here)
        return os.open(names[-1], flags | os.O_NOFOLLOW | os.O_CLOEXEC, mode, dir_fd=here)
    finally:
        os.close(here)


def open_redirect(path, directory, flags):
    absolute = path if path.startswith("/") else "/".join((WORKSPACE, directory, path))
    # Not to wait for the other end of a pipe that a program has put there.
    flags |= os.O_NONBLOCK | os.O_NOCTTY
    try:
        if absolute == WORKSPACE or absolute.startswith(WORKSPACE + "/"):
            opened = open_below(absolute[len(WORKSPACE) :], flags)
        else:
            opened = os.open(absolute, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise Unopened(error.strerror) from error
    if not (stat.S_ISREG(os.fstat(opened).st_mode) or absolute == "/dev/null"):
        os.close(opened)
        raise Unopened("it is no regular file")
    fcntl.fcntl(opened, fcntl.F_SETFL, fcntl.fcntl(opened, fcntl.F_GETFL) & ~os.O_NONBLOCK)
    return opened


WRITES = os.O_WRONLY | os.O_CREAT
FLAGS = {
    "<": os.O_RDONLY,
    ">": WRITES | os.O_TRUNC,
    "2>": WRITES | os.O_TRUNC,
    "&>": WRITES | os.O_TRUNC,
    ">>": WRITES | os.O_APPEND,
    "2>>": WRITES | os.O_APPEND,
}
TARGETS = {"<": (0,), ">": (1,), ">>": (1,), "2>": (2,), "2>>": (2,), "&>": (1, 2)}


def wire(redirects, directory, streams, opened):
    """The three streams of a step after its redirections, in the order they were written."""
    streams = list(streams)
    for redirect in redirects:
        operator = redirect["op"]
        if operator == "2>&1":
            streams[2] = streams[1]
            continue
        try:
            descriptor = open_redirect(redirect["path"], directory, FLAGS[operator])
        except Unopened as error:
            raise Unopened(f"{redirect['path']}: {error}") from error
        opened.append(descriptor)
        for target in TARGETS[operator]:
            streams[target] = descriptor
    return streams


def start(step, directory, streams):
    """The process id, or the exit code and word for why there is none."""
    opened = []
    try:
        streams = wire(step["redirects"], directory, streams, opened)
        try:
            return os.posix_spawn(
                step["program"],
                step["argv"],
                {**os.environ, **step["env"]},
                file_actions=[(os.POSIX_SPAWN_DUP2, stream, target) for target, stream in enumerate(streams)],
                setsigdef=[signal.SIGPIPE, signal.SIGINT],
            ), None
        except FileNotFoundError:
            complain(streams[2], f"{step['argv'][0]}: not found")
            return None, (NOT_FOUND, "not_found")
        except OSError as error:
            complain(streams[2], f"{step['argv'][0]}: {error.strerror}")
            return None, (NOT_A_PROGRAM, "not_a_program")
    except Unopened as error:
        complain(streams[2], str(error))
        return None, (REFUSED, "redirect")
    finally:
        for descriptor in opened:
            os.close(descriptor)


def run_pipeline(steps, directory, stdin):
    """Starts all steps, waits for all of them, and gives the exit code of the last."""
    waiting, code = {}, 0
    source = stdin
    for position, (number, step) in enumerate(steps):
        last = position == len(steps) - 1
        behind, ahead = (None, OUTPUT) if last else os.pipe()
        pid, failed = start(step, directory, (source, ahead, ERRORS))
        os.close(source)
        if not last:
            os.close(ahead)
        source = behind
        if failed is None:
            waiting[pid] = (number, last)
            continue
        report({"step": number, "exit": failed[0], "failure": failed[1]})
        if last:
            code = failed[0]
    while waiting:
        # Also what a program left behind ends up here, because this is the first process of the container.
        pid, status = os.wait()
        if pid not in waiting:
            continue
        number, last = waiting.pop(pid)
        ended = os.waitstatus_to_exitcode(status)
        name = "" if ended >= 0 else signal.Signals(-ended).name
        exit_code = ended if ended >= 0 else 128 - ended
        report({"step": number, "exit": exit_code, "signal": name})
        if last:
            code = exit_code
    return code


def first_input():
    try:
        opened = os.open(PLACE + "/stdin", os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return nothing()
    fcntl.fcntl(opened, fcntl.F_SETFL, fcntl.fcntl(opened, fcntl.F_GETFL) & ~os.O_NONBLOCK)
    return opened


def nothing():
    return os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC)


def pipelines_of(plan):
    """(connector before it, steps with their numbers) of each pipeline, from left to right."""
    found = [(";", [])]
    for number, step in enumerate(plan["steps"]):
        found[-1][1].append((number, step))
        connector = plan["connectors"][number] if number < len(plan["connectors"]) else "|"
        if connector != "|":
            found.append((connector, []))
    return found


def run_plan(plan):
    directory = plan["directory"]
    try:
        here = open_below(directory, DIRECTORY)
        os.fchdir(here)
        os.close(here)
    except (OSError, Unopened):
        for number, _ in enumerate(plan["steps"]):
            report({"step": number, "exit": REFUSED, "failure": "directory"})
        return
    stdin = first_input()
    report({"started": True})
    code = 0
    for connector, steps in pipelines_of(plan):
        if (connector == "&&" and code != 0) or (connector == "||" and code == 0):
            continue
        code = run_pipeline(steps, directory, stdin if stdin is not None else nothing())
        stdin = None


def list_programs():
    """Every name that PATH finds, with the file behind it."""
    found = {}
    for directory in os.environ["PATH"].split(":"):
        try:
            names = sorted(os.listdir(directory))
        except OSError:
            continue
        for name in names:
            real = os.path.realpath(os.path.join(directory, name))
            if name not in found and os.path.isfile(real) and os.access(real, os.X_OK):
                found[name] = real
    sys.stdout.write(json.dumps(found))


os.umask(0o022)
with open(PLACE + "/plan.json", encoding="utf-8") as file:
    PLAN = json.load(file)
if PLAN is None:
    list_programs()
else:
    REPORT = os.open(PLACE + "/report", os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC)
    # Copies out of the way of what a step's own streams are put on.
    OUTPUT, ERRORS = (fcntl.fcntl(stream, fcntl.F_DUPFD_CLOEXEC, 3) for stream in (1, 2))
    run_plan(PLAN)

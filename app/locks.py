"""Checks of locks on files. ``filelock`` takes them, and the system releases one when its last holder ends."""

from pathlib import Path


def held(file: Path) -> bool:
    """Does a process hold the lock on a file? No, if the file cannot be read.

    This asks for a shared lock, which ``filelock`` does not have: two checks at the same time must not take each other
    for the holder.
    """
    import fcntl  # absent on Windows

    try:
        with file.open() as opened:
            fcntl.flock(opened, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False

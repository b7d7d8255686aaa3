"""Which processes have ended: those that nothing collects have, too."""

import subprocess
import sys

from tests.until import lives, members, until


def test_a_zombie_has_ended_although_its_number_is_taken() -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True)
    assert lives(process.pid) and members(process.pid) == [process.pid]
    process.kill()
    until(lambda: not lives(process.pid))
    assert members(process.pid) == []
    process.communicate()  # only now is it collected
    assert not lives(process.pid)

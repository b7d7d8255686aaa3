"""What notes say of themselves."""

from app.core.model.notes import Changed, Restored


def test_the_browser_receives_all_fields_of_a_note_or_those_that_it_names() -> None:
    assert Changed.names() == ("process", "state")
    assert Restored.names() == ("snapshot", "states", "queues")

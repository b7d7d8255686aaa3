"""The course: lessons as data, questions of which a run itself knows the answer, and how answers are judged.

Pure: a lesson or a question is a value that follows from its file and its run. Nothing here knows of pages.
"""

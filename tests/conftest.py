"""What all tests share: hypothesis draws the same examples every time, so that a red build is red again."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "same",
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=False,
    suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large),
)
settings.load_profile("same")

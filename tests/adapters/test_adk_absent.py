"""Without google-adk, which is no dependency of the tests, the adapter says what to install."""

from opened_memory import refusal_of


def test_without_adk_the_error_says_what_to_install():
    assert refusal_of("adk", "google.adk").endswith("pip install 'tacit[adk]'")

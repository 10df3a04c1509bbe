"""The commands, a few to a file. For `NAME` there are `add_NAME(parser)` and `run_NAME(given, console)`."""

"""The socket on which a process that has a memory open answers hooks, which start without one.

Nothing depends on it: a hook that finds no socket, or gets no answer in time, answers itself.
"""

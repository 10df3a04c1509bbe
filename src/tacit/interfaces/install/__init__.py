"""Connecting hosts: what is written into their settings, and how it is taken back."""

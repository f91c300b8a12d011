"""The organization and the people that the environment names for a client test, and what runs its parts.

Reads GUILDHALL_URL, GUILDHALL_ORG, GUILDHALL_MEMBER (a plain member) and GUILDHALL_OUTSIDER (a registered person
outside the organization).
"""
import os

from checks import equal, run

__all__ = ["BASE", "MEMBER", "ORG", "OUTSIDER", "equal", "run"]

BASE, ORG, MEMBER, OUTSIDER = (os.environ[f"GUILDHALL_{name}"] for name in ("URL", "ORG", "MEMBER", "OUTSIDER"))

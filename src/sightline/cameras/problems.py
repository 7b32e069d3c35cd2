"""Why a camera shows no picture: a code for programs, and plain words with what to do for people. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sightline.errors import PlatformError

ProblemCode = Literal[
    "unknown_host",
    "address_not_allowed",
    "connection_refused",
    "no_route",
    "timed_out",
    "tls_failed",
    "wrong_password",
    "password_needed",
    "not_found",
    "redirected",
    "transport_refused",
    "camera_error",
    "not_video",
    "unsupported",
    "stalled",
    "ended",
    "watcher_failed",
    "secret_lost",
    "folder_missing",
    "folder_not_allowed",
]


@dataclass(frozen=True, slots=True)
class _Words:
    what: str
    advice: str
    needs_person: bool = False


_WORDS: Mapping[ProblemCode, _Words] = {
    "unknown_host": _Words(
        "No device has this host name.", "Check the spelling, or use the camera's IP address.", needs_person=True
    ),
    "address_not_allowed": _Words(
        "This address lies in a network that cameras here may not use.",
        "Use a public address, or ask an operator to add the camera.",
        needs_person=True,
    ),
    "connection_refused": _Words(
        "The device answers, but refuses the connection on this port.",
        "Check the port, and that RTSP or HTTP is switched on in the camera's settings.",
    ),
    "no_route": _Words(
        "The camera cannot be reached.",
        "Check that it is switched on and in the same network as this machine.",
    ),
    "timed_out": _Words(
        "The camera did not answer in time.", "Check that it is switched on, its IP address and the port."
    ),
    "tls_failed": _Words(
        "The camera's certificate is not trusted.",
        "Many cameras have a self-signed certificate: switch off certificate checks for this camera, or use rtsp:// or http://.",
        needs_person=True,
    ),
    "wrong_password": _Words(
        "The camera refuses the user name or password.",
        "Type them again; some cameras have a user of their own for streams (ONVIF or RTSP user).",
        needs_person=True,
    ),
    "password_needed": _Words(
        "The camera asks for a user name and password.", "Add them to this camera.", needs_person=True
    ),
    "not_found": _Words(
        "The camera answers, but has no stream at this path.",
        "Look up the path in the camera's manual, for example /stream1 or /Streaming/Channels/101.",
        needs_person=True,
    ),
    "redirected": _Words(
        "The camera redirects to another address.", "Use the address that it redirects to.", needs_person=True
    ),
    "transport_refused": _Words(
        "The camera refuses RTSP over TCP.",
        "Switch on TCP in the camera's settings, or choose UDP here, which needs an operator where people sign in.",
        needs_person=True,
    ),
    "camera_error": _Words("The camera answers with an error.", "Restart the camera if this goes on."),
    "not_video": _Words(
        "What this address sends is not a video or picture that can be read.",
        "Check the path; for a single picture choose the kind Snapshot.",
        needs_person=True,
    ),
    "unsupported": _Words(
        "The camera's video has a format that cannot be read.", "Choose H.264 or H.265 in the camera's settings."
    ),
    "stalled": _Words("The camera stopped sending pictures.", "Check its network; it is connected again by itself."),
    "ended": _Words("The camera ended the stream.", "It is connected again by itself."),
    "watcher_failed": _Words("The process that reads this camera failed.", "It is started again by itself."),
    "secret_lost": _Words(
        "The camera's password was stored under another secret of this installation.",
        "Type it again.",
        needs_person=True,
    ),
    "folder_missing": _Words(
        "The camera's folder does not exist or cannot be read.",
        "Create it on the machine that watches cameras, and let Sightline's user read it.",
        needs_person=True,
    ),
    "folder_not_allowed": _Words(
        "Folders of the machine may be chosen by operators alone.",
        "Leave the folder empty to use the camera's own, or ask an operator to add the camera.",
        needs_person=True,
    ),
}


class SourceProblem(PlatformError):
    """A camera shows no picture. The message is made of constant words, so that it can hold no credential."""

    def __init__(self, code: ProblemCode) -> None:
        words = _WORDS[code]
        super().__init__(f"{words.what} {words.advice}", details={"reason": code, "advice": words.advice})
        self.code: ProblemCode = code
        self.what = words.what
        self.needs_person = words.needs_person
        """Whether it will not pass by itself: it is tried again, but rarely."""


def problem_named(code: object) -> SourceProblem:
    """By the code that a child process sent, which may be anything."""
    for known in _WORDS:
        if code == known:
            return SourceProblem(known)
    return SourceProblem("camera_error")

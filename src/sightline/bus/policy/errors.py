"""The one error of this package: a policy or pattern that AWS would refuse."""

from sightline.errors import InvalidInput

__all__ = ["PolicyInvalid"]


class PolicyInvalid(InvalidInput):
    """Carries the error message and the code of AWS."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message, details={"aws_code": code})
        self.code = code

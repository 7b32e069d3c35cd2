"""Addresses of the disk keeper's objects: S3's own form of signature, on this application's own host."""

from sightline.objects.key_rules import check_key
from sightline.objects.part_rules import check_number
from sightline.objects.signed_url_rules import attachment, check_expiry
from sightline.objects.sigv4 import SigningKey, encoded, presigned
from sightline.timing import Clock

REGION = "us-east-1"
"""Stands in signatures; any region is taken when they are checked."""
PATH = "/objects"


class DiskAddresses:
    def __init__(self, bucket: str, key: SigningKey, public_url: str, clock: Clock) -> None:
        self.bucket = bucket
        self.signing_key = key
        self.public_url = public_url.rstrip("/")
        self.clock = clock

    def address_of(self, key: str) -> str:
        """Without a signature, good for nothing but to be named."""
        return f"{self.public_url}{PATH}/{encoded(self.bucket)}/{encoded(check_key(key), keep='/')}"

    async def sign_get(
        self, key: str, *, expires_s: float, download_as: str | None = None, content_type: str | None = None
    ) -> str:
        query = {}
        if content_type is not None:
            query["response-content-type"] = content_type
        if download_as is not None:
            query["response-content-disposition"] = attachment(download_as)
        return self._sign("GET", key, query, expires_s)

    async def sign_part(
        self, key: str, upload_id: str, number: int, *, expires_s: float, length: int | None = None
    ) -> str:
        query = {"partNumber": str(check_number(number)), "uploadId": upload_id}
        headers = {} if length is None else {"content-length": str(length)}
        return self._sign("PUT", key, query, expires_s, headers)

    def _sign(
        self, method: str, key: str, query: dict[str, str], expires_s: float, headers: dict[str, str] | None = None
    ) -> str:
        seconds = check_expiry(expires_s)
        return presigned(
            self.signing_key,
            method,
            self.address_of(key),
            query,
            at=self.clock(),
            expires_s=seconds,
            region=REGION,
            headers=headers,
        )

"""Signed URLs of the disk backend: signed as S3 does it, on this application's own host."""

import hmac

from sightline.objects.disk.url_generations import PARAMETER, UrlGenerations
from sightline.objects.key_rules import check_key
from sightline.objects.protocol import attachment_disposition, check_expiry, check_part_number
from sightline.sigv4 import KeyLookup, SigningKey, percent_encoded, presigned_url
from sightline.timing import Clock

REGION = "us-east-1"
"""Used in signatures; any region is accepted when they are checked."""
OBJECTS_PATH = "/objects"


class DiskSignedUrls:
    def __init__(
        self, bucket: str, key: SigningKey, public_url: str, clock: Clock, generations: UrlGenerations
    ) -> None:
        self.bucket = bucket
        self.signing_key = key
        self.public_url = public_url.rstrip("/")
        self.clock = clock
        self.generations = generations
        self._other_keys: KeyLookup[SigningKey] | None = None

    def accept_keys(self, find_key: KeyLookup[SigningKey]) -> None:
        """Accepts the keys that the lookup finds as well; they may do everything, like the store's own."""
        self._other_keys = find_key

    async def find_key(self, key_id: str) -> SigningKey | None:
        """Every key may do everything."""
        if hmac.compare_digest(key_id.encode(), self.signing_key.key_id.encode()):
            return self.signing_key
        return None if self._other_keys is None else await self._other_keys(key_id)

    def url_of(self, key: str) -> str:
        """Without a signature: it identifies the object, but gives no access."""
        return f"{self.public_url}{OBJECTS_PATH}/{percent_encoded(self.bucket)}/{percent_encoded(check_key(key), keep='/')}"

    async def sign_get(
        self, key: str, *, expires_s: float, download_as: str | None = None, content_type: str | None = None
    ) -> str:
        query = {}
        if content_type is not None:
            query["response-content-type"] = content_type
        if download_as is not None:
            query["response-content-disposition"] = attachment_disposition(download_as)
        return self._sign("GET", key, query, expires_s)

    async def sign_part(
        self, key: str, upload_id: str, number: int, *, expires_s: float, length: int | None = None
    ) -> str:
        query = {"partNumber": str(check_part_number(number)), "uploadId": upload_id}
        headers = {} if length is None else {"content-length": str(length)}
        return self._sign("PUT", key, query, expires_s, headers)

    def _sign(
        self, method: str, key: str, query: dict[str, str], expires_s: float, headers: dict[str, str] | None = None
    ) -> str:
        seconds = check_expiry(expires_s)
        if generation := self.generations.of_key(key):
            query |= {PARAMETER: str(generation)}
        return presigned_url(
            self.signing_key,
            method,
            self.url_of(key),
            query,
            at=self.clock(),
            expires_s=seconds,
            region=REGION,
            headers=headers,
        )

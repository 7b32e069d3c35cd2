"""API keys in responses."""

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, Field

from sightline.access import ApiKey
from sightline.api.answers.paged import PagedAnswer
from sightline.contracts import LOCAL_OWNER_ID
from sightline.timing import utc_now

EXAMPLE_KEY_ID = "JBSWY3DPEHPK3PXP"
_EXAMPLE_TIME = "2026-01-17T10:00:00Z"


class ApiKeyAnswer(BaseModel):
    key_id: str = Field(examples=[EXAMPLE_KEY_ID], description="The public half of the key.")
    name: str = Field(examples=["Front door detector"])
    scopes: list[str] = Field(examples=[["detections:write"]])
    owner_id: UUID = Field(examples=[LOCAL_OWNER_ID], description="Whom the key acts as.")
    team_ids: list[UUID] = Field(examples=[[]])
    is_active: bool = Field(examples=[True], description="Neither revoked nor expired.")
    created_at: datetime = Field(examples=[_EXAMPLE_TIME])
    expires_at: datetime | None = Field(examples=[None])
    last_used_at: datetime | None = Field(examples=[_EXAMPLE_TIME], description="Up to a minute late; null: never.")
    revoked_at: datetime | None = Field(examples=[None])

    @classmethod
    def of(cls, key: ApiKey) -> "ApiKeyAnswer":
        return cls(
            key_id=key.key_id,
            name=key.name,
            scopes=sorted(key.scopes),
            owner_id=key.owner_id,
            team_ids=list(key.team_ids),
            is_active=key.is_active(utc_now()),
            created_at=key.created_at,
            expires_at=key.expires_at,
            last_used_at=key.last_used_at,
            revoked_at=key.revoked_at,
        )


class NewApiKeyAnswer(ApiKeyAnswer):
    key: str = Field(
        examples=[f"slk_{EXAMPLE_KEY_ID}_…"],
        description="The whole key, shown this one time. Send it as `Authorization: Bearer …` or `X-API-Key: …`.",
    )
    access_key_id: str = Field(examples=[EXAMPLE_KEY_ID], description="For SDKs of AWS: the key's id.")
    secret_access_key: str = Field(
        examples=["wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"],
        description="For SDKs of AWS: what requests of the AWS endpoint are signed with, shown this one time.",
    )

    @classmethod
    def with_secrets(cls, key: ApiKey, text: str, secret_access_key: str) -> "NewApiKeyAnswer":
        return cls(
            **ApiKeyAnswer.of(key).model_dump(),
            key=text,
            access_key_id=key.key_id,
            secret_access_key=secret_access_key,
        )


class ApiKeysAnswer(PagedAnswer):
    keys: list[ApiKeyAnswer]
    scopes: dict[str, str] = Field(
        examples=[{"detections:write": "Send detections."}], description="Every scope that a key can have."
    )

"""Settings of the embedded FTP server."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, model_validator


class FtpSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    port: int = Field(0, ge=0, le=65535, description="Port of the FTP server that cameras upload to; 0: there is none.")
    host: str = Field("0.0.0.0", description="Address that the FTP server listens on.")
    passive_ports: str = Field(
        "30000-30049", pattern=r"^\d{1,5}-\d{1,5}$", description="Ports of passive transfers; open them in a firewall."
    )
    public_address: str | None = Field(
        None, description="IP address that cameras are sent to for transfers, if the machine is behind a router."
    )
    certificate: Path | None = Field(None, description="Certificate with its chain (PEM); with it cameras may use TLS.")
    certificate_key: Path | None = Field(None, description="Private key of the certificate; unset: in the same file.")
    requires_tls: bool = Field(
        False, description="Whether passwords and files are refused without TLS. Few cameras can use it."
    )
    max_connections: int = Field(128, ge=1, description="Connections of all cameras together.")
    max_connections_per_address: int = Field(8, ge=1, description="Connections from one address.")

    @model_validator(mode="after")
    def _check(self) -> "FtpSettings":
        first, last = self.port_range()
        if not 1024 <= first <= last <= 65535:
            raise ValueError("passive_ports must be a range between 1024 and 65535, such as 30000-30049")
        if self.requires_tls and self.certificate is None:
            raise ValueError("requires_tls needs a certificate")
        return self

    def port_range(self) -> tuple[int, int]:
        first, _, last = self.passive_ports.partition("-")
        return int(first), int(last)

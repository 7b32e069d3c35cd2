"""The embedded FTP server, which cameras upload their pictures and clips to."""

from sightline.cameras.ftp.accounts import FtpAccount, FtpAccounts
from sightline.cameras.ftp.service import FtpService

__all__ = ["FtpAccount", "FtpAccounts", "FtpService"]

"""Sign-in of the page at an OpenID Connect issuer: authorization code with PKCE (ADR 0106)."""

from sightline.api.auth.oidc.issuer import OidcIssuer
from sightline.api.auth.oidc.sign_in import OidcSignIn

__all__ = ["OidcIssuer", "OidcSignIn"]

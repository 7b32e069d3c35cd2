"""The address of the AWS endpoint as a client called it. Pure."""


def base_url(scheme: str, host: str, public_url: str) -> str:
    """The address that the client used; behind a proxy that ends TLS, the public one."""
    return public_url if public_url.partition("://")[2] == host else f"{scheme}://{host}"

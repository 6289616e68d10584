"""Tokens of the form before this one, as stores and browsers still have them."""

import base64
import hmac


def old_token(name: str, key: bytes, identity: str, *, expires: float) -> str:
    """A token that is signed and holds nothing that its store has not."""
    body = f"o1.{name}.{identity}.{int(expires)}"
    signature = base64.urlsafe_b64encode(hmac.digest(key, body.encode(), "sha256")).decode().rstrip("=")
    return f"{body}.{signature}"

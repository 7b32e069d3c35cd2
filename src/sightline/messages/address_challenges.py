"""Challenges to addresses: the link by email and the code by ntfy, sent by the message flow.

Their messages belong to no owner: the person who asked for a challenge must not read it in their own records.
"""

from uuid import UUID

from sightline.db import Transaction
from sightline.errors import InvalidInput
from sightline.messages.create import Messages
from sightline.messages.message import NewMessage, NotificationRequest
from sightline.messages.preferences_store import PreferredLanguage
from sightline.notifications import AddressBook, AddressChannel, Language, OwnAddress

CONFIRM_PATH = "/confirm-address"

_MAIL: dict[Language, tuple[str, str]] = {
    "en": (
        "Confirm your email address",
        (
            "Somebody entered this address to get notifications from Sightline. If it was you, open the link and press Confirm."
            " It works for two days. If it was not you, do nothing: no notifications are sent here."
        ),
    ),
    "pt": (
        "Confirme seu endereço de e-mail",
        (
            "Alguém informou este endereço para receber notificações do Sightline. Se foi você, abra o link e clique em Confirmar."
            " Ele vale por dois dias. Se não foi você, não faça nada: nenhuma notificação será enviada para cá."
        ),
    ),
    "es": (
        "Confirma tu dirección de correo",
        (
            "Alguien indicó esta dirección para recibir notificaciones de Sightline. Si fuiste tú, abre el enlace y pulsa"
            " Confirmar. Es válido durante dos días. Si no fuiste tú, no hagas nada: no se enviará ninguna notificación a esta"
            " dirección."
        ),
    ),
    "de": (
        "Bestätige deine E-Mail-Adresse",
        (
            "Jemand hat diese Adresse angegeben, um Benachrichtigungen von Sightline zu bekommen. Wenn du das warst, öffne den Link"
            " und klicke auf Bestätigen. Er gilt zwei Tage. Andernfalls ist nichts zu tun: An diese Adresse werden keine"
            " Benachrichtigungen gesendet."
        ),
    ),
}
_CODE: dict[Language, tuple[str, str]] = {
    "en": (
        "Confirm this topic: {code}",
        "Type {code} in the notification preferences of Sightline within 30 minutes to get notifications here.",
    ),
    "pt": (
        "Confirme este tópico: {code}",
        "Digite {code} nas preferências de notificação do Sightline em até 30 minutos para receber notificações aqui.",
    ),
    "es": (
        "Confirma este tema: {code}",
        "Escribe {code} en las preferencias de notificación de Sightline en un plazo de 30 minutos para recibirlas aquí.",
    ),
    "de": (
        "Bestätige dieses Thema: {code}",
        "Gib {code} innerhalb von 30 Minuten bei den Benachrichtigungen von Sightline ein, um hier benachrichtigt zu werden.",
    ),
}


class AddressChallenges:
    def __init__(
        self, messages: Messages, addresses: AddressBook, *, page_url: str, languages: PreferredLanguage
    ) -> None:
        self._messages = messages
        self._addresses = addresses
        self._page_url = page_url
        self._languages = languages

    async def send(self, tx: Transaction, owner_id: UUID, channel: AddressChannel, address: str) -> NewMessage:
        """Raises `TooManyChallenges` if the address or the owner had too many."""
        found = await self._addresses.begin_challenge(tx, owner_id, channel, address)
        language = await self._languages.of(tx, owner_id)
        match channel:
            case "email":
                request = await self._email(tx, found, language)
            case "ntfy":
                request = await self._code(tx, found, language)
            case _:
                raise InvalidInput("a webhook is checked by calling it")
        new, _ = await self._messages.create(
            tx,
            message_type="address_challenge",
            payload={},
            notification=request,
            source="web-api",
            created_by=f"user:{owner_id}",
        )
        return new

    async def _email(self, tx: Transaction, found: OwnAddress, language: Language) -> NotificationRequest:
        title, body = _MAIL[language]
        token = await self._addresses.link_token(tx, found)
        link = f"{self._page_url}{CONFIRM_PATH}?token={token}"
        return NotificationRequest(
            channel="email",
            target=found.address,
            title=title,
            body=body,
            click=link,
            language=language,
            is_challenge=True,
        )

    async def _code(self, tx: Transaction, found: OwnAddress, language: Language) -> NotificationRequest:
        title, body = _CODE[language]
        code = await self._addresses.topic_code(tx, found)
        return NotificationRequest(
            channel="ntfy",
            target=found.address,
            title=title.format(code=code),
            body=body.format(code=code),
            language=language,
            is_challenge=True,
        )

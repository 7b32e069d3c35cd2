"""A key frame that shows one line of text, accents included."""

from io import BytesIO

from PIL import Image, ImageDraw

from support.clip_maker.fonts import font


def written_frame(text: str, *, typeface: str = "open-sans") -> bytes:
    picture = Image.new("L", (640, 120), 245)
    ImageDraw.Draw(picture).text((24, 40), text, fill=20, font=font(typeface, 36))
    content = BytesIO()
    picture.save(content, "JPEG", quality=95)
    return content.getvalue()

"""Languages that Whisper knows, by its codes and by those of ISO 639-3, which segments use. Pure."""

_OF_WHISPER = (
    "af:afr am:amh ar:ara as:asm az:aze ba:bak be:bel bg:bul bn:ben bo:bod br:bre bs:bos ca:cat cs:ces cy:cym da:dan de:deu "
    "el:ell en:eng es:spa et:est eu:eus fa:fas fi:fin fo:fao fr:fra gl:glg gu:guj haw:haw ha:hau he:heb hi:hin hr:hrv ht:hat "
    "hu:hun hy:hye id:ind is:isl it:ita ja:jpn jw:jav ka:kat kk:kaz km:khm kn:kan ko:kor la:lat lb:ltz ln:lin lo:lao lt:lit "
    "lv:lav mg:mlg mi:mri mk:mkd ml:mal mn:mon mr:mar ms:msa mt:mlt my:mya ne:nep nl:nld nn:nno no:nor oc:oci pa:pan pl:pol "
    "ps:pus pt:por ro:ron ru:rus sa:san sd:snd si:sin sk:slk sl:slv sn:sna so:som sq:sqi sr:srp su:sun sv:swe sw:swa ta:tam "
    "te:tel tg:tgk th:tha tk:tuk tl:tgl tr:tur tt:tat uk:ukr ur:urd uz:uzb vi:vie yi:yid yo:yor yue:yue zh:zho"
)
_TO_ISO = dict(pair.split(":") for pair in _OF_WHISPER.split())
_TO_WHISPER = {iso: code for code, iso in _TO_ISO.items()}


def iso_language(whisper_code: str) -> str:
    """ISO 639-3; `und` for a code that is not known."""
    return _TO_ISO.get(whisper_code, "und")


def whisper_language(code: str) -> str | None:
    """Whisper's code of a language given by either; None if it does not know it."""
    return code if code in _TO_ISO else _TO_WHISPER.get(code)

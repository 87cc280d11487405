from citadels_lan.texts import Texts


def summary(texts: Texts, key: str) -> str:
    return ""


def explanation(texts: Texts, key: str) -> str:
    return ""

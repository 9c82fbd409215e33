"""Words before a full stop that usually do not end a sentence, in lower case, without the last full stop.

`never_final`: something always follows (titles, references). `sometimes_final`: they end a sentence only when what
follows looks like the start of one. `unit_abbreviations`: they follow a number. The lists are short on purpose: the
rule that a lower-case letter continues the sentence catches most others.
"""

from __future__ import annotations

_GENERAL = """
dr prof mr mrs ms mx st fig figs eq eqs ref refs no nos nr vol vols ed eds ch chap sec sect pp p cf vs e.g i.e eg ie
viz ca approx aprox tel fax art cap kap abb
"""

_NEVER: dict[str, str] = {
    "en": (
        "messrs sta gen col lt sgt capt cmdr adm maj brig hon rev fr gov sen rep pres supt det insp mt ft dept "
        "univ resp"
    ),
    "fr": (
        "m mm no nos h mme mmes mlle mlles me mgr pr env chap par ex p.ex c.-à-d c-à-d janv févr avr juil sept "
        "oct nov déc av"
    ),
    "de": (
        "hr fr fa frl h.c h c str z.b z b d.h d h bzw bspw ca evtl ggf inkl exkl lt o.ä s.o s.u sog u.a v.a vgl "
        "zzgl v n abs nr str dipl ing mag jan feb apr aug sept okt nov dez geb gest kath evang jh mio mrd"
    ),
    "nl": (
        "str ong dhr mevr mw drs ir ing mr bijv bv b.v d.w.z o.a m.b.t m.n t.o.v t.a.v i.p.v ca nr blz jl vgl zgn ds"
    ),
    "es": (
        "cía sr sra dra dres sta sto sres sras srta d dª dña lic ing arq av avda c pág págs núm ej p.ej vd vds ud "
        "uds ee uu dpto tel"
    ),
    "it": (
        "p.zza v.le c.so sig sigg sig.ra sig.na dott dott.ssa avv ing arch on geom rag p.es es pag pagg art cfr "
        "ecc.mo mons ten"
    ),
    "pt": (
        "cia sr sra dra séc sto sta sres sras srta d dª eng arq av r pág págs núm ex p.ex v.ex exmo exma ilmo tel dep"
    ),
    "ru": "ок г ул д кв стр рис табл им т.е т.к т.н проф акад доц д-р гл ст см ср напр руб тыс млн млрд пр просп пл",
    "hi": "डॉ प्रो श्री श्रीमती सं रु क्र कि.मी",
    "ar": "د أ م ص ج ط هـ",
    "fa": "ر.ک ه ش م ق ص ج آ",
    "ur": "ڈاکٹر ص ج ھ ء",
}

_OFTEN: dict[str, str] = {
    "": (
        "etc inc ltd corp co jr sr al a.m p.m u.s u.k u.n e.u ph.d b.c a.d "
        "dec nov oct sept sep aug jul jun apr mar feb jan"
    ),
    "fr": "etc apr j.-c",
    "de": "usw etc u.s.w n.chr v.chr gmbh",
    "nl": "enz etc n.v b.v jan feb mrt apr aug sept okt nov dec",
    "es": "etc s.a a.c d.c",
    "it": "ecc s.p.a a.c d.c gen feb mar apr mag giu lug ago set ott nov dic",
    "pt": "etc s.a a.c d.c",
    "ru": "т.д т.п др пр гг вв н.э",
    "ar": "إلخ الخ",
}

_UNITS: dict[str, str] = {
    "": "h m km kg min",
    "ru": "г гг в вв руб коп тыс млн млрд км кг мин ч",
    "de": "jh mio mrd std",
    "ar": "م ق ه",
}
"""Abbreviations after a number; they end a sentence when a capital follows."""

_STARTERS: dict[str, str] = {
    "en": "the a an this that these those he she it they we i you his her its their our my but and in on at as if when "
    "while after before however there for with what why how who where yet so then no not some many most one",
    "fr": "le la les un une des ce cet cette ces il elle ils elles on nous vous je mais et en dans pour si quand "
    "après avant cependant son sa ses leur leurs",
    "de": "der die das ein eine er sie es wir ihr ich dieser diese dieses aber und in im am als wenn nach "
    "vor doch dann so da auf mit bei für",
    "es": "el la los las un una este esta estos estas él ella ellos se su sus pero y en por para si cuando según",
    "it": "il lo la i gli le un una questo questa egli lui lei essi ma e in per se quando dopo prima",
    "pt": "o a os as um uma este esta ele ela eles elas mas e em por para se quando após",
    "nl": "de het een deze dit die hij zij ze we wij ik maar en in op als toen na voor",
    "ru": "он она оно они мы вы я это этот эта но и в на по если когда после",
}


def never_final(language: str) -> frozenset[str]:
    """Return the abbreviations that never end a sentence in a language; general ones for languages without a list."""
    lists = _NEVER.values() if language == "xx" else [_NEVER.get(language, "")]
    return _words(_GENERAL, *(_without_short_entries(words) if language == "xx" else words for words in lists))


def sometimes_final(language: str) -> frozenset[str]:
    """Return the abbreviations that may end a sentence."""
    return _words(_OFTEN[""], _OFTEN.get(language, ""))


def unit_abbreviations(language: str) -> frozenset[str]:
    """Return the abbreviations that, after a number, end a sentence when a capital follows."""
    return _words(_UNITS[""], _UNITS.get(language, ""))


def sentence_starters(language: str) -> frozenset[str]:
    """Return words that often begin a sentence, in lower case."""
    if language in _STARTERS:
        return _words(_STARTERS[language])
    return _words(*_STARTERS.values())


def _words(*lists: str) -> frozenset[str]:
    return frozenset(word for words in lists for word in words.split())


def _without_short_entries(words: str) -> str:
    """Remove entries of one or two letters, which are words in other languages."""
    return " ".join(word for word in words.split() if len(word) > 2)

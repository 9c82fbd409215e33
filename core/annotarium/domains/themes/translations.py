"""French titles of the theme form; the English ones are the titles in the schemas."""

from __future__ import annotations

from typing import Any

FRENCH_TITLES = {
    "All pages": "Toutes les pages",
    "Bottom bar": "Barre du bas",
    "Colour of the bar": "Couleur de la barre",
    "Colour of the border": "Couleur du contour",
    "Colour of the button": "Couleur du bouton",
    "Colour of the button's text": "Couleur du texte du bouton",
    "Colour of the card": "Couleur de la carte",
    "Colour of the icons": "Couleur des icônes",
    "Colour of the text": "Couleur du texte",
    "Colours": "Couleurs",
    "Dark": "Sombre",
    "Dark at first": "Sombre au départ",
    "Dark card": "Carte sombre",
    "English": "Anglais",
    "Film of the sign-in page": "Film de la page de connexion",
    "Form": "Formulaire",
    "French": "Français",
    "Grey logo": "Logo gris",
    "Light": "Clair",
    "Opacity of the card": "Opacité de la carte",
    "Pages": "Pages",
    "Picture of the sign-in page": "Image de la page de connexion",
    "Picture of the top bar": "Image de la barre du haut",
    "Pictures and film": "Images et film",
    "Primary colour": "Couleur principale",
    "Second bar": "Seconde barre",
    "Secondary colour": "Couleur secondaire",
    "Sign-in page": "Page de connexion",
    "Subtitle": "Sous-titre",
    "Text": "Texte",
    "Theme": "Thème",
    "Title": "Titre",
    "Top bar": "Barre du haut",
    "White logo": "Logo blanc",
}


def translate_titles(schema: dict[str, Any], language: str) -> dict[str, Any]:
    """The schema with titles in the given language, and without descriptions (docstrings of the classes)."""
    named = {key: value for key, value in schema.items() if key != "description"}
    if language == "fr" and "title" in named:
        named["title"] = FRENCH_TITLES.get(named["title"], named["title"])
    if "properties" in named:
        named["properties"] = {name: translate_titles(field, language) for name, field in named["properties"].items()}
    return named

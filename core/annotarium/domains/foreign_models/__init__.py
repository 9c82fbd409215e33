"""Foreign models (trained by another installation): listing, acceptance and rejection."""

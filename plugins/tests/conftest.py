"""What all tests of the plugins share."""

from __future__ import annotations

from patience import be_patient

be_patient()

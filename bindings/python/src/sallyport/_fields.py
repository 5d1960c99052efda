"""Reads JSON of unknown shape."""

from __future__ import annotations

from typing import Any, Dict, Optional, cast


def fields_of(value: object) -> Optional[Dict[str, Any]]:
    """The value if it is an object."""
    return cast("Dict[str, Any]", value) if isinstance(value, dict) else None


def text_of(value: object) -> Optional[str]:
    return value if isinstance(value, str) else None


def integer_of(value: object) -> Optional[int]:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def number_of(value: object) -> Optional[float]:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None

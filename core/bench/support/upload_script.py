"""The beginning of scripts that prepare a data folder in a process of their own."""

from __future__ import annotations

UPLOAD_DOCUMENTS = """
import sys
from starlette.testclient import TestClient
from annotarium.app import create_app
from annotarium.db.migrate import upgrade_database
from annotarium.domains.auth.operator_accounts import ensure_first_administrator
upgrade_database()
ensure_first_administrator()
client = TestClient(create_app(), base_url="http://bench.test")
answer = client.post("/api/auth/login", json={"email": "admin", "password": sys.argv[1]})
headers = {"authorization": "Bearer " + answer.json()["access_token"]}
client.post("/api/projects", json={"label": "bench", "name": "bench", "lang": "en"}, headers=headers)
with open(sys.argv[2], "rb") as file:
    upload = client.post("/api/uploads", files={"file": ("documents.json", file)}, headers=headers).json()
"""
"""Makes the project `bench` and uploads a file; arguments: the administrator's password, the JSON file.

Leaves `client`, `headers` and `upload` to what follows it.
"""

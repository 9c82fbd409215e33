"""Reads Turtle as a stream: statements go to a sink while they are read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from annotarium_plugins.builtin.term_importers.finished_terms import PROBLEMS
from annotarium_plugins.builtin.term_importers.rdf.facts import TYPE
from annotarium_plugins.builtin.term_importers.rdf.syntax import DEPTH, RdfError, Sink, resolved_iri, unescaped
from annotarium_plugins.builtin.term_importers.rdf.tokens import Token, Tokens
from annotarium_schemas.messages import message

_Value = tuple[str, str | None]
"""A value and its language; None for a resource."""


def read_turtle(file: IO[str], sink: Sink) -> Iterator[RdfError]:
    """Read a file; yield its errors. After one, reading continues at the next statement that begins on a line."""
    reader = _TurtleReader(Tokens(file), sink)
    for _ in range(PROBLEMS):
        try:
            while reader.statement():
                pass
        except RdfError as error:
            yield error
            if reader.tokens.skip_statement():
                continue
        return


class _TurtleReader:
    """Reads the statements of one file."""

    def __init__(self, tokens: Tokens, sink: Sink) -> None:
        self.tokens = tokens
        self._sink = sink
        self._prefixes: dict[str, str] = {}
        self._base = ""
        self._anonymous = 0

    def statement(self) -> bool:
        """Read a statement; False at the end of the file."""
        token = self.tokens.peek()
        if token.kind == "end":
            return False
        if token.kind == "language" and token.text in ("@prefix", "@base"):
            self.tokens.take()
            self._directive(token.text[1:])
            self._expect(".")
        elif token.kind == "word" and token.text.lower() in ("prefix", "base"):
            self.tokens.take()
            self._directive(token.text.lower())
        else:
            self._triples()
            self._expect(".")
        return True

    def _directive(self, kind: str) -> None:
        if kind == "base":
            self._base = self._iri(self.tokens.take())
            return
        name = self.tokens.take()
        if name.kind != "name" or not name.text.endswith(":"):
            raise _unexpected(name)
        self._prefixes[name.text[:-1]] = self._iri(self.tokens.take())

    def _triples(self) -> None:
        token = self.tokens.peek()
        if token.text == "[" and token.kind == "mark":
            subject = self._anonymous_resource(0)
            if self.tokens.peek().text == ".":
                return
        else:
            subject, language = self._object(0)
            if language is not None:
                raise _unexpected(token)
        self._predicates(subject, 0)

    def _predicates(self, subject: str, depth: int) -> None:
        """Read predicates with their objects until a full stop or a closing bracket, which is not consumed."""
        while True:
            predicate = self._predicate()
            while True:
                value, language = self._object(depth)
                self._sink(subject, predicate, value, language)
                if self.tokens.peek().text != ",":
                    break
                self.tokens.take()
            if self.tokens.peek().text != ";":
                return
            while self.tokens.peek().text == ";":
                self.tokens.take()
            if self.tokens.peek().text in (".", "]"):
                return

    def _predicate(self) -> str:
        token = self.tokens.take()
        if token.kind == "word" and token.text == "a":
            return TYPE
        return self._iri(token)

    def _object(self, depth: int) -> _Value:
        token = self.tokens.peek()
        if token.kind in ("iri", "name"):
            return self._iri(self.tokens.take()), None
        if token.kind in ("short", "long"):
            return self._literal()
        if token.kind == "mark" and token.text == "[":
            return self._anonymous_resource(depth), None
        if token.kind == "mark" and token.text == "(":
            return self._list(depth), None
        self.tokens.take()
        if token.kind == "blank":
            return token.text, None
        if token.kind == "number" or (token.kind == "word" and token.text in ("true", "false")):
            return token.text, ""
        raise _unexpected(token)

    def _literal(self) -> _Value:
        token = self.tokens.take()
        marks = 3 if token.kind == "long" else 1
        text = unescaped(token.text[marks:-marks])
        following = self.tokens.peek()
        if following.kind == "language":
            self.tokens.take()
            return text, following.text[1:]
        if following.text == "^^":
            self.tokens.take()
            self._iri(self.tokens.take())
        return text, ""

    def _anonymous_resource(self, depth: int) -> str:
        opening = self.tokens.take()
        if depth >= DEPTH:
            raise RdfError(opening.line, message("rdf.deep", "It is nested too deep"))
        self._anonymous += 1
        subject = f"_:[{self._anonymous}]"
        if self.tokens.peek().text != "]":
            self._predicates(subject, depth + 1)
        self._expect("]")
        return subject

    def _list(self, depth: int) -> str:
        """Read a list. No part of a term is a list, so that its values are read and left out."""
        opening = self.tokens.take()
        if depth >= DEPTH:
            raise RdfError(opening.line, message("rdf.deep", "It is nested too deep"))
        self._anonymous += 1
        while self.tokens.peek().text != ")":
            self._object(depth + 1)
        self._expect(")")
        return f"_:({self._anonymous})"

    def _iri(self, token: Token) -> str:
        if token.kind == "iri":
            return resolved_iri(self._base, unescaped(token.text[1:-1]))
        if token.kind != "name":
            raise _unexpected(token)
        prefix, _, local = token.text.partition(":")
        if prefix not in self._prefixes:
            raise RdfError(token.line, message("rdf.prefix", "The prefix {name} is not declared", name=f"{prefix}:"))
        return self._prefixes[prefix] + unescaped(local)

    def _expect(self, mark: str) -> None:
        token = self.tokens.peek()
        if token.text != mark or token.kind != "mark":
            raise _unexpected(token)
        self.tokens.take()


def _unexpected(token: Token) -> RdfError:
    if token.kind == "end":
        return RdfError(token.line, message("rdf.cut", "The file ends within a statement"))
    part = token.text[:40].split("\n")[0]
    return RdfError(token.line, message("rdf.unexpected", "{name} is not expected here", name=part))

"""Creates the mutants of a Python module.

A mutant replaces a range of the source text without changing the number of lines, so that later functions keep their
line numbers (`swap_functions` finds functions by them). Not mutated, because tests should not depend on them:
docstrings, annotations, log calls, texts of messages and errors, `assert`, `if TYPE_CHECKING`, options of dataclasses.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
from dataclasses import dataclass

_COMPARISONS = {
    "==": ("!=",),
    "!=": ("==",),
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "in": ("not in",),
    "not in": ("in",),
    "is": ("is not",),
    "is not": ("is",),
}
_SIGNS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.BitOr: ("|", "&"),
    ast.BitAnd: ("&", "|"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
}
_COMPARED: dict[type[ast.AST], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}
_SWAPPED_CALLS = {"all": "any", "any": "all", "min": "max", "max": "min"}
_LOGS = {"log", "_log", "logger", "_logger"}
_QUIET_CALLS = {"say", "warn", "TypeVar", "NewType", "cast", "Depends", "dataclass", "field"}
_QUIET_KEYWORDS = {
    "slots",
    "frozen",
    "kw_only",
    "description",
    "title",
    "examples",
    "summary",
    "message",
    "cause",
    "fix",
}


@dataclass(frozen=True)
class Mutant:
    """One replacement. `start` and `end` count characters; `line` and `last` are the first and last line of its
    statement.
    """

    path: str
    scope: str
    operator: str
    start: int
    end: int
    text: str
    line: int
    last: int
    in_function: bool
    is_of_transaction: bool = False
    is_strictness: bool = False

    @property
    def name(self) -> str:
        """Identifier, unique for one content of the module."""
        return f"{self.operator}@{self.start}-{self.end}:{self.text}"

    def apply(self, source: str) -> str:
        """Return the mutated source, with as many lines as the original."""
        lost = source[self.start : self.end].count("\n") - self.text.count("\n")
        filled = self.text
        if lost and self.operator in ("remove statement", "drop argument"):
            filled += "\n" * lost
        elif lost:
            filled = f"({self.text}" + "\n" * lost + ")"
        return source[: self.start] + filled + source[self.end :]

    def difference(self, source: str) -> str:
        """Return the changed lines as a diff without context."""
        lines = difflib.unified_diff(source.splitlines(), self.apply(source).splitlines(), lineterm="", n=0)
        return "\n".join(line for line in lines if line[:3] not in ("---", "+++") and line[:2] != "@@" and line != "+")

    def key(self, source: str) -> str:
        """Return a hash of twelve characters of the change, its location, and the whole function around it."""
        text, first = _function_around(source, self)
        place = str(self.line - first), str(self.start - source.rfind("\n", 0, self.start))
        parts = (self.path, self.scope, text, *place, self.difference(source))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]

    @property
    def is_quiet(self) -> bool:
        """Whether tests should not be expected to detect the mutant.

        A limit or waiting time increased by one: a test would copy the figure. A read-only transaction opened for
        writing: it reads the same. A write without its actor: it is attributed to the server, whose name is empty.
        `zip` without its length check: the lengths are equal.
        """
        if self.is_strictness:
            return True
        if (
            not self.in_function
            and self.operator == "change value"
            and self.text not in ("True", "False", "0", "1", "2")
        ):
            return True
        return self.is_of_transaction and (self.text == "True" or self.operator == "drop argument")


def _function_around(source: str, mutant: Mutant) -> tuple[str, int]:
    """Return the source of the function that contains a mutant, and its first line; the changed lines when it is
    outside functions.
    """
    found: tuple[str, int] | None = None
    if mutant.path.endswith(".py"):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.lineno <= mutant.line <= (
                node.end_lineno or 0
            ):
                found = ast.get_source_segment(source, node) or "", node.lineno
    return found or (mutant.difference(source), mutant.line)


def mutants_of(path: str, source: str) -> list[Mutant]:
    """Return all mutants of a module, in text order."""
    maker = _Maker(path, source)
    maker.visit(ast.parse(source))
    unique = {mutant.name: mutant for mutant in maker.made}
    return sorted(unique.values(), key=lambda mutant: (mutant.start, mutant.end, mutant.text))


class _Maker(ast.NodeVisitor):
    def __init__(self, path: str, source: str) -> None:
        self.path, self.source, self.made = path, source, list[Mutant]()
        self._scopes: list[tuple[str, bool]] = []
        self._statement: ast.stmt | None = None
        self._in_transaction = self._in_zip = False
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._lines = source.splitlines(keepends=True)

    # Positions

    def _at(self, line: int, column: int) -> int:
        return self._starts[line - 1] + len(self._lines[line - 1].encode()[:column].decode())

    def _span(self, node: ast.expr | ast.stmt | ast.keyword) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self._at(node.lineno, node.col_offset), self._at(node.end_lineno, node.end_col_offset)

    def _text(self, node: ast.expr | ast.stmt) -> str:
        start, end = self._span(node)
        return self.source[start:end]

    def _add(self, operator: str, start: int, end: int, text: str) -> None:
        statement = self._statement
        if statement is None or self.source[start:end] == text:
            return
        inner = isinstance(statement, ast.If | ast.While | ast.For | ast.With | ast.Try | ast.Match)
        last = statement.lineno if inner else statement.end_lineno or statement.lineno
        self.made.append(
            Mutant(
                self.path,
                ".".join(name for name, _ in self._scopes) or "<module>",
                operator,
                start,
                end,
                text,
                statement.lineno,
                last,
                any(function for _, function in self._scopes),
                self._in_transaction,
                self._in_zip,
            )
        )

    def _between(self, left: ast.expr, right: ast.expr, old: str, new: str, operator: str) -> None:
        start, end = self._span(left)[1], self._span(right)[0]
        gap = self.source[start:end]
        words = old.split()
        at = gap.find(words[0])
        if at < 0:
            return
        stop = at + len(words[0])
        if len(words) > 1:
            stop = gap.find(words[1], stop) + len(words[1])
        self._add(operator, start + at, start + stop, new)

    # Statements

    def visit(self, node: ast.AST) -> None:
        """Visit a node and remember its innermost statement."""
        if isinstance(node, ast.stmt):
            before, self._statement = self._statement, node
            super().visit(node)
            self._statement = before
        else:
            super().visit(node)

    def _scope(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        is_function = not isinstance(node, ast.ClassDef)
        for decorator in node.decorator_list:
            self.visit(decorator)
        if is_function:
            for default in [*node.args.defaults, *node.args.kw_defaults]:
                if default is not None:
                    self.visit(default)
        self._scopes.append((node.name, is_function))
        if node.name != "__repr__":
            for statement in node.body:
                self.visit(statement)
        self._scopes.pop()

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _scope

    def visit_Assert(self, node: ast.Assert) -> None:
        """Not mutated: assertions only inform the type checker."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Mutates the value, not the annotation."""
        if node.value is not None:
            self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        """Does not mutate `__all__`."""
        if not any(isinstance(target, ast.Name) and target.id.startswith("__") for target in node.targets):
            self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        """Not mutated."""

    visit_ImportFrom = visit_Import

    def visit_Expr(self, node: ast.Expr) -> None:
        """Removes a call made for its effect; docstrings and log calls stay."""
        if isinstance(node.value, ast.Constant) or self._is_log(node.value):
            return
        if isinstance(node.value, ast.Call | ast.Await):
            self._add("remove statement", *self._span(node), "pass")
        self.generic_visit(node)

    def visit_Delete(self, node: ast.Delete) -> None:
        """Removes a `del`."""
        self._add("remove statement", *self._span(node), "pass")

    def visit_Raise(self, node: ast.Raise) -> None:
        """Removes a `raise`; the texts of errors stay."""
        if node.exc is not None:
            self._add("remove statement", *self._span(node), "pass")

    def visit_Continue(self, node: ast.Continue) -> None:
        """Replaces `continue` by `break`."""
        self._add("swap word", *self._span(node), "break")

    def visit_Break(self, node: ast.Break) -> None:
        """Replaces `break` by `continue`."""
        self._add("swap word", *self._span(node), "continue")

    def visit_Return(self, node: ast.Return) -> None:
        """Removes the returned value."""
        if node.value is not None and not isinstance(node.value, ast.Constant):
            self._add("return nothing", *self._span(node.value), "None")
            self.visit(node.value)
        elif isinstance(node.value, ast.Constant):
            self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """Replaces `+=` by `-=` and so on."""
        sign = _SIGNS.get(type(node.op))
        if sign:
            start = self._span(node.target)[1]
            at = self.source.find(sign[0] + "=", start)
            self._add("swap sign", at, at + len(sign[0]), sign[1])
        self.visit(node.value)

    def _condition(self, node: ast.If | ast.While) -> None:
        if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            if isinstance(node, ast.If):
                self._negate(node.test)
            self.generic_visit(node)

    visit_If = visit_While = _condition

    def visit_IfExp(self, node: ast.IfExp) -> None:
        """Always uses one of the two values."""
        for value in (node.body, node.orelse):
            self._add("one branch", *self._span(node), f"({self._text(value)})")
        self.generic_visit(node)

    def _negate(self, test: ast.expr) -> None:
        if isinstance(test, ast.UnaryOp | ast.Compare | ast.BoolOp | ast.NamedExpr):
            return  # mutated by its own method
        self._add("negate", *self._span(test), f"not ({self._text(test)})")

    # Expressions

    def visit_Compare(self, node: ast.Compare) -> None:
        """Replaces comparison operators and compared texts."""
        left = node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            old = _COMPARED[type(op)]
            for new in _COMPARISONS[old]:
                self._between(left, right, old, new, "swap comparison")
            left = right
        for value in (node.left, *node.comparators):
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                self._add("change word", *self._span(value), repr(value.value + "_"))
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """Replaces `and` by `or` and vice versa, and removes each operand."""
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._between(left, right, old, new, "swap word")
        for at in range(len(node.values)):
            rest = [self._text(value) for place, value in enumerate(node.values) if place != at]
            self._add("drop operand", *self._span(node), "(" + f" {old} ".join(f"({text})" for text in rest) + ")")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """Removes `not` and signs."""
        if isinstance(node.op, ast.Not | ast.USub):
            self._add("drop sign", *self._span(node), f"({self._text(node.operand)})")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Replaces the operator."""
        sign = _SIGNS.get(type(node.op))
        texts = any(
            isinstance(side, ast.JoinedStr) or (isinstance(side, ast.Constant) and isinstance(side.value, str))
            for side in (node.left, node.right)
        )
        if sign and not texts:
            self._between(node.left, node.right, *sign, "swap sign")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Inverts truth values and increments numbers."""
        if isinstance(node.value, bool):
            self._add("change value", *self._span(node), str(not node.value))
        elif isinstance(node.value, int | float):
            self._add("change value", *self._span(node), repr(node.value + 1))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Not mutated: positions inside f-strings are not those of the file."""

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        for generator in node.generators:
            for condition in generator.ifs:
                self._add("drop filter", *self._span(condition), "True")
        self.generic_visit(node)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def visit_Call(self, node: ast.Call) -> None:
        """Replaces `all` by `any`, `min` by `max` and so on; removes keyword arguments."""
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if self._is_log(node) or name in _QUIET_CALLS:
            return
        if isinstance(node.func, ast.Name) and name in _SWAPPED_CALLS:
            self._add("swap call", *self._span(node.func), _SWAPPED_CALLS[name])
        before, self._in_transaction = self._in_transaction, name == "unit_of_work"
        for keyword in node.keywords:
            self._in_zip = name == "zip" and keyword.arg == "strict"
            if keyword.arg is None or keyword.arg in _QUIET_KEYWORDS:
                continue
            start, end = self._span(keyword)
            while self.source[end] in " \n":
                end += 1
            if self.source[end] == ",":
                self._add("drop argument", start, end + 1, "")
            elif len(node.args) + len(node.keywords) == 1:
                self._add("drop argument", *self._span(keyword), "")
            self.visit(keyword.value)
            self._in_zip = False
        self._in_transaction = before
        self.visit(node.func)
        for argument in node.args:
            self.visit(argument)

    @staticmethod
    def _is_log(node: ast.expr) -> bool:
        func = node.func if isinstance(node, ast.Call) else None
        return isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id in _LOGS

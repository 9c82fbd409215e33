"""Replaces the code of loaded functions: one process that has imported everything tests all mutants in forks."""

from __future__ import annotations

import ast
import builtins
import gc
from collections import Counter
from collections.abc import Callable
from types import CodeType, FunctionType

HIT = "__mutation_hit__"
_Key = tuple[str, int, int]


class CannotSwap(Exception):
    """The mutant changes code that is evaluated only at import."""


class LoadedFunctions:
    """The functions of one module file that exist in this process."""

    def __init__(self, filename: str, source: str) -> None:
        self.filename, self.source = filename, source
        self._functions = [
            found
            for found in gc.get_objects()
            if type(found) is FunctionType and found.__code__.co_filename == filename
        ]
        names = {code: key for key, code in _code_objects(compile(source, filename, "exec", dont_inherit=True)).items()}
        self._keys = [names.get(found.__code__) for found in self._functions]

    def __len__(self) -> int:
        return len(self._functions)

    def swap(self, tree: ast.Module | str) -> None:
        """Give every function the code that it has in `tree`.

        :raises CannotSwap: when a function would need other variables of enclosing functions.
        """
        codes = _code_objects(compile(tree, self.filename, "exec", dont_inherit=True))
        for function, key in zip(self._functions, self._keys, strict=True):
            code = codes.get(key) if key else None
            if code is None:
                continue
            try:
                function.__code__ = code
            except ValueError as error:
                raise CannotSwap(str(error)) from error

    def count_lines(self, hit: Callable[[int], object]) -> None:
        """Make every statement of every function call `hit` with its line number."""
        setattr(builtins, HIT, hit)
        self.swap(ast.fix_missing_locations(_LineCounterInserter().visit(ast.parse(self.source))))


def _code_objects(module: CodeType) -> dict[_Key, CodeType]:
    found: dict[_Key, CodeType] = {}
    seen: Counter[tuple[str, int]] = Counter()

    def walk(code: CodeType) -> None:
        for inner in code.co_consts:
            if isinstance(inner, CodeType):
                name = (inner.co_qualname, inner.co_firstlineno)
                found[(*name, seen[name])] = inner
                seen[name] += 1
                walk(inner)

    walk(module)
    return found


class _LineCounterInserter(ast.NodeTransformer):
    def __init__(self) -> None:
        self._depth = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self._depth += 1
        changed = self.generic_visit(node)
        self._depth -= 1
        return changed

    visit_AsyncFunctionDef = visit_FunctionDef  # type: ignore[assignment]

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if self._depth and not isinstance(node, ast.Lambda | ast.ClassDef | ast.IfExp):
            for name in ("body", "orelse", "finalbody"):
                block = getattr(node, name, None)
                if isinstance(block, list):
                    setattr(
                        node, name, [step for statement in block for step in (_line_counter_call(statement), statement)]
                    )
        return node


def _line_counter_call(statement: ast.stmt) -> ast.stmt:
    line = statement.lineno
    decorators = getattr(statement, "decorator_list", ())
    line = min([line, *(decorator.lineno for decorator in decorators)])
    call = ast.Call(ast.Name(HIT, ast.Load()), [ast.Constant(line)], [])
    return ast.copy_location(ast.Expr(call), statement)

/**
 * Converts code points to UTF-16 and back. The server, the files and the API count Unicode code points; the DOM and JavaScript count UTF-16
 * code units. The index stores only the positions of astral characters, so a text without any is converted by identity.
 */

export interface OffsetIndex {
  /** Length of the text in code points. */
  readonly codePoints: number;
  /** Length of the text in UTF-16 code units. */
  readonly units: number;
  /** UTF-16 index of a code point offset; out of range values are clamped. */
  toUnits(codePoint: number): number;
  /** Code point offset of a UTF-16 index; an index inside a surrogate pair is rounded down to the start of the pair. */
  toCodePoints(unit: number): number;
}

/** UTF-16 indexes at which a surrogate pair starts, ascending. */
export function astralPositions(text: string): Uint32Array {
  const found: number[] = [];
  for (let at = 0; at < text.length - 1; at += 1) {
    if (isHighSurrogate(text.charCodeAt(at)) && isLowSurrogate(text.charCodeAt(at + 1))) {
      found.push(at);
      at += 1;
    }
  }
  return Uint32Array.from(found);
}

export function buildOffsetIndex(text: string): OffsetIndex {
  const astral = astralPositions(text);
  const units = text.length;
  const codePoints = units - astral.length;
  if (astral.length === 0) {
    const identity = (offset: number): number => clamp(offset, units);
    return { codePoints, units, toUnits: identity, toCodePoints: identity };
  }
  return {
    codePoints,
    units,
    toUnits: (codePoint) => {
      const wanted = clamp(codePoint, codePoints);
      // The k-th astral character is at code point astral[k] - k: each one before it takes an extra unit.
      return wanted + countLeadingWhile(astral, (position, k) => position - k < wanted);
    },
    toCodePoints: (unit) => {
      const wanted = clamp(unit, units);
      return wanted - countLeadingWhile(astral, (position) => position + 1 < wanted) - countInsidePair(astral, wanted);
    },
  };
}

/** 1 when `unit` is between the two halves of a pair: the first half has been counted as one unit already. */
function countInsidePair(astral: Uint32Array, unit: number): number {
  const before = countLeadingWhile(astral, (position) => position < unit);
  return before > 0 && astral[before - 1] === unit - 1 ? 1 : 0;
}

/** Number of leading positions for which the monotone predicate holds (binary search). */
function countLeadingWhile(positions: Uint32Array, holds: (position: number, index: number) => boolean): number {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(positions[middle] ?? 0, middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function clamp(offset: number, limit: number): number {
  return Math.min(Math.max(Math.trunc(offset), 0), limit);
}

export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

export function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Colour arithmetic: hex, WCAG contrast, OKLCH. Pure; used for all computed theme colours. */

export type Hex = string;

export interface Oklch {
  readonly l: number;
  readonly c: number;
  /** Radians. */
  readonly h: number;
}

type Triple = readonly [number, number, number];

const HEX = /^#?([0-9a-f]{3}|[0-9a-f]{6})(?:[0-9a-f]{2})?$/i;

/** True for `#rgb`, `#rrggbb` and `#rrggbbaa`. */
export function isHex(value: string): boolean {
  return HEX.test(value.trim());
}

/** Channels 0..255. Throws a `RangeError` on anything that is not a hex colour. */
export function rgbOf(hex: Hex): Triple {
  const digits = HEX.exec(hex.trim())?.[1];
  if (digits === undefined) throw new RangeError(`Not a hex colour: ${hex}`);
  const full = digits.length === 3 ? [...digits].map((d) => d + d).join('') : digits;
  const value = Number.parseInt(full, 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

export function hexOf([r, g, b]: Triple): Hex {
  const part = (n: number) =>
    Math.round(Math.min(255, Math.max(0, n)))
      .toString(16)
      .padStart(2, '0');
  return `#${part(r)}${part(g)}${part(b)}`.toUpperCase();
}

/** `share` (0..1) of `over` painted on `under`. */
export function blend(over: Hex, under: Hex, share: number): Hex {
  const a = rgbOf(over);
  const b = rgbOf(under);
  return hexOf([0, 1, 2].map((i) => a[i]! * share + b[i]! * (1 - share)) as unknown as Triple);
}

/** `rgba()` text for scrims and shadows. */
export function rgbaText(hex: Hex, share: number): string {
  return `rgba(${rgbOf(hex).join(', ')}, ${share})`;
}

const toLinear = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const fromLinear = (v: number) => (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055);

function linearRgbOf(hex: Hex): Triple {
  return rgbOf(hex).map((v) => toLinear(v / 255)) as unknown as Triple;
}

/** WCAG 2 relative luminance, 0..1. */
export function luminance(hex: Hex): number {
  const [r, g, b] = linearRgbOf(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG 2 contrast ratio, 1..21. */
export function contrast(a: Hex, b: Hex): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

export function oklchOf(hex: Hex): Oklch {
  const [r, g, b] = linearRgbOf(hex);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return { l: lightness, c: Math.hypot(a, bb), h: Math.atan2(bb, a) };
}

function linearRgbFromOklch({ l, c, h }: Oklch): Triple {
  const a = c * Math.cos(h);
  const b = c * Math.sin(h);
  const x = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const y = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const z = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
    -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
    -0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z,
  ];
}

const inGamut = (rgb: Triple) => rgb.every((v) => v >= -0.0005 && v <= 1.0005);

/** Nearest displayable colour of that lightness and hue: only the chroma is reduced. */
export function hexFromOklch(colour: Oklch): Hex {
  const l = Math.min(1, Math.max(0, colour.l));
  let low = 0;
  let high = colour.c;
  let rgb = linearRgbFromOklch({ ...colour, l });
  if (!inGamut(rgb)) {
    for (let step = 0; step < 24; step += 1) {
      const c = (low + high) / 2;
      rgb = linearRgbFromOklch({ ...colour, l, c });
      if (inGamut(rgb)) low = c;
      else high = c;
    }
    rgb = linearRgbFromOklch({ ...colour, l, c: low });
  }
  return hexOf(rgb.map((v) => fromLinear(Math.min(1, Math.max(0, v))) * 255) as unknown as Triple);
}

/**
 * Moves lightness (hue kept) in one direction until `target` is reached on each background.
 * @param direction -1 darkens, 1 lightens.
 */
export function adjustToContrast(hex: Hex, backgrounds: readonly Hex[], target: number, direction: -1 | 1): Hex {
  const start = oklchOf(hex);
  let candidate = hex.toUpperCase();
  for (let step = 0; step <= 500; step += 1) {
    if (step > 0) candidate = hexFromOklch({ ...start, l: start.l + direction * step * 0.002 });
    if (backgrounds.every((background) => contrast(candidate, background) >= target)) return candidate;
  }
  return direction < 0 ? '#000000' : '#FFFFFF';
}

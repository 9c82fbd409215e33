/** Readable names of browsers and programs in user agent strings. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

const firstMatchingName = (names: typeof BROWSERS, agent: string) => names.find(([pattern]) => pattern.test(agent))?.[1];

/** `Firefox, Linux`; for other programs the first word (`curl/8.5`); empty for an empty string. */
export function describeUserAgent(agent: string): string {
  const browser = firstMatchingName(BROWSERS, agent);
  if (browser === undefined) return agent.split(' ')[0] ?? '';
  const system = firstMatchingName(SYSTEMS, agent);
  return system === undefined ? browser : `${browser}, ${system}`;
}

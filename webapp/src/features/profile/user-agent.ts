/** What a browser or a program calls itself, as people name it. */
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

/** `Firefox, Linux`; the first word of what no browser says (`curl/8.5`); empty when nothing was said. */
export function describeUserAgent(agent: string): string {
  const browser = firstMatchingName(BROWSERS, agent);
  if (browser === undefined) return agent.split(' ')[0] ?? '';
  const system = firstMatchingName(SYSTEMS, agent);
  return system === undefined ? browser : `${browser}, ${system}`;
}

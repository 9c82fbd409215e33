/** V-005: at least `minimum` characters; the two entries match. */
export function passwordErrors(first: string, second: string, minimum: number): { first: 'short' | null; second: 'differs' | null } {
  return { first: [...first].length < minimum ? 'short' : null, second: first === second ? null : 'differs' };
}

import type { Person } from '@/api/resources/archives';

export interface Named {
  readonly name: string;
  readonly label: string;
}

/** Both names: profile names need not differ. */
export const nameOf = ({ username, profilename }: Person): Named => ({
  name: username,
  label: profilename === username ? username : `${profilename} (${username})`,
});

/** V-020: whom one can still pick: not oneself, nobody who has it already. Null stays null: names are typed then. */
export function peopleOptions(names: readonly Named[] | null, taken: readonly { readonly name: string }[], me = ''): Named[] | null {
  if (names === null) return null;
  const gone = new Set(taken.map((one) => one.name));
  return names.filter((one) => one.name !== me && !gone.has(one.name));
}

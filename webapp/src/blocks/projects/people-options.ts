import type { Person } from '@/api/resources/archives-and-shares';

export interface NameOption {
  readonly name: string;
  readonly label: string;
}

/** Both names, as profile names need not be unique. */
export const personOption = ({ username, profilename }: Person): NameOption => ({
  name: username,
  label: profilename === username ? username : `${profilename} (${username})`,
});

/** V-020: people who can still be added: without the user and those already chosen. Null stays null: names are typed then. */
export function optionsNotTaken(
  names: readonly NameOption[] | null,
  taken: readonly { readonly name: string }[],
  me = '',
): NameOption[] | null {
  if (names === null) return null;
  const gone = new Set(taken.map((one) => one.name));
  return names.filter((one) => one.name !== me && !gone.has(one.name));
}

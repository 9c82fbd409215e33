/** Metadata that a project filters by: a name, or an object with a title and a type (ours). */
export type MetafacetType = '' | 'text' | 'number' | 'date';

export interface Metafacet {
  readonly name: string;
  /** Empty: the name is shown. */
  readonly title: string;
  /** Empty: the values tell it. */
  readonly type: MetafacetType;
}

const TYPES: readonly string[] = ['text', 'number', 'date'];
const titleFromName = (value: unknown): string => (typeof value === 'string' ? value : '');

export function metafacetsOf(list: readonly unknown[] | undefined): Metafacet[] {
  return (list ?? []).flatMap((entry) => {
    const parts = typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>) : { name: entry };
    const [name, title, type] = [titleFromName(parts['name']), titleFromName(parts['title']), titleFromName(parts['type'])];
    return name === '' ? [] : [{ name, title, type: (TYPES.includes(type) ? type : '') as MetafacetType }];
  });
}

/** As the project keeps it. */
export const metafacetEntry = ({ name, title, type }: Metafacet): string | Partial<Metafacet> =>
  title === '' && type === '' ? name : { name, ...(title === '' ? {} : { title }), ...(type === '' ? {} : { type }) };

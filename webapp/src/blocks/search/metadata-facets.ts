/** Metadata facets of a project: a name, or an object with a title and a type (our extension). */
export type MetafacetType = '' | 'text' | 'number' | 'date';

export interface Metafacet {
  readonly name: string;
  /** Empty: the name is shown. */
  readonly title: string;
  /** Empty: derived from the values. */
  readonly type: MetafacetType;
}

const TYPES: readonly string[] = ['text', 'number', 'date'];
const stringOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');

export function parseMetafacets(list: readonly unknown[] | undefined): Metafacet[] {
  return (list ?? []).flatMap((entry) => {
    const parts = typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>) : { name: entry };
    const [name, title, type] = [stringOrEmpty(parts['name']), stringOrEmpty(parts['title']), stringOrEmpty(parts['type'])];
    return name === '' ? [] : [{ name, title, type: (TYPES.includes(type) ? type : '') as MetafacetType }];
  });
}

/** The form stored in the project. */
export const metafacetToJson = ({ name, title, type }: Metafacet): string | Partial<Metafacet> =>
  title === '' && type === '' ? name : { name, ...(title === '' ? {} : { title }), ...(type === '' ? {} : { type }) };

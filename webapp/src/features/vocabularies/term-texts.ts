/** Names of the facets of terms and of their values. */
import { useTranslation } from 'react-i18next';
import type { Lexicon } from '@/api/resources/lexicons';
import type { FacetTexts } from '@/blocks/search/facet-texts';

const PROPERTY = 'properties.';

/** The name of a language in another one; the code itself where it is not known. */
export function languageName(code: string, language: string): string {
  try {
    return new Intl.DisplayNames([language], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

export function useTermFacetTexts(lexicons: readonly Lexicon[]): FacetTexts {
  const { t, i18n } = useTranslation('vocabularies');
  const named = (name: string) => lexicons.find((lexicon) => lexicon.name === name);
  return {
    title: (facet) =>
      i18n.exists(`vocabularies:facet.${facet}`) ? t(`facet.${facet}`) : facet.startsWith(PROPERTY) ? facet.slice(PROPERTY.length) : facet,
    value: (facet, value) => {
      if (facet === 'lexicon') return named(value)?.label ?? value;
      if (facet === 'language') return languageName(value, i18n.language);
      return value === 'true' || value === 'false' ? t(value === 'true' ? 'common:yes' : 'common:no') : value;
    },
    colour: (facet, value) => (facet === 'lexicon' ? named(value)?.color : undefined),
  };
}

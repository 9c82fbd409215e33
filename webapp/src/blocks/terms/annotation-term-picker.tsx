/** The picker of terms for an annotation in a text, in the place of the picker of labels. */
import type { ReactNode } from 'react';
import type { PickerContext } from '@/annotation/surface/surface-types';
import type { Term } from '@/api/resources/concepts';
import type { LexiconTerm } from '@/api/resources/terms';
import { TermPicker } from './term-picker';
import type { TermLinking } from './use-term-linking';

interface AnnotationTermPickerProps {
  readonly project: string;
  readonly context: PickerContext;
  readonly linking: TermLinking;
  /** The words of the annotation. */
  readonly textOf: (id: string) => string;
}

/** Those of lexicons; a term of a knowledge base cannot be picked. */
const lexiconTerms = (terms: readonly Term[]): readonly LexiconTerm[] => terms.map((term) => ({ ...term, lexicon: term.lexicon ?? '' }));

export function AnnotationTermPicker({ project, context, linking, textOf }: AnnotationTermPickerProps): ReactNode {
  const { target, terms: purpose, close } = context;
  if (target.kind !== 'span' || purpose === undefined) return null;
  const { id } = target;
  const pick = (term: LexiconTerm): void => {
    if (purpose === 'link') linking.link(id, term);
    else linking.replace(id, term);
    close();
  };
  return (
    <TermPicker
      key={id}
      {...{ project, purpose }}
      words={textOf(id)}
      linked={lexiconTerms(linking.termsOf(id))}
      onPick={pick}
      onClose={close}
    />
  );
}

/** The terms of an annotation as cards, with the button that links another one. */
import { BookMarked } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import { TermCard } from './term-card';
import type { TermLinking } from './use-term-linking';
import styles from './terms.module.css';

interface AnnotationTermsProps {
  readonly project: string;
  /** The annotation. */
  readonly id: string;
  readonly linking: TermLinking;
  /** Of the document. */
  readonly language: string;
  readonly writable: boolean;
  /** Opens the picker at the annotation; undefined: terms cannot be linked here. */
  readonly onPick: ((id: string, purpose: 'link' | 'change') => void) | undefined;
}

export function AnnotationTerms({ project, id, linking, language, writable, onPick }: AnnotationTermsProps): ReactNode {
  const { t } = useTranslation('terms');
  const terms = linking.termsOf(id);
  return (
    <>
      {terms.map((term) => (
        <TermCard
          key={`${term.lexicon ?? ''} ${term.identifier}`}
          {...{ project, term, language }}
          lexicon={term.lexicon ?? ''}
          identifier={term.identifier}
          {...(writable && { onUnlink: () => linking.unlink(id, term) })}
          {...(writable && onPick && { onChange: () => onPick(id, 'change') })}
        />
      ))}
      {writable && onPick && (
        <p className={styles['add']}>
          <Button small icon={BookMarked} keyCap="E" onClick={() => onPick(id, 'link')}>
            {t('link')}
          </Button>
        </p>
      )}
    </>
  );
}

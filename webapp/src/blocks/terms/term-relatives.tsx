/** Parents, children and related terms; each can be followed. */
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FIRST_CHILDREN, narrowerTermsQuery, termsByReferenceQuery, type LexiconTerm } from '@/api/resources/linked-terms';
import { Button } from '@/ui/button';
import { useFormat } from '@/ui/format';
import { broaderOf, relatedOf } from './term-properties';
import styles from './terms.module.css';

interface TermRelativesProps {
  readonly project: string;
  readonly term: LexiconTerm;
  readonly onFollow: (identifier: string) => void;
}

interface Relative {
  readonly identifier: string;
  readonly name: string;
}

/** The terms that the term names, with their preferred forms as soon as they are known. */
function useNamedRelatives(project: string, lexicon: string, identifiers: readonly string[]): (identifier: string) => Relative {
  const { data = [] } = useQuery(
    termsByReferenceQuery(
      project,
      identifiers.map((identifier) => ({ lexicon, identifier })),
    ),
  );
  const names = new Map(data.filter((one) => one.lexicon === lexicon).map((one) => [one.identifier, one.preferredForm]));
  return (identifier) => ({ identifier, name: names.get(identifier) || identifier });
}

const MORE_CHILDREN = 200;

export function TermRelatives({ project, term, onFollow }: TermRelativesProps): ReactNode {
  const { t } = useTranslation('terms');
  const format = useFormat();
  const [most, setMost] = useState(FIRST_CHILDREN);
  const broader = broaderOf(term);
  const related = relatedOf(term);
  const named = useNamedRelatives(project, term.lexicon, [...broader, ...related]);
  const { data: narrower } = useQuery(narrowerTermsQuery(project, term, most, project !== ''));
  const children = (narrower?.terms ?? []).map(({ identifier, preferredForm }) => ({ identifier, name: preferredForm || identifier }));
  const more = (narrower?.total ?? 0) - children.length;
  return (
    <>
      <RelativeList title={t('broader')} relatives={broader.map(named)} onFollow={onFollow} />
      <RelativeList title={t('narrower')} relatives={children} onFollow={onFollow}>
        {more > 0 && most < MORE_CHILDREN && (
          <Button small kind="quiet" onClick={() => setMost(MORE_CHILDREN)}>
            {t('moreTerms', { count: more, number: format.number(more) })}
          </Button>
        )}
        {more > 0 && most >= MORE_CHILDREN && (
          <span className={styles['more']}>{t('moreTerms', { count: more, number: format.number(more) })}</span>
        )}
      </RelativeList>
      <RelativeList title={t('related')} relatives={related.map(named)} onFollow={onFollow} />
    </>
  );
}

interface RelativeListProps {
  readonly title: string;
  readonly relatives: readonly Relative[];
  readonly onFollow: (identifier: string) => void;
  readonly children?: ReactNode;
}

function RelativeList({ title, relatives, onFollow, children }: RelativeListProps): ReactNode {
  const { t } = useTranslation('terms');
  if (relatives.length === 0) return null;
  return (
    <section>
      <h4>{title}</h4>
      <ul className={styles['relatives']} aria-label={title}>
        {relatives.map(({ identifier, name }) => (
          <li key={identifier}>
            <button type="button" dir="auto" aria-label={t('follow', { name })} onClick={() => onFollow(identifier)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
      {children}
    </section>
  );
}

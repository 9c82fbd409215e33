/** Parents, children and related terms; each can be followed. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TermNode, TermWithRelatives } from '@/api/resources/terms';
import { useFormat } from '@/ui/format';
import { broaderOf, relatedOf } from './term-properties';
import styles from './terms.module.css';

interface Relative {
  readonly identifier: string;
  readonly name: string;
}

const toRelative = ({ identifier, preferredForm }: TermNode): Relative => ({ identifier, name: preferredForm || identifier });

/** The terms that a term names, also those that its lexicon does not have. */
function namedRelatives(identifiers: readonly string[], nodes: readonly TermNode[]): readonly Relative[] {
  const known = new Set(nodes.map(({ identifier }) => identifier));
  const others = identifiers.filter((identifier) => !known.has(identifier)).map((identifier) => ({ identifier, name: identifier }));
  return [...nodes.map(toRelative), ...others];
}

interface TermRelativesProps {
  readonly relatives: TermWithRelatives;
  readonly onFollow: (identifier: string) => void;
}

export function TermRelatives({ relatives, onFollow }: TermRelativesProps): ReactNode {
  const { t } = useTranslation('terms');
  const format = useFormat();
  const { term, broader, narrower, related, narrowerCount } = relatives;
  const more = narrowerCount - narrower.length;
  return (
    <>
      <RelativeList title={t('broader')} relatives={namedRelatives(broaderOf(term), broader)} onFollow={onFollow} />
      <RelativeList title={t('narrower')} relatives={narrower.map(toRelative)} onFollow={onFollow}>
        {more > 0 && <span className={styles['more']}>{t('moreTerms', { count: more, number: format.number(more) })}</span>}
      </RelativeList>
      <RelativeList title={t('related')} relatives={namedRelatives(relatedOf(term), related)} onFollow={onFollow} />
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

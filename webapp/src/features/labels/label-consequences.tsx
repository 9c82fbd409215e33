/** What a label operation would affect, counted by the server and shown beforehand. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { consequencesQuery, type LabelConsequences } from '@/api/resources/labels';
import { useFormat } from '@/ui/format';
import { usePersonName } from '@/blocks/projects/person-name';
import styles from './labels.module.css';

export function useLabelConsequences(project: string, names: readonly string[]): LabelConsequences | undefined {
  return useQuery(consequencesQuery(project, names)).data;
}

const hasVisibleUses = (told: LabelConsequences): boolean => told.annotations + told.categories > 0;

/** Whether anything has the labels, including what the user may not see. */
export const isLabelUsed = (told: LabelConsequences | undefined): boolean =>
  told !== undefined && (hasVisibleUses(told) || told.hidden === true);

const KNOWN_KINDS = new Set(['experiment', 'suggester', 'suggestions']);

export interface LabelConsequencesTextProps {
  readonly consequences: LabelConsequences | undefined;
  /** Whether the affected annotations are deleted, or get another label. */
  readonly effect: 'carried' | 'merged';
}

export function LabelConsequencesText({ consequences, effect }: LabelConsequencesTextProps) {
  const { t } = useTranslation('labels');
  const format = useFormat();
  const personName = usePersonName();
  if (consequences === undefined) return <p role="status">{t('consequences.loading')}</p>;
  const counted = (of: 'annotations' | 'categories' | 'relations' | 'documents') =>
    t(`consequences.${of}`, { count: consequences[of] ?? 0, number: format.number(consequences[of] ?? 0) });
  const parts = (['annotations', 'categories', 'relations'] as const).filter((of) => (consequences[of] ?? 0) > 0).map(counted);
  const people = consequences.creators.map(({ createdBy, count }) => `${personName(createdBy)} (${format.number(count)})`);
  return (
    <div className={styles['consequences']}>
      {hasVisibleUses(consequences) && (
        <p>{t(`consequences.${effect}`, { what: new Intl.ListFormat(format.language).format(parts), documents: counted('documents') })}</p>
      )}
      {consequences.hidden === true && <p>{t(`consequences.hidden.${effect}`)}</p>}
      {!isLabelUsed(consequences) && <p>{t('consequences.nothing')}</p>}
      {people.length > 0 && <p>{t('consequences.creators', { names: people.join(', ') })}</p>}
      {consequences.usedBy.length > 0 && (
        <>
          <p>{t('consequences.usedBy')}</p>
          <ul>
            {consequences.usedBy.map(({ kind, name, label, count = 1 }) => (
              <li key={`${kind}/${name}`}>
                {t(`consequences.kind_${KNOWN_KINDS.has(kind) ? kind : 'other'}`, { kind, label, count, number: format.number(count) })}
              </li>
            ))}
          </ul>
        </>
      )}
      <p>{t('consequences.undo')}</p>
    </div>
  );
}

/** D-013, V-025: deletes annotations and categories, filtered by creator; the confirmation must be ticked. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bulkCountQuery, deleteLabellingFound, type BulkCount } from '@/api/resources/bulk-actions';
import { projectQuery } from '@/api/resources/projects';
import { CheckRow } from '@/ui/choice-inputs';
import { useFormat } from '@/ui/format';
import { usePersonName } from '@/blocks/projects/person-name';
import { BulkDialog, useBulkState, type BulkDialogProps } from './bulk-dialog';
import styles from './bulk.module.css';

interface Creator {
  readonly name: string;
  readonly annotations: number;
  readonly categories: number;
}

/** Counts by creator, largest first. */
export function labellingCountsByCreator(count: BulkCount | undefined): readonly Creator[] {
  const known = new Map<string, Creator>();
  for (const [field, list] of [
    ['annotations', count?.annotationCreators ?? []],
    ['categories', count?.categoryCreators ?? []],
  ] as const)
    for (const { createdBy: name, count: value } of list)
      known.set(name, { ...(known.get(name) ?? { name, annotations: 0, categories: 0 }), [field]: value });
  return [...known.values()].sort((a, b) => b.annotations + b.categories - a.annotations - a.categories || a.name.localeCompare(b.name));
}

export function DeleteLabellingDialog(props: BulkDialogProps) {
  const { project, target } = props;
  const { t } = useTranslation('bulk');
  const format = useFormat();
  const kind = target.searchIn;
  const state = useBulkState(props, kind);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const personName = usePersonName();
  const { data } = useQuery(bulkCountQuery(project, kind, state.search, true));
  const { data: info } = useQuery(projectQuery(project));
  const creators = labellingCountsByCreator(data);
  const picked = creators.filter(({ name }) => chosen.has(name));
  const sum = (of: 'annotations' | 'categories') => picked.reduce((total, creator) => total + creator[of], 0);
  const parts = (creator: { annotations: number; categories: number }) =>
    (['annotations', 'categories'] as const)
      .filter((of) => creator[of] > 0)
      .map((of) => t(`labelling.${of}`, { count: creator[of], number: format.number(creator[of]) }))
      .join(', ');
  const total = { annotations: sum('annotations'), categories: sum('categories') };
  const toggle = (name: string, on: boolean) =>
    setChosen((known) => new Set(on ? [...known, name] : [...known].filter((other) => other !== name)));
  const all = creators.length > 0 && picked.length === creators.length;
  return (
    <BulkDialog
      {...props}
      title={t('labelling.title')}
      kind={kind}
      state={state}
      effect={picked.length === 0 ? t('labelling.hint') : t('labelling.effect', { what: parts(total) })}
      {...(picked.length > 0 && { strong: t('labelling.strong') })}
      verb={t('labelling.verb')}
      danger
      valid={picked.length > 0}
      errorTitle={info?.nature === 'classification' ? 'clearCategories' : 'clearAnnotations'}
      run={(search) =>
        deleteLabellingFound(
          project,
          kind,
          search,
          picked.map(({ name }) => name),
        )
      }
    >
      <fieldset className={styles['creators']}>
        <legend>{t('labelling.creators')}</legend>
        {data !== undefined && creators.length === 0 && <p className={styles['note']}>{t('labelling.nothing')}</p>}
        {creators.length > 0 && (
          <div className={styles['creators-list']}>
            {creators.length > 1 && (
              <CheckRow
                label={t('labelling.everybody')}
                checked={all}
                onChange={(on) => setChosen(on ? new Set(creators.map(({ name }) => name)) : new Set())}
              />
            )}
            {creators.map((creator) => (
              <div key={creator.name} className={styles['creator']}>
                <CheckRow
                  label={creator.name === '' ? t('labelling.nobody') : personName(creator.name)}
                  checked={chosen.has(creator.name)}
                  onChange={(on) => toggle(creator.name, on)}
                />
                <span className={styles['count']}>{parts(creator)}</span>
              </div>
            ))}
          </div>
        )}
      </fieldset>
    </BulkDialog>
  );
}

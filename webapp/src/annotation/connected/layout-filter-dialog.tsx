import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/button';
import { CheckRow, SwitchRow } from '@/components/choices';
import { Dialog } from '@/components/dialog';
import type { ApiStatus } from '../layout-filter';
import type { CreationMode } from '../model';
import styles from './connected.module.css';
import { useProjectLabels } from './project-labels';
import { DEFAULT_VIEW_FILTER, type ViewFilter } from './view-filter';

const MODES: readonly CreationMode[] = ['manual', 'automatic', 'imported', 'undefined'];
const STATUSES: readonly ApiStatus[] = ['OK', 'KO', 'undefined'];

function toggled<T>(list: readonly T[], item: T, on: boolean): readonly T[] {
  const others = list.filter((other) => other !== item);
  return on ? [...others, item] : others;
}

interface ChoicesProps<T extends string> {
  readonly legend: string;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly chosen: readonly T[];
  readonly onChange: (chosen: readonly T[]) => void;
  /** An empty choice means all: then every box is ticked. */
  readonly emptyIsAll?: boolean;
}

function Choices<T extends string>({ legend, options, chosen, onChange, emptyIsAll = false }: ChoicesProps<T>): ReactNode {
  const all = emptyIsAll && chosen.length === 0;
  const change = (value: T, on: boolean) => {
    const next = toggled(all ? options.map((option) => option.value) : chosen, value, on);
    onChange(emptyIsAll && next.length === options.length ? [] : next);
  };
  if (options.length === 0) return null;
  return (
    <fieldset className={styles['choices']}>
      <legend>{legend}</legend>
      {options.map(({ value, label }) => (
        <CheckRow key={value} label={label} checked={all || chosen.includes(value)} onChange={(on) => change(value, on)} />
      ))}
    </fieldset>
  );
}

export interface LayoutFilterDialogProps {
  readonly filter: ViewFilter;
  /** Who made the annotations shown. */
  readonly creators: readonly string[];
  readonly onChange: (filter: ViewFilter) => void;
  readonly onClose: () => void;
}

/** D-015: creators, creation modes, statuses, labels, and whether resting the pointer tells more. */
export function LayoutFilterDialog({ filter, creators, onChange, onClose }: LayoutFilterDialogProps): ReactNode {
  const { t } = useTranslation('labelling');
  const { spanSets } = useProjectLabels();
  const [draft, setDraft] = useState(filter);
  const change = (part: Partial<ViewFilter>) => setDraft({ ...draft, ...part });
  const people = [...new Set([...creators, ...draft.createdBy])].sort();
  const labels = spanSets.flatMap((set) => set.labels);
  return (
    <Dialog
      open
      title={t('filter.title')}
      onClose={onClose}
      onSubmit={() => {
        onChange(draft);
        onClose();
      }}
      secondary={
        <Button kind="quiet" onClick={() => setDraft(DEFAULT_VIEW_FILTER)}>
          {t('filter.reset')}
        </Button>
      }
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button kind="solid" type="submit">
            {t('filter.apply')}
          </Button>
        </>
      }
    >
      <div className={styles['filter-grid']}>
        <Choices
          legend={t('filter.statuses')}
          options={STATUSES.map((value) => ({ value, label: t(`search:status.${value}`) }))}
          chosen={draft.statuses}
          onChange={(statuses) => change({ statuses })}
        />
        <Choices
          legend={t('filter.modes')}
          options={MODES.map((value) => ({ value, label: t(`search:creationMode.${value}`) }))}
          chosen={draft.creationModes}
          onChange={(creationModes) => change({ creationModes })}
        />
        <Choices
          emptyIsAll
          legend={t('filter.creators')}
          options={people.map((value) => ({ value, label: value }))}
          chosen={draft.createdBy}
          onChange={(createdBy) => change({ createdBy })}
        />
        <Choices
          legend={t('filter.labels')}
          options={labels.map(({ name, label }) => ({ value: name, label }))}
          chosen={labels.map(({ name }) => name).filter((name) => !draft.hidden.includes(name))}
          onChange={(chosen) => change({ hidden: labels.map(({ name }) => name).filter((name) => !chosen.includes(name)) })}
        />
      </div>
      <SwitchRow label={t('filter.hover')} checked={draft.showOnHover} onChange={(showOnHover) => change({ showOnHover })} />
      <SwitchRow label={t('filter.relations')} checked={draft.relations} onChange={(relations) => change({ relations })} />
    </Dialog>
  );
}

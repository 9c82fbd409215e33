import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import { CheckRow, SwitchRow } from '@/ui/choice-inputs';
import { Dialog } from '@/ui/dialog';
import { TextInput } from '@/ui/field';
import { usePersonName } from '@/blocks/projects/person-name';
import type { ApiStatus } from '@/annotation/annotation-display-filter';
import type { CreationMode } from '@/annotation/model';
import { parsePercent, type SentenceCategoryFilter } from '@/annotation/sentence-category-filter';
import styles from './labelling.module.css';
import { useProjectLabels } from './project-labels';
import { DEFAULT_VIEW_FILTER, type ViewFilter } from './view-filter';

const MODES: readonly CreationMode[] = ['manual', 'automatic', 'imported', 'undefined'];
const STATUSES: readonly ApiStatus[] = ['OK', 'KO', 'undefined'];

function withToggledItem<T>(list: readonly T[], item: T, on: boolean): readonly T[] {
  const others = list.filter((other) => other !== item);
  return on ? [...others, item] : others;
}

interface ChoicesProps<T extends string> {
  readonly legend: string;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly selected: readonly T[];
  readonly onChange: (selected: readonly T[]) => void;
  /** An empty choice means all: then every box is ticked. */
  readonly emptyIsAll?: boolean;
}

function CheckboxGroup<T extends string>({ legend, options, selected, onChange, emptyIsAll = false }: ChoicesProps<T>): ReactNode {
  const all = emptyIsAll && selected.length === 0;
  const change = (value: T, on: boolean) => {
    const next = withToggledItem(all ? options.map((option) => option.value) : selected, value, on);
    onChange(emptyIsAll && next.length === options.length ? [] : next);
  };
  if (options.length === 0) return null;
  return (
    <fieldset className={styles['choices']}>
      <legend>{legend}</legend>
      {options.map(({ value, label }) => (
        <CheckRow key={value} label={label} checked={all || selected.includes(value)} onChange={(on) => change(value, on)} />
      ))}
    </fieldset>
  );
}

type Percents = Readonly<Record<keyof SentenceCategoryFilter, string>>;

const PERCENTS = ['minimumScore', 'maximumSentences'] as const;

const percentsAsText = ({ minimumScore, maximumSentences }: SentenceCategoryFilter): Percents => ({
  minimumScore: String(minimumScore),
  maximumSentences: String(maximumSentences),
});

/** Undefined while a field contains no valid percentage. */
function parsePercents(percents: Percents): SentenceCategoryFilter | undefined {
  const [minimumScore, maximumSentences] = PERCENTS.map((name) => parsePercent(percents[name]));
  return minimumScore === undefined || maximumSentences === undefined ? undefined : { minimumScore, maximumSentences };
}

/** C-032 */
function SentenceFilterFields({
  percents,
  onChange,
}: {
  readonly percents: Percents;
  readonly onChange: (percents: Percents) => void;
}): ReactNode {
  const { t } = useTranslation('labelling');
  return (
    <fieldset className={styles['choices']}>
      <legend>{t('filter.sentences')}</legend>
      <div className={styles['filter-grid']}>
        {PERCENTS.map((name) => (
          <TextInput
            key={name}
            label={t(`filter.${name}`)}
            end="%"
            value={percents[name]}
            {...(parsePercent(percents[name]) === undefined && { error: t('filter.percent') })}
            onChange={(value) => onChange({ ...percents, [name]: value })}
          />
        ))}
      </div>
    </fieldset>
  );
}

export interface ViewFilterDialogProps {
  readonly filter: ViewFilter;
  /** Creators of the displayed annotations. */
  readonly creators: readonly string[];
  /** The text has sentences that may have categories. */
  readonly sentences?: boolean | undefined;
  readonly onChange: (filter: ViewFilter) => void;
  readonly onClose: () => void;
}

/** D-015: creators, creation modes, statuses, labels, and whether hovering shows details. */
export function ViewFilterDialog({ filter, creators, sentences = false, onChange, onClose }: ViewFilterDialogProps): ReactNode {
  const { t } = useTranslation('labelling');
  const { spanSets, categorySets, nameOf } = useProjectLabels();
  const personName = usePersonName();
  const [draft, setDraft] = useState(filter);
  const [percents, setPercents] = useState(() => percentsAsText(filter.sentences));
  const change = (part: Partial<ViewFilter>) => setDraft({ ...draft, ...part });
  const people = [...new Set([...creators, ...draft.createdBy])].sort();
  const labels = spanSets.flatMap((set) => set.labels);
  return (
    <Dialog
      open
      title={t('filter.title')}
      onClose={onClose}
      onSubmit={() => {
        const read = parsePercents(percents);
        // The error is shown next to the field.
        if (read === undefined) return;
        onChange({ ...draft, sentences: read });
        onClose();
      }}
      secondary={
        <Button
          kind="quiet"
          onClick={() => {
            setDraft(DEFAULT_VIEW_FILTER);
            setPercents(percentsAsText(DEFAULT_VIEW_FILTER.sentences));
          }}
        >
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
        <CheckboxGroup
          legend={t('filter.statuses')}
          options={STATUSES.map((value) => ({ value, label: t(`search:status.${value}`) }))}
          selected={draft.statuses}
          onChange={(statuses) => change({ statuses })}
        />
        <CheckboxGroup
          legend={t('filter.modes')}
          options={MODES.map((value) => ({ value, label: t(`search:creationMode.${value}`) }))}
          selected={draft.creationModes}
          onChange={(creationModes) => change({ creationModes })}
        />
        <CheckboxGroup
          emptyIsAll
          legend={t('filter.creators')}
          options={people.map((value) => ({ value, label: personName(value) }))}
          selected={draft.createdBy}
          onChange={(createdBy) => change({ createdBy })}
        />
        <CheckboxGroup
          legend={t('filter.labels')}
          options={labels.map(({ name }) => ({ value: name, label: nameOf(name) }))}
          selected={labels.map(({ name }) => name).filter((name) => !draft.hidden.includes(name))}
          onChange={(selected) => change({ hidden: labels.map(({ name }) => name).filter((name) => !selected.includes(name)) })}
        />
      </div>
      {sentences && categorySets.length > 0 && <SentenceFilterFields percents={percents} onChange={setPercents} />}
      <SwitchRow label={t('filter.hover')} checked={draft.showOnHover} onChange={(showOnHover) => change({ showOnHover })} />
      <SwitchRow label={t('filter.relations')} checked={draft.relations} onChange={(relations) => change({ relations })} />
    </Dialog>
  );
}

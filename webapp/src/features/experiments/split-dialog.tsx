/** T-032: splits the documents into a training and a test part: randomly, by metadata, or by a search. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bulkCountQuery, metadataNamesQuery } from '@/api/resources/bulk-actions';
import { facetValuesQuery, type FacetedSearch } from '@/api/resources/facets';
import { splitCorpus, splitQuery, type Split, type SplitRequest } from '@/api/resources/measurement';
import { projectQuery } from '@/api/resources/projects';
import { CheckRow, SegmentedControl, SelectInput, SwitchRow } from '@/ui/choice-inputs';
import { FormDialog } from '@/ui/form-dialog';
import { TextInput } from '@/ui/field';
import { useFormat } from '@/ui/format';
import { useRefreshExperiments } from './use-experiments';
import { useMetadataTitle } from '@/blocks/search/metadata-titles';
import styles from './experiments.module.css';

const WAYS = ['random', 'metadata', 'search'] as const;
type Way = (typeof WAYS)[number];
const NONE = ' ';
const SPLIT_FIELD = 'split';

/** Percentage of test documents, between 1 and 99; null for invalid input. */
export function parseTestShare(text: string): number | null {
  const value = Number(text.replace(',', '.'));
  return text.trim() !== '' && value >= 1 && value <= 99 ? value / 100 : null;
}

interface SplitChoice {
  readonly way: Way;
  readonly size: string;
  readonly incremental: boolean;
  readonly groupField: string;
  readonly field: string;
  readonly values: readonly string[];
  readonly query: string;
}

/** The request; null while it is incomplete. */
export function toSplitRequest(chosen: SplitChoice, split: boolean): SplitRequest | null {
  const { way, size, incremental, groupField, field, values, query } = chosen;
  if (way === 'metadata') return field === '' || values.length === 0 ? null : { by: way, metadataField: field, testValues: values };
  if (way === 'search') return query.trim() === '' ? null : { by: way, query, simpleQuery: true };
  const share = parseTestShare(size);
  return share === null ? null : { by: way, testSize: share, incremental: incremental && split, groupField };
}

interface PartProps {
  readonly project: string;
  readonly choice: SplitChoice;
  readonly change: (part: Partial<SplitChoice>) => void;
}

const EVERYTHING: FacetedSearch = {
  searchIn: 'documents',
  search: { query: '', simpleQuery: true, searchType: 'text', from: 0, size: 0, selectedFacets: [], filters: [], sort: '' },
};

/** Metadata fields; the field name used by public corpora comes first. */
function useMetadataFieldNames(project: string): readonly string[] {
  const { data = [] } = useQuery(metadataNamesQuery(project));
  return [...data].sort((a, b) => Number(b === SPLIT_FIELD) - Number(a === SPLIT_FIELD));
}

function RandomSplitFields({
  project,
  choice,
  change,
  split,
  documents,
}: PartProps & { readonly split: boolean; readonly documents: number }) {
  const { t } = useTranslation(['experiments', 'measurement']);
  const format = useFormat();
  const names = useMetadataFieldNames(project);
  const share = parseTestShare(choice.size);
  const number = format.number(Math.round(documents * (share ?? 0)));
  const help = share === null || documents === 0 ? undefined : t('testPartHelp', { count: 2, number, total: format.number(documents) });
  return (
    <>
      <TextInput
        autoFocus
        label={t('testPart')}
        value={choice.size}
        onChange={(size) => change({ size })}
        end="%"
        error={share === null ? t('testPartWrong') : undefined}
        help={help}
      />
      {names.length > 0 && (
        <SelectInput
          label={t('measurement:form.groupField')}
          help={t('measurement:split.drawn')}
          value={choice.groupField === '' ? NONE : choice.groupField}
          onChange={(field) => change({ groupField: field === NONE ? '' : field })}
          options={[{ value: NONE, label: t('measurement:form.noField') }, ...names.map((name) => ({ value: name, label: name }))]}
        />
      )}
      {split && (
        <SwitchRow
          label={t('incremental')}
          help={t('incrementalHelp')}
          checked={choice.incremental}
          onChange={(incremental) => change({ incremental })}
        />
      )}
    </>
  );
}

function MetadataSplitFields({ project, choice, change }: PartProps) {
  const { t } = useTranslation('measurement');
  const format = useFormat();
  const names = useMetadataFieldNames(project);
  const metadataTitle = useMetadataTitle();
  const { data: buckets = [] } = useQuery({
    ...facetValuesQuery(project, EVERYTHING, `metadata.${choice.field}`, ''),
    enabled: choice.field !== '',
  });
  const toggle = (value: string) =>
    change({ values: choice.values.includes(value) ? choice.values.filter((one) => one !== value) : [...choice.values, value] });
  if (names.length === 0) return <p>{t('split.noMetadata')}</p>;
  return (
    <>
      <SelectInput
        label={t('split.field')}
        value={choice.field}
        placeholder={t('split.chooseField')}
        onChange={(field) => change({ field, values: [] })}
        options={names.map((name) => ({ value: name, label: metadataTitle(name) }))}
      />
      {choice.field !== '' && (
        <fieldset className={styles['values']}>
          <legend>{t('split.values')}</legend>
          {buckets.map(({ key, doc_count: count }) => (
            <CheckRow
              key={key}
              label={`${key} (${format.number(count)})`}
              checked={choice.values.includes(key)}
              onChange={() => toggle(key)}
            />
          ))}
        </fieldset>
      )}
    </>
  );
}

function SearchSplitFields({ project, choice, change }: PartProps) {
  const { t } = useTranslation('measurement');
  const format = useFormat();
  const asked = choice.query.trim();
  const { data } = useQuery({
    ...bulkCountQuery(project, 'documents', { searchIn: 'documents', query: asked, simpleQuery: true }),
    enabled: asked !== '',
  });
  const found = data === undefined || asked === '' ? undefined : data.documents;
  return (
    <TextInput
      autoFocus
      label={t('split.query')}
      value={choice.query}
      onChange={(query) => change({ query })}
      help={found === undefined ? t('split.queryHelp') : t('split.found', { count: found, number: format.number(found) })}
    />
  );
}

/** The present split of the corpus. */
export function SplitFacts({ split }: { readonly split: Split }) {
  const { t } = useTranslation('measurement');
  const format = useFormat();
  const facts = (split.facts ?? {}) as Readonly<Record<string, unknown>>;
  const text = (name: string) => (typeof facts[name] === 'string' ? facts[name] : '');
  const by = ['random', 'metadata', 'search', 'import'].includes(text('by')) ? text('by') : 'unknown';
  const numbers = { train: format.number(split.train), test: format.number(split.test) };
  return (
    <p>
      {t('split.now', numbers)}
      {split.neither > 0 && ` ${t('split.neither', { count: split.neither, number: format.number(split.neither) })}`}{' '}
      {t(`split.by.${by}`, {
        field: text('field') || text('groupField'),
        query: text('query'),
        seed: typeof facts['seed'] === 'number' ? format.number(facts['seed']) : '–',
        context: by === 'random' && text('groupField') !== '' ? 'grouped' : undefined,
      })}
    </p>
  );
}

export function SplitDialog({ project, onClose }: { readonly project: string; readonly onClose: () => void }) {
  const { t } = useTranslation(['experiments', 'measurement']);
  const refresh = useRefreshExperiments();
  const { data: info, refetch } = useQuery(projectQuery(project));
  const { data: present } = useQuery(splitQuery(project));
  const [chosen, setChosen] = useState<SplitChoice>({
    ...{ way: 'random', size: '20', incremental: true, groupField: '', field: '', values: [], query: '' },
  });
  const change = (part: Partial<SplitChoice>) => setChosen((before) => ({ ...before, ...part }));
  const split = info?.hasSplit === true;
  const asked = toSplitRequest(chosen, split);
  const run = useMutation({
    mutationFn: (request: SplitRequest) => splitCorpus(project, request),
    onSuccess: async () => {
      await Promise.all([refresh(), refetch()]);
      onClose();
    },
    meta: { errorTitle: 'splitCorpus' },
  });
  return (
    <FormDialog
      width="small"
      title={t('splitCorpus')}
      onClose={onClose}
      onSubmit={() => asked !== null && run.mutate(asked)}
      submitLabel={t('splitVerb')}
      busy={run.isPending}
      disabled={asked === null}
    >
      <div className={styles['dialog-fields']}>
        <p className={styles['dialog-text']}>{t('measurement:split.what')}</p>
        {split && present !== undefined && <SplitFacts split={present} />}
        <SegmentedControl
          label={t('measurement:split.way')}
          value={chosen.way}
          onChange={(way) => change({ way })}
          options={WAYS.map((value) => ({ value, label: t(`measurement:split.ways.${value}`) }))}
        />
        {chosen.way === 'random' && <RandomSplitFields {...{ project, choice: chosen, change, split }} documents={info?.documents ?? 0} />}
        {chosen.way === 'metadata' && <MetadataSplitFields {...{ project, choice: chosen, change }} />}
        {chosen.way === 'search' && <SearchSplitFields {...{ project, choice: chosen, change }} />}
        {split && !(chosen.way === 'random' && chosen.incremental) && <p role="alert">{t('overwrites')}</p>}
      </div>
    </FormDialog>
  );
}

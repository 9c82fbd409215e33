import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bookmark, Save, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  changeSearch,
  deleteSearch,
  searchFromJson,
  savedSearchesQuery,
  savedSearchKeys,
  saveSearch,
  type SavedSearchState,
  type NewSearch,
  type SavedSearch,
  type SearchChange,
  type SearchKind,
} from '@/api/resources/saved-searches';
import { Button } from '@/ui/button';
import { CheckRow } from '@/ui/choice-inputs';
import { Dialog } from '@/ui/dialog';
import { usePersonName } from '@/blocks/projects/person-name';
import { TextInput } from '@/ui/field';
import { IconButton } from '@/ui/icon-button';
import { Skeleton } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import { notify } from '@/state/notifications-store';
import { useCan, useProjectWritable } from '@/state/session-store';
import type { FacetTexts } from './facet-texts';
import styles from './search.module.css';
import { useFilterText } from './search-filters';
import { toSavedSearchState } from './use-default-search';

interface SavedSearchesProps {
  readonly project: string;
  readonly kind: SearchKind;
  /** The search shown now. */
  readonly state: SavedSearchState;
  /** The default state of the screen. */
  readonly usual: SavedSearchState;
  readonly texts: FacetTexts;
  readonly onApply: (search: SavedSearchState) => void;
}

function useSavedSearchActions(project: string, kind: SearchKind) {
  const { t } = useTranslation('search');
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: savedSearchKeys.all });
  const save = useMutation({
    mutationFn: ({ state, body }: { readonly state: SavedSearchState; readonly body: NewSearch }) => saveSearch(project, kind, state, body),
    onSuccess: async ({ label }) => {
      notify({ type: 'success', message: t('saved.saved', { name: label }) });
      await refresh();
    },
    meta: { errorTitle: 'saveSearch' },
  });
  const change = useMutation({
    mutationFn: ({ name, ...body }: SearchChange & { readonly name: string }) => changeSearch(project, name, body),
    onSuccess: async ({ label }, { state }) => {
      if (state !== undefined) notify({ type: 'success', message: t('saved.saved', { name: label }) });
      await refresh();
    },
    meta: { errorTitle: 'saveSearch' },
  });
  const remove = useMutation({
    mutationFn: ({ name }: SavedSearch) => deleteSearch(project, name),
    onSuccess: async (_answer, { label }) => {
      notify({ type: 'success', message: t('saved.deleted', { name: label }) });
      await refresh();
    },
    meta: { errorTitle: 'deleteSearch' },
  });
  return { save, change, remove };
}

/** Describes a search as text. */
function useSavedSearchSummary(words: FacetTexts): (search: SavedSearchState) => string {
  const { t } = useTranslation('search');
  const filterText = useFilterText(words);
  return ({ query, filters, selectedFacets, datasetSelector }) => {
    const dataset = datasetSelector === '' ? [] : [t(datasetSelector === '$inDataset' ? 'dataset.in' : 'dataset.out')];
    const facets = selectedFacets.map(
      ({ facetName, facetValue, facetSelector }) =>
        `${facetSelector === '-' ? '− ' : ''}${words.title(facetName)}: ${words.value(facetName, facetValue)}`,
    );
    const parts = [query, ...filters.map(filterText), ...facets, ...dataset].filter((part) => part !== '');
    return parts.join(' · ') || t('saved.everything');
  };
}

/** The short text is visible; screen readers, which lack the context of the row, get the complete one. */
const AccessibleShortLabel = ({ short, whole }: { readonly short: string; readonly whole: string }): ReactNode => (
  <>
    <span aria-hidden>{short}</span>
    <span className="visually-hidden">{whole}</span>
  </>
);

interface RowProps {
  readonly saved: SavedSearch;
  readonly summary: string;
  readonly mayShare: boolean;
  readonly busy: boolean;
  readonly onApply: () => void;
  readonly onChange: (change: Partial<NewSearch>) => void;
  readonly onReplace: () => void;
  readonly onDelete: () => void;
}

function SavedSearchRow({ saved, summary, mayShare, busy, onApply, onChange, onReplace, onDelete }: RowProps): ReactNode {
  const { t } = useTranslation('search');
  const personName = usePersonName();
  const { label, mine, editable, shared, isDefault, createdBy } = saved;
  return (
    <li className={styles['saved']}>
      <button type="button" className={styles['saved-name']} aria-label={t('saved.apply', { name: label })} onClick={onApply}>
        <span>{label}</span>
        <span>{mine ? summary : `${summary} · ${t('saved.by', { user: personName(createdBy) })}`}</span>
      </button>
      {editable && (
        <div className={styles['saved-acts']}>
          <CheckRow
            label={<AccessibleShortLabel short={t('saved.default')} whole={t('saved.defaultOf', { name: label })} />}
            checked={isDefault}
            disabled={busy || (shared && !mayShare)}
            onChange={(next) => onChange({ isDefault: next })}
          />
          {mayShare && (
            <CheckRow
              label={<AccessibleShortLabel short={t('saved.shared')} whole={t('saved.shareOf', { name: label })} />}
              checked={shared}
              disabled={busy}
              onChange={(next) => onChange({ shared: next })}
            />
          )}
          <IconButton small icon={Save} label={t('saved.replace', { name: label })} disabled={busy} onClick={onReplace} />
          <IconButton small icon={Trash2} label={t('saved.delete', { name: label })} disabled={busy} onClick={onDelete} />
        </div>
      )}
    </li>
  );
}

const NEW_SEARCH: NewSearch = { label: '', shared: false, isDefault: false };

function SavedSearchesDialog({ project, kind, state, usual, texts, onApply, onClose }: SavedSearchesProps & { onClose: () => void }) {
  const { t } = useTranslation(['search', 'common']);
  const { data, error, refetch } = useQuery(savedSearchesQuery(project, kind));
  const mayShare = useProjectWritable();
  const mayBeginAll = useCan('changeProjectConfig');
  const { save, change, remove } = useSavedSearchActions(project, kind);
  const [form, setForm] = useState<NewSearch>(NEW_SEARCH);
  const summary = useSavedSearchSummary(texts);
  const busy = save.isPending || change.isPending || remove.isPending;
  const submit = () => {
    if (form.label.trim() === '' || busy) return;
    save.mutate({ state: toSavedSearchState(state), body: form }, { onSuccess: () => setForm(NEW_SEARCH) });
  };
  const groups = [true, false]
    .map((mine) => ({ mine, list: (data ?? []).filter((one) => one.mine === mine) }))
    .filter(({ list }) => list.length > 0);
  return (
    <Dialog
      open
      title={t('saved.title')}
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose}>{t('common:close')}</Button>
          <Button kind="solid" type="submit" busy={save.isPending} disabled={form.label.trim() === ''}>
            {t('saved.save')}
          </Button>
        </>
      }
    >
      {data === undefined && error === null && <Skeleton rows={2} rowHeight={56} />}
      {data === undefined && error !== null && (
        <ErrorState title={t('errors:error.getSavedSearches')} error={error} onRetry={() => void refetch()} />
      )}
      {data?.length === 0 && <p>{t('saved.none')}</p>}
      {groups.map(({ mine, list }) => (
        <section key={String(mine)} aria-label={t(mine ? 'saved.mine' : 'saved.others')}>
          <h3 className={styles['saved-title']}>{t(mine ? 'saved.mine' : 'saved.others')}</h3>
          <ul className={styles['saved-list']}>
            {list.map((saved) => (
              <SavedSearchRow
                key={saved.name}
                saved={saved}
                summary={summary(searchFromJson(saved, usual))}
                mayShare={mayShare}
                busy={busy}
                onApply={() => {
                  onApply(searchFromJson(saved, usual));
                  onClose();
                }}
                onChange={(part) => change.mutate({ name: saved.name, ...part })}
                onReplace={() => change.mutate({ name: saved.name, state: toSavedSearchState(state) })}
                onDelete={() => remove.mutate(saved)}
              />
            ))}
          </ul>
        </section>
      ))}
      <section aria-label={t('saved.new')} className={styles['saved-new']}>
        <h3 className={styles['saved-title']}>{t('saved.new')}</h3>
        <p>{summary(state)}</p>
        <TextInput label={t('saved.name')} value={form.label} maxLength={120} onChange={(label) => setForm({ ...form, label })} />
        <CheckRow
          label={t('saved.begin')}
          checked={form.isDefault}
          disabled={form.shared && !mayBeginAll}
          onChange={(isDefault) => setForm({ ...form, isDefault })}
        />
        {mayShare && (
          <CheckRow
            label={t('saved.share')}
            checked={form.shared}
            onChange={(shared) => setForm({ ...form, shared, isDefault: form.isDefault && (!shared || mayBeginAll) })}
          />
        )}
      </section>
    </Dialog>
  );
}

/** S-022: saved searches: show, share, set as default, delete. */
export function SavedSearchesButton(props: SavedSearchesProps): ReactNode {
  const { t } = useTranslation('search');
  const [open, setOpen] = useState(false);
  if (!useCan('useSearch')) return null;
  return (
    <>
      <IconButton icon={Bookmark} label={t('saved.open')} aria-haspopup="dialog" onClick={() => setOpen(true)} />
      {open && <SavedSearchesDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

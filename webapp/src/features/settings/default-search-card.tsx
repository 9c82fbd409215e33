/** How the project searches segments where nobody chooses: changed here, or by the winner of an experiment. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { patchProject, projectKeys, type Project } from '@/api/resources/projects';
import { qualityExperimentsQuery } from '@/api/resources/ranking-experiments';
import { hasVectors } from '@/blocks/search/search-mode';
import { useConfigurationParts } from '@/blocks/search/search-settings-text';
import { notify } from '@/state/notifications-store';
import type { SearchType } from '@/state/search-types';
import { useCan } from '@/state/session-store';
import { Button } from '@/ui/button';
import { SelectInput } from '@/ui/choice-inputs';
import styles from './settings.module.css';

type SearchDefaults = NonNullable<Project['searchDefaults']>;

/** Full text without reranker removes the setting. */
const FULL_TEXT: SearchDefaults = { searchType: 'text', vectorizer: '', reranker: '' };
/** An empty value means none; an option needs one. */
const NONE = ' ';

interface CardProps {
  readonly info: Project;
  readonly writable: boolean;
}

/** Saves a default; the notification offers to take it back. */
function useSaveDefault(info: Project, onSaved: () => void) {
  const { t } = useTranslation('settings');
  const queryClient = useQueryClient();
  const send = (searchDefaults: SearchDefaults) => patchProject(info.name, { searchDefaults });
  const refresh = () => queryClient.invalidateQueries({ queryKey: projectKeys.all });
  const undo = useMutation({ mutationFn: send, onSettled: refresh, meta: { errorTitle: 'updateProjectConfig' } });
  const former = info.searchDefaults ?? FULL_TEXT;
  return useMutation({
    mutationFn: send,
    onSuccess: async (_answer, saved) => {
      const message = t(saved === FULL_TEXT ? 'searchDefault.resetDone' : 'searchDefault.saved');
      notify({ type: 'success', message, action: { label: t('searchDefault.undo'), run: () => undo.mutate(former) } });
      await refresh();
      onSaved();
    },
    meta: { errorTitle: 'updateProjectConfig' },
  });
}

interface FieldsProps extends CardProps {
  readonly value: SearchDefaults;
  readonly onChange: (part: Partial<SearchDefaults>) => void;
}

function DefaultSearchFields({ info, writable, value, onChange }: FieldsProps) {
  const { t } = useTranslation(['settings', 'search']);
  const hybrid = useCan('useHybridSearch');
  const { rerankers, usableRerankers, vectorizations } = useConfigurationParts(info.name);
  const types: readonly SearchType[] = hybrid || value.searchType === 'hybrid' ? ['text', 'vector', 'hybrid'] : ['text', 'vector'];
  const usable = rerankers.filter((one) => one.name === value.reranker || (one.state === undefined && usableRerankers.includes(one)));
  return (
    <>
      <SelectInput<SearchType>
        label={t('searchDefault.type')}
        value={value.searchType ?? 'text'}
        disabled={!writable}
        options={types.map((type) => ({ value: type, label: t(`search:type.${type}`), disabled: type !== 'text' && !hasVectors(info) }))}
        onChange={(searchType) => onChange({ searchType, ...(searchType === 'text' && { vectorizer: '' }) })}
      />
      {value.searchType !== 'text' && vectorizations.length > 1 && (
        <SelectInput
          label={t('searchDefault.vectors')}
          value={value.vectorizer === '' || value.vectorizer === undefined ? NONE : value.vectorizer}
          disabled={!writable}
          options={[
            { value: NONE, label: t('searchDefault.inUse') },
            ...vectorizations.map(({ name, title }) => ({ value: name, label: `${title} (${name})` })),
          ]}
          onChange={(name) => onChange({ vectorizer: name === NONE ? '' : name })}
        />
      )}
      <SelectInput
        label={t('searchDefault.reranker')}
        value={value.reranker === '' || value.reranker === undefined ? NONE : value.reranker}
        disabled={!writable}
        options={[
          { value: NONE, label: t('searchDefault.noReranker') },
          ...usable.map(({ name, title }) => ({ value: name, label: title })),
        ]}
        onChange={(name) => onChange({ reranker: name === NONE ? '' : name, rerankerParameters: {} })}
      />
    </>
  );
}

export function DefaultSearchCard({ info, writable }: CardProps) {
  const { t } = useTranslation('settings');
  const mayMeasure = useCan('seeExperiments');
  const stored = info.searchDefaults ?? undefined;
  const [changed, setChanged] = useState<Partial<SearchDefaults> | null>(null);
  const save = useSaveDefault(info, () => setChanged(null));
  const value = { ...FULL_TEXT, ...stored, ...changed };
  const { data: measured = [] } = useQuery({ ...qualityExperimentsQuery(info.name), meta: { silent: true } });
  const experiment = measured.find(({ name }) => name === stored?.experiment);
  return (
    <section className={styles['card']} aria-label={t('searchDefault.title')}>
      <h2>{t('searchDefault.title')}</h2>
      <p>{t('searchDefault.text')}</p>
      <DefaultSearchFields {...{ info, writable, value }} onChange={(part) => setChanged({ ...changed, ...part })} />
      {experiment !== undefined && changed === null && (
        <p>
          <Link to={`/experiments?tab=search&measured=${encodeURIComponent(experiment.name)}&view=report`}>
            {t('searchDefault.from', { name: experiment.label })}
          </Link>
        </p>
      )}
      <div className={styles['actions']}>
        {writable && (
          <Button
            kind="solid"
            busy={save.isPending}
            disabled={changed === null}
            onClick={() => save.mutate({ ...value, experiment: '', configuration: '' })}
          >
            {t('searchDefault.save')}
          </Button>
        )}
        {writable && stored !== undefined && (
          <Button icon={RotateCcw} disabled={save.isPending} onClick={() => save.mutate(FULL_TEXT)}>
            {t('searchDefault.reset')}
          </Button>
        )}
        {mayMeasure && <Link to="/experiments?tab=search">{t('searchDefault.measure')}</Link>}
      </div>
    </section>
  );
}

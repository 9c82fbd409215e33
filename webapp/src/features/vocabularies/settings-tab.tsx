import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { termImportersQuery } from '@/api/resources/components';
import { lexiconsQuery, updateLexicon, type Lexicon } from '@/api/resources/lexicons';
import { useSettledMutation } from '@/api/use-settled-mutation';
import { useEngineForms } from '@/blocks/engines/use-engine-forms';
import { ErrorState } from '@/blocks/error-state';
import { SwitchRow } from '@/ui/choice-inputs';
import { Skeleton } from '@/ui/placeholder-states';
import { useMayImportTerms, useRefreshVocabularies } from './use-lexicons';
import { VocabularyFrame } from './vocabulary-frame';
import styles from './vocabularies.module.css';

interface ProjectProps {
  readonly project: string;
}

/** Which lexicons are edited by hand; the others change only by imports. */
function EditionCard({ project }: ProjectProps) {
  const { t } = useTranslation('vocabularies');
  const editable = useMayImportTerms();
  const refresh = useRefreshVocabularies();
  const query = useQuery({ ...lexiconsQuery(project), meta: { silent: true } });
  const save = useSettledMutation(
    (lexicon: Lexicon) => updateLexicon(project, lexicon, { manualEditionAllowed: lexicon.manualEditionAllowed === false }),
    refresh,
    'lexicon',
  );
  const { data, error } = query;
  const list = () => {
    if (data === undefined)
      return error === null ? (
        <Skeleton rows={2} rowHeight={44} />
      ) : (
        <ErrorState title={t('errors:error.lexicon')} error={error} onRetry={() => void query.refetch()} />
      );
    if (data.length === 0) return <p>{t('settings.noLexicon')}</p>;
    return data.map((lexicon) => (
      <SwitchRow
        key={lexicon.name}
        label={lexicon.label}
        checked={lexicon.manualEditionAllowed !== false}
        disabled={!editable || save.isPending}
        onChange={() => save.mutate(lexicon)}
      />
    ));
  };
  return (
    <section className={styles['card']} aria-labelledby="vocabulary-edition">
      <h2 id="vocabulary-edition">{t('settings.edition')}</h2>
      <p>{t('settings.editionText')}</p>
      {list()}
    </section>
  );
}

/** The files that this server reads, and the engines of annotators. */
function FormatsCard({ project }: ProjectProps) {
  const { t, i18n } = useTranslation('vocabularies');
  const { data: importers, error, refetch } = useQuery({ ...termImportersQuery(project, i18n.language), meta: { silent: true } });
  if (importers === undefined)
    return error === null ? (
      <Skeleton rows={3} rowHeight={32} />
    ) : (
      <ErrorState title={t('errors:error.importerFormats')} error={error} onRetry={() => void refetch()} />
    );
  return (
    <section className={styles['card']} aria-labelledby="vocabulary-formats">
      <h2 id="vocabulary-formats">{t('settings.formats')}</h2>
      <p>{t('settings.formatsText')}</p>
      <dl className={styles['facts']}>
        {importers.map(({ name, title, extensions }) => (
          <div key={name}>
            <dt>{title}</dt>
            <dd>{extensions.map((extension) => `.${extension}`).join(', ')}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function EnginesCard({ project }: ProjectProps) {
  const { t } = useTranslation('vocabularies');
  const engines = [...useEngineForms(project, 'gazetteer')];
  if (engines.length === 0) return null;
  return (
    <section className={styles['card']} aria-labelledby="vocabulary-engines">
      <h2 id="vocabulary-engines">{t('settings.engines')}</h2>
      <dl className={styles['described']}>
        {engines.map(([name, { title, description }]) => (
          <div key={name}>
            <dt>{title}</dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** S-050 */
export function SettingsTab({ project }: ProjectProps) {
  return (
    <VocabularyFrame tab="settings">
      <div className={styles['cards']}>
        <EditionCard project={project} />
        <FormatsCard project={project} />
        <EnginesCard project={project} />
      </div>
    </VocabularyFrame>
  );
}

import { useMutation, useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { annotateText, ANNOTATOR_TYPES, annotatorsQuery, type AnnotatedText, type AnnotatorsByType } from '@/api/resources/annotators';
import { appearanceOf, useAppearance } from '@/annotation/drawing/label-style';
import { LabelTag } from '@/annotation/labels/label-tag';
import { ProjectLabelsProvider, useProjectLabels } from '@/blocks/labelling/project-labels';
import { SegmentText } from '@/annotation/surface/segment-text';
import { DocumentSerializer } from '@/annotation/document-serializer';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { ButtonLink } from '@/ui/button-link';
import { SegmentedControl, SelectInput } from '@/ui/choice-inputs';
import { CopyButton } from '@/ui/copy-button';
import { TextInput } from '@/ui/field';
import { useFormat } from '@/ui/format';
import { Page, PageHead } from '@/ui/page';
import { EmptyState } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import { usePathState } from '@/state/use-path-state';
import { useProjectName } from '@/state/session-store';
import { JsonText } from '@/ui/json-text';
import styles from './test.module.css';

interface TestState {
  readonly annotator: string;
  readonly text: string;
}

const DEFAULTS: TestState = { annotator: '', text: '' };

/** Longer texts are not stored in the address, as browsers and proxies truncate it. */
export const MAX_ADDRESS_TEXT = 2000;

/** The requested annotator, else the project's default, else the first. */
export function selectedAnnotator(byType: AnnotatorsByType, wanted: string): string {
  const all = ANNOTATOR_TYPES.flatMap((type) => byType[type] ?? []);
  const found = all.find((item) => item.name === wanted) ?? all.find((item) => item.isDefault === true) ?? all[0];
  return found?.name ?? '';
}

function AnnotationTable({ result }: { readonly result: AnnotatedText }) {
  const { t } = useTranslation('test');
  const format = useFormat();
  const appearance = useAppearance();
  const { nameOf } = useProjectLabels();
  const wire = new DocumentSerializer(result.text);
  const rows = [
    ...(result.categories ?? []).map((item) => ({ ...item, start: null, end: null })),
    ...(result.annotations ?? []).map((item) => ({ labelName: item.labelName, score: item.score, start: item.start, end: item.end })),
  ];
  const textBetween = (start: number, end: number) => {
    const range = wire.range(start, end);
    return result.text.slice(range.start, range.end);
  };
  return (
    <table className={styles['table']} aria-label={t('list')}>
      <thead>
        <tr>
          <th scope="col">{t('column.label')}</th>
          <th scope="col">{t('column.text')}</th>
          <th scope="col">{t('column.position')}</th>
          <th scope="col">{t('column.score')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => {
          const label = appearanceOf(appearance, row.labelName);
          return (
            <tr key={index}>
              <td>
                <LabelTag label={label} /> {nameOf(row.labelName)}
              </td>
              <td>{row.start === null || row.end === null ? t('wholeText') : textBetween(row.start, row.end)}</td>
              <td>{row.start === null ? '' : <code>{`${String(row.start)}–${String(row.end)}`}</code>}</td>
              <td>{typeof row.score === 'number' ? format.score(row.score) : ''}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** S-056: the text with its spans, then as a list or as the server's JSON. */
function AnnotationResult({ result, stale }: { readonly result: AnnotatedText; readonly stale: boolean }) {
  const { t } = useTranslation('test');
  const [view, setView] = useState<'list' | 'json'>('list');
  const wire = new DocumentSerializer(result.text);
  const found = (result.annotations?.length ?? 0) + (result.categories?.length ?? 0);
  const json = JSON.stringify(result, null, 2);
  return (
    <section className={styles['result']} aria-label={t('result')} data-stale={stale || undefined}>
      <header>
        <h2>{t('result')}</h2>
        <Badge>{t('found', { count: found })}</Badge>
        {stale && <Badge tone="warning">{t('stale')}</Badge>}
      </header>
      <div className={styles['text']}>
        <SegmentText text={result.text} spans={wire.spans(result.annotations ?? [])} size={15} />
      </div>
      {found === 0 && view === 'list' ? (
        <p className={styles['none']}>{t('none')}</p>
      ) : (
        view === 'list' && <AnnotationTable result={result} />
      )}
      {view === 'json' && <JsonText label={t('json')} text={json} />}
      <footer>
        <SegmentedControl
          label={t('view')}
          value={view}
          onChange={setView}
          options={[
            { value: 'list', label: t('list') },
            { value: 'json', label: 'JSON' },
          ]}
        />
        {view === 'json' && <CopyButton small text={json} label={t('copy')} />}
      </footer>
    </section>
  );
}

function TestBody({ project }: { readonly project: string }) {
  const { t } = useTranslation('test');
  const [state, change] = usePathState('/test', DEFAULTS, 'testParams');
  const [text, setText] = useState(state.text);
  const { data, error, refetch } = useQuery({ ...annotatorsQuery(project), meta: { silent: true } });
  const byType = data ?? {};
  const annotator = selectedAnnotator(byType, state.annotator);
  const run = useMutation({
    mutationFn: () => annotateText(project, annotator, text),
    onMutate: () => change({ annotator, text: text.length <= MAX_ADDRESS_TEXT ? text : '' }),
    // The error is shown next to the button.
    meta: { silent: true },
  });
  const options = ANNOTATOR_TYPES.flatMap((type) =>
    (byType[type] ?? []).map((item) => ({ value: item.name, label: `${item.label} · ${t(`type.${type}`)}`, text: item.label })),
  );
  const go = () => {
    if (text.trim() !== '' && annotator !== '' && !run.isPending) run.mutate();
  };
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      go();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  });
  if (error !== null && data === undefined)
    return <ErrorState title={t('errors:error.getAnnotatorsByType')} error={error} onRetry={() => void refetch()} />;
  if (data !== undefined && options.length === 0) {
    return (
      <EmptyState
        title={t('empty.title')}
        actions={
          <ButtonLink kind="solid" to="/experiments">
            {t('empty.action')}
          </ButtonLink>
        }
      >
        {t('empty.text')}
      </EmptyState>
    );
  }
  return (
    <div className={styles['body']}>
      <section className={styles['input']}>
        <SelectInput label={t('annotator')} value={annotator} options={options} onChange={(name) => change({ annotator: name })} />
        <TextInput label={t('text')} rows={7} value={text} onChange={setText} placeholder={t('placeholder')} autoFocus />
        <div>
          <Button
            kind="solid"
            icon={Play}
            keyCap="Ctrl ⏎"
            busy={run.isPending}
            disabled={text.trim() === '' || annotator === ''}
            onClick={go}
          >
            {t('annotate')}
          </Button>
        </div>
      </section>
      {run.error !== null && <ErrorState title={t('errors:error.annotateDocument')} error={run.error} retained={t('kept')} onRetry={go} />}
      {run.data !== undefined && run.error === null && (
        <AnnotationResult result={run.data} stale={run.data.text !== text && !run.isPending} />
      )}
    </div>
  );
}

/** R-021: tries an annotator on an entered text; nothing is stored. */
export function TestScreen() {
  const { t } = useTranslation('test');
  const project = useProjectName();
  return (
    <ProjectLabelsProvider project={project}>
      <Page screen="test">
        <PageHead title={t('title')} aside={<span className={styles['note']}>{t('note')}</span>} />
        <TestBody project={project} />
      </Page>
    </ProjectLabelsProvider>
  );
}

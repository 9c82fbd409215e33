import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlanTrial, TrialItem, TrialStep } from '@/api/resources/plan-trials';
import { translatedMessageOf } from '@/api/server-messages';
import { appearanceOf, useAppearance } from '@/annotation/drawing/label-style';
import { LabelTag } from '@/annotation/labels/label-tag';
import { SegmentText } from '@/annotation/surface/segment-text';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { SegmentedControl } from '@/ui/choice-inputs';
import { CopyButton } from '@/ui/copy-button';
import { useFormat } from '@/ui/format';
import { Notice } from '@/ui/notice';
import {
  documentCategories,
  formatSeconds,
  lastRunStep,
  segmentsOfStage,
  stageAfter,
  stageToJson,
  START,
  type StageSegment,
  type TrialStage,
} from './trial-rules';
import { readableMetadataName } from '@/text/metadata-name';
import { JsonText } from '@/ui/json-text';
import styles from './trial.module.css';

type TrialView = 'changes' | 'whole' | 'json';
const SEGMENTS_SHOWN = 50;

function StepChip(props: {
  readonly title: string;
  readonly number?: number;
  readonly step: TrialStep;
  readonly current: boolean;
  readonly onShow: () => void;
}) {
  const { title, number, step, current, onShow } = props;
  const { t, i18n } = useTranslation('plans');
  const format = useFormat();
  const { state, addedCount = 0, removedCount = 0, seconds, loadingSeconds = 0, segmentCount } = step;
  const loading = loadingSeconds < 0.1 ? undefined : t('trial.loading', { time: formatSeconds(loadingSeconds, i18n.language) });
  return (
    <li>
      <button type="button" className={styles['chip']} aria-pressed={current} data-state={state} title={loading} onClick={onShow}>
        <strong>{number === undefined ? title : `${String(number)} ${title}`}</strong>
        <span>
          {addedCount > 0 && (
            <ins>
              <span className="visually-hidden">{t('trial.added')} </span>+{format.number(addedCount)}
            </ins>
          )}
          {removedCount > 0 && (
            <del>
              <span className="visually-hidden">{t('trial.removed')} </span>−{format.number(removedCount)}
            </del>
          )}
          {segmentCount !== undefined && <span>{t('trial.segments', { count: segmentCount })}</span>}
          {state === 'done' && seconds !== undefined ? (
            <span>{formatSeconds(seconds, i18n.language)}</span>
          ) : (
            <span>{t(`trial.state.${state}`)}</span>
          )}
        </span>
      </button>
    </li>
  );
}

function CategoryLine({ categories, stage }: { readonly categories: readonly TrialItem[]; readonly stage: TrialStage }) {
  const { t } = useTranslation('plans');
  const format = useFormat();
  const appearance = useAppearance();
  const { nameOf } = useProjectLabels();
  if (categories.length === 0) return null;
  return (
    <ul className={styles['categories']} aria-label={t('trial.categories')}>
      {categories.map((item) => {
        const gone = stage.removed.includes(item);
        return (
          <li key={item.id} data-gone={gone || undefined}>
            {stage.added.has(item.id) && <span aria-label={t('trial.added')}>+</span>}
            {gone && <span aria-label={t('trial.removed')}>−</span>}
            <LabelTag label={appearanceOf(appearance, item.labelName)} /> {nameOf(item.labelName)}
            {item.score !== undefined && <span className={styles['quiet']}> {format.score(item.score)}</span>}
          </li>
        );
      })}
    </ul>
  );
}

function StageText({ segments, stage }: { readonly segments: readonly StageSegment[]; readonly stage: TrialStage }) {
  const { t } = useTranslation('plans');
  const [shown, setShown] = useState(SEGMENTS_SHOWN);
  return (
    <div className={styles['text']}>
      {segments.slice(0, shown).map((segment) => (
        <div key={segment.key}>
          <SegmentText text={segment.text} spans={segment.spans} size={15} />
          <CategoryLine categories={segment.categories} stage={stage} />
        </div>
      ))}
      {segments.length > shown && (
        <Button small onClick={() => setShown(shown + 4 * SEGMENTS_SHOWN)}>
          {t('trial.more', { count: segments.length - shown })}
        </Button>
      )}
    </div>
  );
}

/** What happened in one step, in words. */
function StageHead({ trial, index }: { readonly trial: PlanTrial; readonly index: number }) {
  const { t } = useTranslation('plans');
  const step = trial.steps[index];
  if (step === undefined) return <p>{t('trial.before', { count: trial.start.count })}</p>;
  const { state, addedCount = 0, removedCount = 0, keptCount = 0, language, metadata = {} } = step;
  if (state === 'failed') {
    const fix = translatedMessageOf(step, 'fix');
    return (
      <Notice tone="error" role="alert">
        <p>{translatedMessageOf(step, 'problem')}</p>
        {fix !== undefined && <p>{fix}</p>}
      </Notice>
    );
  }
  if (state !== 'done') return <p>{t(`trial.stateText.${state}`)}</p>;
  return (
    <p className={styles['figures']}>
      <span>{t('trial.after', { number: index + 1 })}</span>
      <ins>{t('trial.addedCount', { count: addedCount })}</ins>
      <del>{t('trial.removedCount', { count: removedCount })}</del>
      <span>{t('trial.keptCount', { count: keptCount })}</span>
      {language !== undefined && <Badge tone="info">{t('trial.language', { language })}</Badge>}
      {Object.entries(metadata).map(([name, value]) => (
        <Badge key={name}>{`${readableMetadataName(name)}: ${String(value)}`}</Badge>
      ))}
    </p>
  );
}

export interface TrialResultProps {
  readonly trial: PlanTrial;
  /** Titles of the steps, in order. */
  readonly titles: readonly string[];
  /** The plan or the text has changed since. */
  readonly stale: boolean;
}

/** The steps with what they added and removed, and the document after one of them. */
export function TrialResult({ trial, titles, stale }: TrialResultProps) {
  const { t } = useTranslation('plans');
  const [chosen, setChosen] = useState<number | null>(null);
  const [view, setView] = useState<TrialView>('changes');
  const index = Math.min(chosen ?? lastRunStep(trial.steps), trial.steps.length - 1);
  const stage = useMemo(() => stageAfter(trial, index), [trial, index]);
  const segments = useMemo(() => segmentsOfStage(trial.text, stage), [trial, stage]);
  const json = useMemo(() => (view === 'json' ? stageToJson(trial.text, stage) : ''), [view, trial, stage]);
  const changed = segments.filter((segment) => segment.changed);
  const start: TrialStep = { state: 'done', seconds: trial.start.seconds, segmentCount: trial.start.segmentCount };
  return (
    <div className={styles['result']} data-stale={stale || undefined}>
      {trial.cut && <Notice tone="info">{t('trial.cut')}</Notice>}
      <ol className={styles['chips']} aria-label={t('trial.steps')}>
        <StepChip title={t('trial.start')} step={start} current={index === START} onShow={() => setChosen(START)} />
        {trial.steps.map((step, at) => (
          <StepChip key={at} title={titles[at] ?? ''} number={at + 1} step={step} current={index === at} onShow={() => setChosen(at)} />
        ))}
      </ol>
      <div className={styles['head']}>
        <StageHead trial={trial} index={index} />
        {stale && <Badge tone="warning">{t('trial.stale')}</Badge>}
        <SegmentedControl
          label={t('trial.view')}
          value={view}
          onChange={setView}
          options={[
            { value: 'changes', label: t('trial.changes') },
            { value: 'whole', label: t('trial.whole') },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </div>
      {view !== 'json' && <CategoryLine categories={documentCategories(stage)} stage={stage} />}
      {view === 'changes' && changed.length === 0 && <p className={styles['quiet']}>{t('trial.noChanges')}</p>}
      {view === 'changes' && changed.length > 0 && <StageText key={`changes-${String(index)}`} segments={changed} stage={stage} />}
      {view === 'whole' && <StageText key={`whole-${String(index)}`} segments={segments} stage={stage} />}
      {view === 'json' && (
        <>
          <JsonText label={t('trial.json')} text={json} />
          <CopyButton small text={json} label={t('trial.copy')} />
        </>
      )}
    </div>
  );
}

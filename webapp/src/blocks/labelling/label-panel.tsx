/** The label drawer (W-018), connected to the project: adding labels, extension of the selection, layout filter. */
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { labelSetsQuery, type LabelSet } from '@/api/resources/labels';
import type { Project } from '@/api/resources/projects';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { useCan, useProjectWritable, useSessionStore } from '@/state/session-store';
import { useStoredChoice, useTransientChoice } from '@/state/layout-store';
import { defaultExtension, type SelectionExtension } from '@/text/extend-selection';
import { LabelDrawerContent } from '@/annotation/labels/label-drawer';
import type { LabelDrawerProps } from '@/annotation/labels/label-drawer-props';
import styles from './labelling.module.css';
import { ViewFilterDialog } from './view-filter-dialog';
import { useProjectLabels } from './project-labels';
import { useCreateLabel } from './use-label-creation';
import { isDefaultFilter, withLabelHidden, type ViewFilter } from './view-filter';

/**
 * C-066: stored per project. In Chinese and Arabic it is none after each reload: a choice made there lasts until the next reload, and a
 * stored value is ignored.
 */
export function useSelectionExtension(
  project: string,
  language: string | undefined,
): readonly [SelectionExtension, (extension: SelectionExtension) => void] {
  const usual = defaultExtension(language);
  const kept = useStoredChoice<SelectionExtension>(`extension/${project}`, usual);
  const forNow = useTransientChoice<SelectionExtension>(`extension/${project}`, usual);
  return usual === 'none' ? forNow : kept;
}

const NO_SETS: readonly LabelSet[] = [];

/** The guidelines of labels and sets, where there are any. */
function useGuidelines(project: string) {
  const { data: sets = NO_SETS } = useQuery(labelSetsQuery(project));
  return useMemo(() => {
    const written = (all: readonly { readonly name?: string; readonly guideline?: string }[]): ReadonlyMap<string, string> =>
      new Map(all.flatMap(({ name, guideline }) => (name && guideline ? [[name, guideline] as const] : [])));
    return { guidelines: written(sets.flatMap(({ labels }) => labels ?? [])), setGuidelines: written(sets) };
  }, [sets]);
}

/** W-017: in question answering, labels are only shown once something is labelled. */
export function hasLabelDrawer(project: Project | undefined, labelled = 0): boolean {
  return project?.nature !== 'question_answering' || labelled + (project.annotations ?? 0) + (project.categories ?? 0) > 0;
}

type DrawerParts = Pick<LabelDrawerProps, 'counts' | 'countText' | 'partlyCounted' | 'current' | 'chosen' | 'note' | 'keys' | 'onPick'>;

export interface LabelPanelProps extends DrawerParts {
  readonly project: string;
  /** The display filter; absent where there is no text to label. */
  readonly view?: {
    readonly filter: ViewFilter;
    readonly onFilter: (filter: ViewFilter) => void;
    /** Creators of the displayed annotations. */
    readonly creators: readonly string[];
    /** Complete texts are shown, whose sentences may have categories. */
    readonly sentences?: boolean;
  };
}

function SelectionExtensionHelp({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('labelling');
  return (
    <Dialog
      open
      width="small"
      title={t('extension.title')}
      onClose={onClose}
      actions={
        <Button autoFocus onClick={onClose}>
          {t('common:close')}
        </Button>
      }
    >
      <p>{t('extension.text')}</p>
      <dl className={styles['terms']}>
        {(['none', 'space', 'punctuation'] as const).map((mode) => (
          <div key={mode}>
            <dt>{t(`extension.${mode}`)}</dt>
            <dd>{t(`extension.${mode}Help`)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

export function LabelPanel({ project: projectName, view, onPick, ...parts }: LabelPanelProps): ReactNode {
  const { project, spanSets, categorySets } = useProjectLabels();
  const guidelines = useGuidelines(projectName);
  const [extension, setExtension] = useSelectionExtension(projectName, project?.lang);
  const [dialog, setDialog] = useState<'filter' | 'help' | null>(null);
  const maxLabelsCount = useSessionStore((state) => state.config.maxLabelsCount);
  // V-033
  const writable = useProjectWritable();
  const mayAdd = useCan('writeLabel') && writable && project?.documents !== 0;
  const create = useCreateLabel(projectName);
  const add = async (labelSetName: string, label: string) => {
    await create(label, labelSetName);
  };
  const forSpans = view !== undefined &&
    project?.nature === 'sequence_labelling' && {
      extension,
      onExtension: setExtension,
      onExtensionHelp: () => setDialog('help'),
    };
  const forView = view !== undefined && {
    hidden: view.filter.hidden,
    hideable: new Set(spanSets.map(({ name }) => name)),
    onHide: (label: string, hide: boolean) => view.onFilter(withLabelHidden(view.filter, label, hide)),
    filtered: !isDefaultFilter(view.filter),
    onLayoutFilter: () => setDialog('filter'),
  };
  return (
    <div className={styles['panel']}>
      <LabelDrawerContent
        {...parts}
        labelSets={[...spanSets, ...categorySets]}
        maxLabelsCount={maxLabelsCount}
        onPick={onPick}
        {...guidelines}
        {...(mayAdd && { onAddLabel: add })}
        {...forView}
        {...forSpans}
      />
      {dialog === 'filter' && view !== undefined && (
        <ViewFilterDialog
          {...{ filter: view.filter, creators: view.creators, sentences: view.sentences }}
          onChange={view.onFilter}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'help' && <SelectionExtensionHelp onClose={() => setDialog(null)} />}
    </div>
  );
}

/** The labels of the open project for the annotation components, and the context these require. */
import { useQuery } from '@tanstack/react-query';
import { createContext, use, useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { labelSetsQuery, type Label, type LabelSet } from '@/api/resources/labels';
import { projectQuery, type Project } from '@/api/resources/projects';
import { labelColours } from '@/theme/label-colours';
import { useMode } from '@/theme/mode';
import type { Mode } from '@/theme/tokens';
import { useMediaQuery } from '@/ui/media-query';
import { usePersonName } from '@/blocks/projects/person-name';
import { useStoredChoice } from '@/state/layout-store';
import { labelDisplayName, proposeTag } from '@/text/short-name';
import { labelsWithHotkeys, type Hotkeys } from '@/annotation/keyboard/hotkeys';
import type { LabelSetContent } from '@/annotation/labels/label-drawer-props';
import { AppearanceContext, type Appearance, type LabelAppearance, type LabelStyle } from '@/annotation/drawing/label-style';
import { AnnotationStringsContext, ENGLISH, FRENCH, PersonContext } from '@/annotation/strings';
import { useLabelHotkeys, useLabelHotkeyMigration } from './use-label-hotkeys';

const CLASSIFICATION = 'classification';

export interface ProjectLabels {
  readonly project: Project | undefined;
  readonly appearance: Appearance;
  /** Sets whose labels mark spans. */
  readonly spanSets: readonly LabelSetContent[];
  /** Sets whose labels are categories of documents and sentences. */
  readonly categorySets: readonly LabelSetContent[];
  /** Words can be labelled here, even before the first label exists. */
  readonly takesSpans: boolean;
  /** The name of a label, in the form in which all screens show it. */
  readonly nameOf: (label: string) => string;
  /** Bar colour of a label in the mode shown. */
  readonly colourOf: (label: string) => string | undefined;
}

const textureForLuminance = (lightness: number): 'plain' | 'hatched' | 'dotted' =>
  lightness > 0.5 ? 'plain' : lightness > 0.28 ? 'hatched' : 'dotted';

/** Approximate darkness of a stored colour: light plain, mid hatched, deep dotted (reinforced distinction). */
function relativeLuminance(stored: string | undefined): number {
  const value = Number.parseInt((stored ?? '').slice(1), 16);
  if (Number.isNaN(value)) return 0.4;
  return (0.3 * ((value >> 16) & 255) + 0.59 * ((value >> 8) & 255) + 0.11 * (value & 255)) / 255;
}

/** With forced colours, all labels have the same colours and are distinguished by tags and lanes. */
const FORCED_COLOURS: Omit<LabelStyle, 'texture'> = {
  bar: 'CanvasText',
  fill: 'Canvas',
  strong: 'Canvas',
  ink: 'CanvasText',
  onBar: 'Canvas',
};

/** `labels` in the order of the drawer: those without an assigned key get the digits in this order. */
function labelAppearances(labels: readonly Label[], mode: Mode | 'forced', hotkeys: Hotkeys): Map<string, LabelAppearance> {
  const taken = new Set<string>();
  return new Map(
    labelsWithHotkeys(labels, hotkeys).map((label) => {
      const tag = proposeTag(label.label, taken);
      taken.add(tag);
      const { bar, fill, strong, ink, onBar } = mode === 'forced' ? FORCED_COLOURS : labelColours(label.color, mode);
      return [
        label.name,
        {
          name: label.name,
          label: labelDisplayName(label.label),
          hotkey: label.hotkey,
          tag,
          style: { bar, fill, strong, ink, onBar, texture: textureForLuminance(relativeLuminance(label.color)) },
        },
      ];
    }),
  );
}

const isCategorySet = (set: LabelSet, project: Project | undefined) => (set.nature ?? project?.nature) === CLASSIFICATION;

function labelSetContent(set: LabelSet, painted: ReadonlyMap<string, LabelAppearance>): LabelSetContent {
  const labels = (set.labels ?? []).flatMap(({ name }) => painted.get(name) ?? []);
  return { name: set.name ?? '', label: set.label ?? set.name ?? '', exclusive: set.exclusiveClasses === true, labels };
}

/** A project about words, or one that has labels for them. */
function takesSpans(sets: readonly LabelSet[], project: Project | undefined): boolean {
  if (project?.nature === 'sequence_labelling') return true;
  return sets.some((set) => !isCategorySet(set, project) && (set.nature === 'sequence_labelling' || (set.labels ?? []).length > 0));
}

const NO_SETS: readonly LabelSet[] = [];

/** Called once per screen, by `ProjectLabelsProvider`. */
function useLoadProjectLabels(projectName: string): ProjectLabels {
  const mode = useMode();
  const forced = useMediaQuery('(forced-colors: active)');
  const moreContrast = useMediaQuery('(prefers-contrast: more)');
  const [tags] = useStoredChoice<Appearance['tags']>('annotation/tags', 'always');
  const [size] = useStoredChoice<string>('annotation/readingSize', '15');
  const { data: project } = useQuery({ ...projectQuery(projectName), meta: { silent: true } });
  const [hotkeys] = useLabelHotkeys(projectName);
  const { data: sets = NO_SETS } = useQuery(labelSetsQuery(projectName));
  return useMemo(() => {
    const all = [false, true].flatMap((categories) => sets.filter((set) => isCategorySet(set, project) === categories));
    const painted = labelAppearances(
      all.flatMap(({ labels }) => labels ?? []),
      forced ? 'forced' : mode,
      hotkeys,
    );
    const appearance = { labels: painted, readingSize: Number(size), tags, reinforced: moreContrast };
    return {
      project,
      appearance,
      spanSets: sets.filter((set) => !isCategorySet(set, project)).map((set) => labelSetContent(set, painted)),
      categorySets: sets.filter((set) => isCategorySet(set, project)).map((set) => labelSetContent(set, painted)),
      takesSpans: takesSpans(sets, project),
      nameOf: (label) => painted.get(label)?.label ?? labelDisplayName(label),
      colourOf: (label) => painted.get(label)?.style.bar,
    };
  }, [project, sets, mode, forced, moreContrast, tags, size, hotkeys]);
}

const ProjectLabelsContext = createContext<ProjectLabels | null>(null);

export function useProjectLabels(): ProjectLabels {
  const labels = use(ProjectLabelsContext);
  if (labels === null) throw new Error('This needs a <ProjectLabelsProvider> above it.');
  return labels;
}

/** Required around screens that show annotations: provides labels, their colours, and the texts of the annotation components. */
export function ProjectLabelsProvider({ project, children }: { readonly project: string; readonly children: ReactNode }) {
  const { i18n } = useTranslation();
  const labels = useLoadProjectLabels(project);
  const personName = usePersonName();
  useLabelHotkeyMigration(project);
  return (
    <ProjectLabelsContext value={labels}>
      <AppearanceContext value={labels.appearance}>
        <PersonContext value={personName}>
          <AnnotationStringsContext value={i18n.language.startsWith('fr') ? FRENCH : ENGLISH}>{children}</AnnotationStringsContext>
        </PersonContext>
      </AppearanceContext>
    </ProjectLabelsContext>
  );
}

/** The labels of a project as the annotation components want them: colours of the mode shown, unique tags, words of the language. */
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { labelsQuery, type Label } from '@/api/resources/labels';
import { labelColours } from '@/app/theme/label-colours';
import { useMode } from '@/app/theme/mode';
import type { Mode } from '@/app/theme/tokens';
import { proposeTag, shortLabelName } from '../text/short-name';
import { AppearanceContext, type Appearance, type LabelAppearance } from './label-style';
import { AnnotationStringsContext, ENGLISH, FRENCH } from './strings';

/** Tags follow the order of the labels, so that they stay the same from screen to screen. */
export function labelAppearances(labels: readonly Label[], mode: Mode): ReadonlyMap<string, LabelAppearance> {
  const taken = new Set<string>();
  return new Map(
    labels.map((label) => {
      const tag = proposeTag(label.label, taken);
      taken.add(tag);
      return [label.name, { name: label.name, label: shortLabelName(label.label), tag, style: labelColours(label.color, mode) }];
    }),
  );
}

export interface ProjectAppearanceProps {
  readonly project: string;
  readonly readingSize?: number;
  readonly children: ReactNode;
}

/** Give it once per screen that draws spans or label tags. */
export function ProjectAppearance({ project, readingSize = 15, children }: ProjectAppearanceProps): ReactNode {
  const mode = useMode();
  const { i18n } = useTranslation();
  const { data } = useQuery(labelsQuery(project));
  const appearance = useMemo<Appearance>(() => ({ labels: labelAppearances(data ?? [], mode), readingSize, tags: 'always', reinforced: false }), [data, mode, readingSize]);
  return (
    <AppearanceContext value={appearance}>
      <AnnotationStringsContext value={i18n.language.startsWith('fr') ? FRENCH : ENGLISH}>{children}</AnnotationStringsContext>
    </AppearanceContext>
  );
}

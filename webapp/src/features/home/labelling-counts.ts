/** What people labelled in a project, as its nature counts it. */
import { useTranslation } from 'react-i18next';
import type { Project } from '@/api/resources/projects';
import { useFormat } from '@/ui/format';

const KINDS = { sequence_labelling: ['annotations', 'categories'], classification: ['categories', 'annotations'] } as const;

type Counted = Pick<Project, 'nature' | 'annotations' | 'categories'>;

/** In words: what the nature is about always, the other kind where there is some. Empty while nothing is counted. */
export function useLabellingCounts(): (project: Counted) => readonly string[] {
  const { t } = useTranslation('home');
  const format = useFormat();
  return (project) => {
    const kinds = KINDS[project.nature as keyof typeof KINDS] ?? KINDS.sequence_labelling;
    return kinds.flatMap((kind, place) => {
      const count = project[kind];
      return count === undefined || (place > 0 && count === 0) ? [] : [t(`labelled.${kind}`, { count, number: format.number(count) })];
    });
  };
}

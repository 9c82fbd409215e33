/** Numbers of annotations and categories of a project, depending on its nature. */
import { useTranslation } from 'react-i18next';
import type { Project } from '@/api/resources/projects';
import { useFormat } from '@/ui/format';

const KINDS = { sequence_labelling: ['annotations', 'categories'], classification: ['categories', 'annotations'] } as const;

type Counted = Pick<Project, 'nature' | 'annotations' | 'categories'>;

/** As text: always for the kind that the nature is about, for the other kind only if there are some. Empty while unknown. */
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

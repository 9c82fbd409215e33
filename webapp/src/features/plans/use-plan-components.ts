/** All components that a plan of a type can consist of, by kind. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ANNOTATOR_TYPES, annotatorsQuery } from '@/api/resources/annotators';
import { planComponentsQuery, type PlanComponent, type PlanType, type StepKind } from '@/api/resources/plans';
import { stepKindsFor } from './plan-rules';

export interface OfferedComponent extends PlanComponent {
  readonly kind: StepKind;
  /** An annotator that was trained in this project. */
  readonly own?: boolean;
}

export interface ComponentGroup {
  readonly kind: StepKind;
  readonly components: readonly OfferedComponent[];
}

/** Kinds of the parts of a plan, in display order: steps first, then what reads and segments. */
export function partKindsFor(type: PlanType): readonly StepKind[] {
  const steps = stepKindsFor(type);
  if (type === 'conversion') return ['converter', ...steps];
  return type === 'segmentation' ? ['segmenter'] : steps;
}

/** Kinds without any component that can be used are left out. Components that cannot be used come last in their kind. */
export function usePlanComponents(project: string, type: PlanType): readonly ComponentGroup[] {
  const { t, i18n } = useTranslation('annotate');
  const kinds = partKindsFor(type);
  const found = useQueries({ queries: kinds.map((kind) => planComponentsQuery(project, kind, i18n.language)) });
  const { data: annotators = {} } = useQuery({ ...annotatorsQuery(project), meta: { silent: true } });
  const trained = ANNOTATOR_TYPES.filter((one) => one !== 'plan').flatMap((one) =>
    (annotators[one] ?? []).map(({ name, label }): OfferedComponent => {
      return { kind: 'annotator', name, title: label, description: t(`type.${one}`), languages: [], own: true };
    }),
  );
  return kinds
    .map((kind, index): ComponentGroup => {
      const installed = (found[index]?.data ?? []).map((one): OfferedComponent => ({ ...one, kind }));
      const all = [...(kind === 'annotator' ? trained : []), ...installed];
      return { kind, components: all.toSorted((a, b) => Number(a.state !== undefined) - Number(b.state !== undefined)) };
    })
    .filter(({ components }) => components.some(({ state }) => state === undefined));
}

export const findComponent = (groups: readonly ComponentGroup[], kind: StepKind, name: string): OfferedComponent | undefined =>
  groups.find((group) => group.kind === kind)?.components.find((one) => one.name === name);

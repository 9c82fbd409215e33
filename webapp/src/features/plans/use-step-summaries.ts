/** One line about each part of a plan: what is set otherwise than by default. */
import { useQueries } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { planFormQuery, type ParameterValues, type StepKind } from '@/api/resources/plans';
import type { EngineForm } from '@/api/resources/components';
import { findComponent, type ComponentGroup, type OfferedComponent } from './use-plan-components';

export interface SummarizedPart {
  readonly kind: StepKind;
  readonly name: string;
  readonly parameters: ParameterValues;
  readonly projectName?: string;
}

const MOST_SETTINGS = 3;

interface SettingTexts {
  readonly on: string;
  readonly off: string;
}

function valueText(value: unknown, { on, off }: SettingTexts): string {
  if (typeof value === 'boolean') return value ? on : off;
  if (Array.isArray(value)) return value.map(String).join(', ');
  return typeof value === 'object' && value !== null ? '…' : String(value);
}

/** The changed settings of a part, such as `Delimiter: ;`. */
export function changedSettings(
  { schema, defaults }: Pick<EngineForm, 'schema' | 'defaults'>,
  parameters: ParameterValues,
  texts: SettingTexts,
): string[] {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, { readonly title?: string }>>;
  return Object.entries(parameters)
    .filter(([name, value]) => name in properties && value !== null && JSON.stringify(value) !== JSON.stringify(defaults[name]))
    .map(([name, value]) => `${properties[name]?.title ?? name}: ${valueText(value, texts)}`);
}

export interface PartSummary {
  readonly title: string;
  readonly text: string;
  /** No component of this name can be used here. */
  readonly missing: boolean;
}

/** A trained annotator has no parameters, and of a broken component they are not known. */
const hasForm = (component: OfferedComponent | undefined): boolean =>
  component !== undefined && component.own !== true && component.state === undefined;

export function useStepSummaries(
  project: string,
  parts: readonly SummarizedPart[],
  groups: readonly ComponentGroup[],
): readonly PartSummary[] {
  const { t, i18n } = useTranslation('plans');
  const known = parts.map(({ kind, name }) => findComponent(groups, kind, name));
  const forms = useQueries({
    queries: parts.map(({ kind, name }, index) => ({
      ...planFormQuery(project, kind, name, i18n.language),
      enabled: name !== '' && hasForm(known[index]),
    })),
  });
  const settingsText = (form: EngineForm | undefined, parameters: SummarizedPart['parameters']) =>
    form === undefined
      ? ''
      : changedSettings(form, parameters, { on: t('page.on'), off: t('page.off') })
          .slice(0, MOST_SETTINGS)
          .join(' · ');
  return parts.map(({ name, parameters, projectName = '' }, index) => {
    const component = known[index];
    const elsewhere = projectName !== '';
    const title = component?.title ?? (name === '' ? t('chooseComponent') : name);
    if (name === '') return { title, text: '', missing: false };
    if (elsewhere) return { title, text: t('page.fromProject', { project: projectName }), missing: false };
    if (component === undefined || component.state !== undefined) return { title, text: '', missing: groups.length > 0 };
    if (component.own === true) return { title, text: t('page.fromThisProject', { type: component.description }), missing: false };
    const changed = settingsText(forms[index]?.data, parameters);
    return { title, text: changed === '' ? (component.description ?? '') : changed, missing: false };
  });
}

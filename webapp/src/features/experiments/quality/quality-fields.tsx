/** What is compared: the fields of the dialog. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { projectQuery } from '@/api/resources/projects';
import type { QualityKind } from '@/api/resources/ranking-experiments';
import type { SearchType } from '@/state/search-types';
import { useCan } from '@/state/session-store';
import { SwitchRow } from '@/ui/choice-inputs';
import { CheckList, type CheckItem } from '@/ui/check-list';
import { Disclosure } from '@/ui/disclosure';
import { TextInput } from '@/ui/field';
import { useFormat } from '@/ui/format';
import { boundsOf, numberOf, numbersOf, type NumberName, type QualityFormDraft } from './quality-draft';
import { useConfigurationParts } from '@/blocks/search/search-settings-text';
import styles from './quality.module.css';

const WEIGHTS = [0.25, 0.5, 0.75, 1] as const;
/** An empty name means none; a checkbox needs one. */
const WITHOUT = ' ';

interface FieldsProps {
  readonly project: string;
  readonly draft: QualityFormDraft;
  readonly change: (part: Partial<QualityFormDraft>) => void;
  readonly problem: (field: string) => string | undefined;
}

function useSearchTypes(project: string): { readonly types: readonly SearchType[]; readonly vectors: boolean } {
  const { data: info } = useQuery(projectQuery(project));
  const hybrid = useCan('useHybridSearch');
  return { types: hybrid ? ['text', 'vector', 'hybrid'] : ['text', 'vector'], vectors: (info?.vectorizers?.length ?? 0) > 0 };
}

function SearchTypeField({ project, draft, change, problem }: FieldsProps) {
  const { t } = useTranslation(['quality', 'search']);
  const { types, vectors } = useSearchTypes(project);
  return (
    <CheckList
      label={t('field.searchTypes')}
      items={types.map((value) => ({ value, label: t(`search:type.${value}`), disabled: value !== 'text' && !vectors }))}
      selected={draft.searchTypes}
      onChange={(chosen) => change({ searchTypes: types.filter((type) => chosen.includes(type)) })}
      error={draft.searchTypes.length + draft.plans.length === 0 ? t('field.nothingChosen') : problem('searchTypes')}
      {...(!vectors && {
        help: (
          <>
            {t('field.noVectors')} <Link to="/settings/search">{t('field.makeVectors')}</Link>
          </>
        ),
      })}
    />
  );
}

function VectorFields({ project, draft, change, problem }: FieldsProps) {
  const { t } = useTranslation('quality');
  const format = useFormat();
  const { vectorizations } = useConfigurationParts(project);
  return (
    <>
      {vectorizations.length > 1 && (
        <CheckList
          label={t('field.vectorizers')}
          items={vectorizations.map(({ name, title }) => ({ value: name, label: title, help: name }))}
          selected={draft.vectorizers}
          onChange={(vectorizers) => change({ vectorizers })}
          help={t('field.vectorizersHelp')}
          error={problem('vectorizers')}
        />
      )}
      {draft.searchTypes.includes('hybrid') && (
        <CheckList
          label={t('field.vectorWeights')}
          items={[...new Set([...WEIGHTS, ...draft.vectorWeights])].map((weight) => ({
            value: String(weight),
            label: format.weight(weight),
          }))}
          selected={draft.vectorWeights.map(String)}
          onChange={(chosen) => change({ vectorWeights: chosen.map(Number).sort((a, b) => a - b) })}
          help={t('field.vectorWeightsHelp')}
          error={problem('vectorWeights')}
        />
      )}
    </>
  );
}

function RerankerField({ project, draft, change, problem }: FieldsProps) {
  const { t } = useTranslation('quality');
  const { usableRerankers } = useConfigurationParts(project);
  const items: CheckItem[] = [
    { value: WITHOUT, label: t('field.noReranker') },
    ...usableRerankers.map(({ name, title, description, state, reason }) => ({
      value: name,
      label: title,
      help: reason ?? description,
      disabled: state !== undefined,
    })),
  ];
  return (
    <CheckList
      label={t('field.rerankers')}
      items={items}
      selected={draft.rerankers.map((name) => (name === '' ? WITHOUT : name))}
      onChange={(chosen) => change({ rerankers: chosen.map((name) => (name === WITHOUT ? '' : name)) })}
      help={t('field.rerankersHelp')}
      error={problem('rerankers')}
    />
  );
}

interface NumberFieldsProps extends Omit<FieldsProps, 'project'> {
  readonly kind: QualityKind;
  readonly names: readonly NumberName[];
}

function NumberFields({ kind, names, draft, change, problem }: NumberFieldsProps) {
  const { t } = useTranslation('quality');
  const format = useFormat();
  const wrong = names.filter((name) => numberOf(kind, draft, name) === null);
  const outside = (name: NumberName) => {
    const [low, high] = boundsOf(kind, name);
    return t('field.number', { low: format.number(low), high: format.number(high) });
  };
  return (
    <Disclosure summary={t('field.advanced')} open={wrong.length > 0}>
      <div className={styles['numbers']}>
        {names.map((name) => (
          <TextInput
            key={name}
            label={t(`field.${name}`)}
            value={draft.numbers[name]}
            onChange={(value) => change({ numbers: { ...draft.numbers, [name]: value } })}
            help={t(`field.${name}Help`)}
            error={wrong.includes(name) ? outside(name) : problem(name)}
          />
        ))}
      </div>
    </Disclosure>
  );
}

export function SearchFields(props: FieldsProps) {
  const { t } = useTranslation('quality');
  const { project, draft, change, problem } = props;
  const plans = useConfigurationParts(project).plans.filter(({ type }) => type === 'search-params-builder');
  const semantic = draft.searchTypes.some((type) => type !== 'text');
  const numbers = numbersOf('ranking').filter((name) => name !== 'folds' || draft.learned);
  return (
    <>
      <SearchTypeField {...props} />
      {semantic && <VectorFields {...props} />}
      <RerankerField {...props} />
      {plans.length > 0 && (
        <CheckList
          label={t('field.plans')}
          items={plans.map(({ name, label }) => ({ value: name, label }))}
          selected={draft.plans}
          onChange={(chosen) => change({ plans: chosen })}
          help={t('field.plansHelp')}
          error={problem('plans')}
        />
      )}
      <SwitchRow
        label={t('field.learned')}
        help={t('field.learnedHelp')}
        checked={draft.learned}
        onChange={(learned) => change({ learned })}
      />
      <NumberFields kind="ranking" names={numbers} {...{ draft, change, problem }} />
    </>
  );
}

export function AnswererFields({ project, draft, change, problem }: FieldsProps) {
  const { t } = useTranslation('quality');
  const { answerers, plans } = useConfigurationParts(project);
  const items: CheckItem[] = [
    { value: WITHOUT, label: t('field.presentAnswerer'), help: t('field.presentAnswererHelp') },
    ...answerers.map(({ name, title, description, state, reason }) => ({
      value: name,
      label: title,
      help: reason ?? description,
      disabled: state !== undefined,
    })),
    ...plans
      .filter(({ type }) => type === 'question-answerer')
      .map(({ name, label }) => ({ value: name, label, help: t('field.answererPlan') })),
  ];
  return (
    <>
      <CheckList
        label={t('field.answerers')}
        items={items}
        selected={draft.answerers.map((name) => (name === '' ? WITHOUT : name))}
        onChange={(chosen) => change({ answerers: chosen.map((name) => (name === WITHOUT ? '' : name)) })}
        error={draft.answerers.length === 0 ? t('field.noAnswererChosen') : problem('answerers')}
      />
      <NumberFields kind="answers" names={numbersOf('answers')} {...{ draft, change, problem }} />
    </>
  );
}

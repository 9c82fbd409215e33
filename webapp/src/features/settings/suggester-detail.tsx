import { useQuery } from '@tanstack/react-query';
import { Copy, Pencil, Play, Square, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { engineFormQuery, type EngineForm } from '@/api/resources/components';
import type { Suggester } from '@/api/resources/suggesters';
import { nestedLearnerOf } from '@/blocks/engines/nested-form';
import { choiceTitle, fieldTitle } from '@/forms/form-texts';
import { Button } from '@/ui/button';
import { useFormat } from '@/ui/format';
import { When } from '@/ui/when';
import { SuggesterStateBadge, useAcceptanceTexts } from './suggester-columns';
import { UnavailableNotice } from './unavailable-notice';
import type { SuggesterFacts } from './use-suggesters';
import styles from './settings.module.css';

export interface SuggesterActions {
  readonly start: (row: Suggester) => void;
  readonly stop: (row: Suggester) => void;
  readonly edit: (row: Suggester) => void;
  readonly clone: (row: Suggester) => void;
  readonly remove: (row: Suggester) => void;
}

interface Fact {
  readonly key: string;
  readonly title: string;
  readonly value: ReactNode;
}

function useValueText() {
  const { t } = useTranslation('settings');
  const format = useFormat();
  return (value: unknown): string => {
    if (typeof value === 'boolean') return t(value ? 'common:yes' : 'common:no');
    if (typeof value === 'number') return value.toLocaleString(format.language, { maximumSignificantDigits: 6 });
    if (Array.isArray(value)) return value.length === 0 ? '–' : t('entries', { count: value.length });
    if (typeof value === 'string') return value === '' ? '–' : value;
    return JSON.stringify(value);
  };
}

/** Parameters by the titles of their form; those of a learner instead of the object that contains them. */
function useParameterFacts(project: string, suggester: Suggester, form: EngineForm | undefined): Fact[] {
  const { i18n } = useTranslation();
  const text = useValueText();
  const nested = form === undefined ? undefined : nestedLearnerOf(form.schema);
  const learner = nested === undefined ? '' : String(suggester.parameters[nested.name] ?? '');
  const { data: inner } = useQuery({ ...engineFormQuery(project, 'learner', learner, i18n.language), meta: { silent: true } });
  const factsOf = (values: Readonly<Record<string, unknown>>, schema: EngineForm['schema'] | undefined, prefix: string): Fact[] =>
    Object.entries(values).map(([name, value]) => ({
      key: `${prefix}${name}`,
      title: fieldTitle(schema, name) ?? name,
      value: choiceTitle(schema, name, value) ?? text(value),
    }));
  return factsOf(suggester.parameters, form?.schema, '').flatMap((fact) => {
    if (nested !== undefined && fact.key === nested.name) return [{ ...fact, value: inner?.title ?? fact.value }];
    if (nested === undefined || fact.key !== nested.parameters) return [fact];
    return factsOf((suggester.parameters[nested.parameters] ?? {}) as Record<string, unknown>, inner?.schema, 'learner.');
  });
}

function useStateFacts(suggester: Suggester, facts: SuggesterFacts): Fact[] {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const acceptance = useAcceptanceTexts()(facts);
  const quality = suggester.quality ?? 0;
  const rows: Fact[] = [
    {
      key: 'acceptance',
      title: t('column.acceptance'),
      value: acceptance === undefined ? t('acceptance.none') : t('acceptance.both', acceptance),
    },
    {
      key: 'trained',
      title: t(facts.trained ? 'column.trained' : 'column.proposed'),
      value: suggester.timestamp > 0 ? <When at={suggester.timestamp} /> : t('never'),
    },
  ];
  if (!facts.trained) return rows;
  const learned: Fact[] = [
    { key: 'quality', title: t('column.quality'), value: quality > 0 ? format.score(quality / 100) : '–' },
    { key: 'answers', title: t('column.answers'), value: format.number(suggester.answers ?? 0) },
  ];
  return [...rows, ...learned];
}

function FactsList({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={styles['facts']}>
      {facts.map(({ key, title, value }) => (
        <div key={key}>
          <dt>{title}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface Props {
  readonly project: string;
  readonly suggester: Suggester;
  readonly facts: SuggesterFacts;
  readonly actions: SuggesterActions | null;
}

/** S-042: the current suggester with its figures and parameters, and what can be done with it. */
export function SuggesterDetail({ project, suggester, facts, actions }: Props) {
  const { t } = useTranslation('settings');
  const state = useStateFacts(suggester, facts);
  const parameters = useParameterFacts(project, suggester, facts.form);
  const unusable = facts.unavailable !== undefined;
  return (
    <section className={styles['card']} aria-label={suggester.label}>
      <header className={styles['detail-head']}>
        <h2>{suggester.label}</h2>
        <SuggesterStateBadge suggester={suggester} facts={facts} />
      </header>
      {facts.unavailable === undefined ? <p>{facts.form?.description}</p> : <UnavailableNotice engine={facts.unavailable} />}
      {actions !== null && (
        <div className={styles['actions']}>
          {suggester.running ? (
            <Button small icon={Square} onClick={() => actions.stop(suggester)}>
              {t('act.stop')}
            </Button>
          ) : (
            <Button small kind="solid" icon={Play} disabled={unusable} onClick={() => actions.start(suggester)}>
              {t('act.start')}
            </Button>
          )}
          <Button small icon={Pencil} disabled={unusable} onClick={() => actions.edit(suggester)}>
            {t('act.edit')}
          </Button>
          <Button small icon={Copy} disabled={unusable} onClick={() => actions.clone(suggester)}>
            {t('act.clone')}
          </Button>
          <Button small kind="danger-text" icon={Trash2} onClick={() => actions.remove(suggester)}>
            {t('act.delete')}
          </Button>
        </div>
      )}
      <FactsList facts={state} />
      {parameters.length > 0 && (
        <>
          <h3>{t('parameters')}</h3>
          <FactsList facts={parameters} />
        </>
      )}
    </section>
  );
}

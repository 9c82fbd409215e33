import { useQuery } from '@tanstack/react-query';
import { Bot, Columns2, MessageSquarePlus, SlidersHorizontal } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { planComponentsQuery, plansQuery } from '@/api/resources/plans';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { hasVectors } from '@/blocks/search/search-mode';
import type { AnswersAddress } from '@/state/answers-address';
import { comparePath } from '@/state/compare-address';
import { SEARCH_DEFAULTS } from '@/state/search-address';
import type { SearchType } from '@/state/search-types';
import { useCan } from '@/state/session-store';
import { Button } from '@/ui/button';
import { SegmentedControl, SwitchRow } from '@/ui/choice-inputs';
import { IconButton } from '@/ui/icon-button';
import { Menu, type MenuEntry } from '@/ui/menu';
import { Toolbar, ToolbarMore } from '@/ui/toolbar';
import styles from './answers.module.css';

interface OptionProps {
  readonly project: string;
  readonly asked: AnswersAddress;
  readonly change: (part: Partial<AnswersAddress>) => void;
}

function SearchTypeControl({ asked, change }: OptionProps): ReactNode {
  const { t } = useTranslation(['answers', 'search']);
  const { project } = useProjectLabels();
  const mayHybrid = useCan('useHybridSearch');
  if (!hasVectors(project)) return null;
  const types: readonly SearchType[] = mayHybrid ? ['text', 'vector', 'hybrid'] : ['text', 'vector'];
  const options = types.map((value) => ({ value, label: value === 'text' ? t('automatic') : t(`search:type.${value}`) }));
  return (
    <SegmentedControl
      label={t('searchType')}
      value={asked.searchType}
      options={options}
      onChange={(searchType) => change({ searchType })}
    />
  );
}

/** S-029: who answers: a component, or a plan of the project. */
function AnswererMenu({ project, asked, change }: OptionProps): ReactNode {
  const { t, i18n } = useTranslation('answers');
  const mayPlans = useCan('seePlans');
  const { data: components = [] } = useQuery(planComponentsQuery(project, 'questionAnswerer', i18n.language));
  const { data: plans = [] } = useQuery({ ...plansQuery(project), enabled: mayPlans, meta: { silent: true } });
  const choose = (answerer: string) => () => change({ answerer });
  const own = plans.filter(({ type }) => type === 'question-answerer');
  const entry = (key: string, label: string, disabled = false): MenuEntry => ({
    key: key === '' ? 'project' : key,
    label,
    disabled,
    checked: asked.answerer === key,
    onSelect: choose(key),
  });
  const entries: MenuEntry[] = [
    entry('', t('answerer.project')),
    { kind: 'divider', key: 'components' },
    ...components.map(({ name, title, state }) =>
      entry(name, state === undefined ? title : t('answerer.unavailable', { title }), state !== undefined),
    ),
    ...(own.length > 0 ? [{ kind: 'title', key: 'plans', label: t('answerer.plans') } as const] : []),
    ...own.map(({ name, label }) => entry(name, label)),
  ];
  const chosen = [...own.map(({ name, label }) => ({ name, title: label })), ...components].find(({ name }) => name === asked.answerer);
  const shown = asked.answerer === '' ? t('answerer.project') : (chosen?.title ?? asked.answerer);
  return (
    <Menu
      label={t('answerer.label')}
      align="right"
      entries={entries}
      trigger={(props) => (
        <Button small icon={Bot} aria-label={t('answerer.is', { name: shown })} {...props}>
          {shown}
        </Button>
      )}
    />
  );
}

/** S-029: options of the search; each needs its permission. */
function SearchOptionsMenu({ project: name, asked, change }: OptionProps): ReactNode {
  const { t, i18n } = useTranslation('answers');
  const mayKnown = useCan('seeSearchKnownAnswer');
  const { project } = useProjectLabels();
  const { data: rerankers = [] } = useQuery(planComponentsQuery(name, 'reranker', i18n.language));
  const vectorizers = (project?.vectorizers ?? []).map((one) => (typeof one === 'string' ? one : (one as { name: string }).name));
  const choices = (kind: 'reranker' | 'vectorizer', names: readonly { readonly name: string; readonly title: string }[]): MenuEntry[] => [
    { kind: 'title', key: kind, label: t(kind) },
    ...[{ name: '', title: t('automatic') }, ...names].map((one): MenuEntry => ({
      key: `${kind}-${one.name}`,
      label: one.title,
      checked: asked[kind] === one.name,
      onSelect: () => change({ [kind]: one.name }),
    })),
  ];
  const toggle = (field: 'excludeQuestions' | 'searchKnownAnswer'): MenuEntry => ({
    key: field,
    label: t(field),
    checked: asked[field],
    onSelect: () => change({ [field]: !asked[field] }),
  });
  const entries: MenuEntry[] = [
    toggle('excludeQuestions'),
    ...(mayKnown ? [toggle('searchKnownAnswer')] : []),
    ...(rerankers.length > 0
      ? choices(
          'reranker',
          rerankers.filter(({ state }) => state === undefined),
        )
      : []),
    ...(vectorizers.length > 1
      ? choices(
          'vectorizer',
          vectorizers.map((one) => ({ name: one, title: one })),
        )
      : []),
  ];
  return (
    <Menu
      label={t('options')}
      align="right"
      entries={entries}
      trigger={(props) => (
        <Button small icon={SlidersHorizontal} {...props}>
          {t('options')}
        </Button>
      )}
    />
  );
}

/** the comparison of the text search and, with vectors, the hybrid search of this question. */
function CompareButton({ asked }: Pick<OptionProps, 'asked'>): ReactNode {
  const { t } = useTranslation('answers');
  const navigate = useNavigate();
  const { project } = useProjectLabels();
  const mayCompare = useCan('seeSearchCompare');
  const mayHybrid = useCan('useHybridSearch');
  if (!mayCompare) return null;
  const { query, selectedFacets, filters } = asked;
  const one = { ...SEARCH_DEFAULTS, query, selectedFacets, filters };
  const other = { ...one, searchType: hasVectors(project) && mayHybrid ? ('hybrid' as const) : ('text' as const) };
  return (
    <Button small icon={Columns2} onClick={() => void navigate(comparePath(one, other))}>
      {t('compare')}
    </Button>
  );
}

interface AnswersToolbarProps extends OptionProps {
  /** Absent where no question was asked. */
  readonly onNew: (() => void) | undefined;
}

export function AnswersToolbar({ onNew, ...options }: AnswersToolbarProps): ReactNode {
  const { t } = useTranslation('answers');
  const mayOptions = useCan('seeSearchOptions');
  const { asked, change } = options;
  return (
    <Toolbar
      end={
        <>
          {onNew !== undefined && <IconButton label={t('new')} icon={MessageSquarePlus} onClick={onNew} />}
          <ToolbarMore>
            <AnswererMenu {...options} />
            {mayOptions && <SearchOptionsMenu {...options} />}
            <CompareButton asked={asked} />
          </ToolbarMore>
        </>
      }
    >
      <h1 className={styles['title']}>{t('title')}</h1>
      <ToolbarMore>
        <SearchTypeControl {...options} />
        <SwitchRow label={t('generate')} checked={asked.answer} onChange={(answer) => change({ answer })} />
      </ToolbarMore>
    </Toolbar>
  );
}

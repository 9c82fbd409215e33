import { Sparkles, TextSearch, Type } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Project } from '@/api/resources/projects';
import type { SearchType } from '@/state/search-types';
import { SegmentedControl, SwitchRow } from '@/ui/choice-inputs';
import { useCan } from '@/state/session-store';
import { QueryHelp } from './query-help';
import styles from './search.module.css';

/** Whether the project has vectors; without them only text search is possible. */
export function hasVectors(project: Project | undefined): boolean {
  return (project?.vectorizers?.length ?? 0) > 0;
}

const ICONS = { text: Type, vector: Sparkles, hybrid: TextSearch } as const;

interface SearchModeProps {
  readonly project: Project | undefined;
  readonly searchType: SearchType;
  readonly simple: boolean;
  readonly onChange: (part: { readonly searchType?: SearchType; readonly isSimpleQueryMode?: boolean }) => void;
}

/** C-060: text, semantic or hybrid search, depending on project and permissions; and the query language. */
export function SearchMode({ project, searchType, simple, onChange }: SearchModeProps): ReactNode {
  const { t } = useTranslation('search');
  const hybrid = useCan('useHybridSearch');
  const maySearch = useCan('useSearch');
  const types: readonly SearchType[] = hybrid ? ['text', 'vector', 'hybrid'] : ['text', 'vector'];
  const option = (value: SearchType) => {
    const Icon = ICONS[value];
    return {
      value,
      label: (
        <>
          <Icon size={14} aria-hidden />
          <span className={styles['type']}>{t(`type.${value}`)}</span>
        </>
      ),
    };
  };
  if (!maySearch) return null;
  return (
    <>
      {hasVectors(project) && (
        <SegmentedControl
          label={t('type.label')}
          value={searchType}
          options={types.map(option)}
          onChange={(next) => onChange({ searchType: next })}
        />
      )}
      <div className={styles['simple']}>
        <SwitchRow label={t('simple')} checked={simple} onChange={(isSimpleQueryMode) => onChange({ isSimpleQueryMode })} />
        <QueryHelp simple={simple} />
      </div>
    </>
  );
}

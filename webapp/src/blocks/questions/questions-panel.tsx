import { Download, Plus, Search, Trash2, Upload } from 'lucide-react';
import { useDeferredValue, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EXPORT_FORMATS, exportAddress } from '@/api/resources/questions';
import { ErrorState } from '@/blocks/error-state';
import { useCan, useProjectName, useProjectWritable } from '@/state/session-store';
import { Button } from '@/ui/button';
import { TextInput } from '@/ui/field';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { Menu } from '@/ui/menu';
import { EmptyState, Skeleton } from '@/ui/placeholder-states';
import { OpenedDialog, type Opened } from './opened-dialog';
import { QuestionList } from './question-list';
import styles from './questions.module.css';
import { useSavedQuestions, type SavedQuestions } from './use-saved-questions';

/** C-027 */
const FILTER_ABOVE = 5;

export interface QuestionsPanelProps {
  /** Text of the question that is asked. */
  readonly asked: string;
  readonly onAsk: (text: string) => void;
}

interface PartProps {
  readonly onOpen: (opened: Opened) => void;
}

/** V-004: why a button is disabled; undefined: it is not. */
function useDisabledReasons() {
  const { t } = useTranslation('questions');
  const writable = useProjectWritable();
  const mayImport = useCan('importDocuments');
  const mayDelete = useCan('deleteDocuments');
  const readOnly = writable ? undefined : t('reason.readOnly');
  return {
    change: readOnly ?? (mayImport ? undefined : t('reason.mayNotImport')),
    remove: readOnly ?? (mayDelete ? undefined : t('reason.mayNotDelete')),
  };
}

function PanelTools({ onOpen, none }: PartProps & { readonly none: boolean }): ReactNode {
  const { t } = useTranslation('questions');
  const project = useProjectName();
  const { change, remove } = useDisabledReasons();
  return (
    <span className={styles['tools']}>
      <IconButton
        icon={Plus}
        label={t('add')}
        disabled={change !== undefined}
        reason={change}
        aria-haspopup="dialog"
        onClick={() => onOpen({ kind: 'add' })}
      />
      <IconButton
        icon={Upload}
        label={t('importQuestions')}
        disabled={change !== undefined}
        reason={change}
        aria-haspopup="dialog"
        onClick={() => onOpen({ kind: 'import', files: [] })}
      />
      {!none && (
        <>
          <Menu
            align="right"
            label={t('export')}
            entries={EXPORT_FORMATS.map((format) => ({ key: format, label: t(`format.${format}`), href: exportAddress(project, format) }))}
            trigger={(props) => <IconButton icon={Download} label={t('export')} {...props} />}
          />
          <IconButton
            icon={Trash2}
            label={t('deleteAll')}
            disabled={remove !== undefined}
            reason={remove}
            aria-haspopup="dialog"
            onClick={() => onOpen({ kind: 'deleteAll' })}
          />
        </>
      )}
    </span>
  );
}

function NoQuestions({ onOpen }: PartProps): ReactNode {
  const { t } = useTranslation('questions');
  const { change } = useDisabledReasons();
  return (
    <div className={styles['pad']}>
      <EmptyState
        title={t('empty.title')}
        actions={
          change === undefined && (
            <>
              <Button kind="solid" onClick={() => onOpen({ kind: 'add' })}>
                {t('add')}
              </Button>
              <Button onClick={() => onOpen({ kind: 'import', files: [] })}>{t('importQuestions')}</Button>
            </>
          )
        }
      >
        {t('empty.text')}
      </EmptyState>
    </div>
  );
}

interface ShownProps extends QuestionsPanelProps, PartProps {
  readonly saved: SavedQuestions;
  readonly find: string;
}

/** The list, or what is there instead. */
function ShownQuestions({ saved, find, asked, onAsk, onOpen }: ShownProps): ReactNode {
  const { t } = useTranslation(['questions', 'errors']);
  const { change, remove } = useDisabledReasons();
  const { questions, error, retry, stale, loadMore } = saved;
  if (questions === undefined && error !== null && error !== undefined)
    return <ErrorState title={t('errors:error.questionsSearch')} error={error} onRetry={retry} />;
  if (questions === undefined) return <Skeleton rows={6} rowHeight={44} />;
  if (questions.length === 0) return find === '' ? <NoQuestions onOpen={onOpen} /> : <p className={styles['none']}>{t('list.noMatch')}</p>;
  return (
    <div className={styles['scroll']} data-questions-scroll data-stale={stale || undefined}>
      <QuestionList
        questions={questions}
        asked={asked}
        mayChange={change === undefined}
        mayDelete={remove === undefined}
        onAsk={({ text }) => onAsk(text)}
        onEdit={(question) => onOpen({ kind: 'edit', question })}
        onDelete={(question) => onOpen({ kind: 'delete', question })}
        onEnd={loadMore}
      />
    </div>
  );
}

/** S-028: the saved questions of the project, to be asked, added, changed, deleted, imported and exported. */
export function QuestionsPanel({ asked, onAsk }: QuestionsPanelProps): ReactNode {
  const { t } = useTranslation('questions');
  const format = useFormat();
  const project = useProjectName();
  const [find, setFind] = useState('');
  const sought = useDeferredValue(find.trim());
  const all = useSavedQuestions(project, '');
  const found = useSavedQuestions(project, sought);
  const [opened, setOpened] = useState<Opened>();
  const total = all.total ?? 0;
  const filtered = sought !== '' && found.total !== undefined;
  return (
    <div className={styles['panel']}>
      <div className={styles['head']}>
        {total > FILTER_ABOVE ? (
          <TextInput
            hideLabel
            type="search"
            label={t('list.filter')}
            placeholder={t('list.filter')}
            value={find}
            onChange={setFind}
            start={<Search size={16} aria-hidden />}
          />
        ) : (
          <span />
        )}
        <PanelTools onOpen={setOpened} none={total === 0} />
      </div>
      <p className="visually-hidden" role="status">
        {filtered ? t('list.found', { count: found.total, number: format.number(found.total ?? 0) }) : ''}
      </p>
      <ShownQuestions saved={found} find={sought} asked={asked} onAsk={onAsk} onOpen={setOpened} />
      {opened !== undefined && <OpenedDialog key={opened.kind} opened={opened} project={project} total={total} onOpen={setOpened} />}
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Download, Ellipsis, Eraser, ListTree, Pencil, Plus, Trash2, Upload } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { EXPORT_FORMATS, lexiconsQuery, type ExportFormat, type Lexicon } from '@/api/resources/lexicons';
import { ErrorState } from '@/blocks/error-state';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { DataTable, TwoLineCell, type Column } from '@/ui/data-table';
import { DeleteDialog } from '@/ui/delete-dialog';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { lazyPart } from '@/ui/lazy-part';
import { Menu, type MenuEntry } from '@/ui/menu';
import { Skeleton } from '@/ui/placeholder-states';
import { useKey } from '@/ui/use-key';
import { When } from '@/ui/when';
import { LexiconDialog } from './lexicon-dialog';
import { LexiconSwatch } from './lexicon-swatch';
import { pathOfTerms } from './term-address';
import { useLexiconMutations, useMayImportTerms } from './use-lexicons';
import { VocabularyFrame } from './vocabulary-frame';
import { VocabularySteps } from './vocabulary-steps';
import styles from './vocabularies.module.css';

const ImportTermsDialog = lazyPart(async () => (await import('./import-terms-dialog')).ImportTermsDialog);

type OpenDialog =
  | { readonly what: 'create' }
  | { readonly what: 'edit' | 'clear' | 'delete'; readonly lexicon: Lexicon }
  | { readonly what: 'import'; readonly lexicon?: Lexicon }
  | null;

function useLexiconColumns(): Column<Lexicon>[] {
  const { t } = useTranslation('vocabularies');
  const format = useFormat();
  return [
    {
      key: 'name',
      header: t('column.lexicon'),
      cell: (row) => (
        <span className={styles['name']}>
          <LexiconSwatch color={row.color} />
          <TwoLineCell first={row.label} second={row.name} />
        </span>
      ),
    },
    { key: 'terms', header: t('column.terms'), align: 'right', cell: ({ terms }) => (terms === undefined ? '–' : format.number(terms)) },
    {
      key: 'manual',
      header: t('column.manual'),
      priority: 1,
      cell: ({ manualEditionAllowed }) => (manualEditionAllowed === false ? <Badge>{t('lexicon.closed')}</Badge> : t('lexicon.open')),
    },
    {
      key: 'modified',
      header: t('column.modified'),
      priority: 1,
      cell: ({ modifiedAt, createdAt }) => <When at={modifiedAt ?? createdAt ?? ''} />,
    },
  ];
}

interface LexiconMenuProps {
  readonly lexicon: Lexicon;
  readonly editable: boolean;
  readonly onOpen: (dialog: OpenDialog) => void;
  readonly onExport: (format: ExportFormat) => void;
}

function LexiconMenu({ lexicon, editable, onOpen, onExport }: LexiconMenuProps) {
  const { t } = useTranslation('vocabularies');
  const changes: MenuEntry[] = [
    { key: 'load', label: t('lexicon.load'), icon: Upload, onSelect: () => onOpen({ what: 'import', lexicon }) },
    { key: 'edit', label: t('lexicon.edit'), icon: Pencil, onSelect: () => onOpen({ what: 'edit', lexicon }) },
  ];
  const removals: MenuEntry[] = [
    { kind: 'divider', key: 'line' },
    {
      ...{ key: 'clear', label: t('lexicon.clear'), icon: Eraser, danger: true, disabled: lexicon.terms === 0 },
      onSelect: () => onOpen({ what: 'clear', lexicon }),
    },
    { key: 'delete', label: t('lexicon.delete'), icon: Trash2, danger: true, onSelect: () => onOpen({ what: 'delete', lexicon }) },
  ];
  const entries: MenuEntry[] = [
    { key: 'terms', label: t('lexicon.show'), icon: ListTree, to: pathOfTerms({ lexicon: lexicon.name }) },
    ...(editable ? changes : []),
    { kind: 'title', key: 'export', label: t('lexicon.exportAs') },
    ...EXPORT_FORMATS.map((format) => ({
      ...{ key: format, label: t(`format.${format}`), icon: Download, disabled: lexicon.terms === 0 },
      onSelect: () => onExport(format),
    })),
    ...(editable ? removals : []),
  ];
  return (
    <span onClick={(event) => event.stopPropagation()}>
      <Menu
        label={t('lexicon.actions', { label: lexicon.label })}
        align="right"
        entries={entries}
        trigger={(props) => <IconButton small label={t('lexicon.actions', { label: lexicon.label })} icon={Ellipsis} {...props} />}
      />
    </span>
  );
}

interface DialogsProps {
  readonly project: string;
  readonly opened: OpenDialog;
  readonly lexicons: readonly Lexicon[];
  readonly onClose: () => void;
  readonly mutations: ReturnType<typeof useLexiconMutations>;
}

/** Deleting the terms of a lexicon, or all of it. */
function RemovalDialog({ what, lexicon, onClose, mutations }: Pick<DialogsProps, 'onClose' | 'mutations'> & RemovalProps) {
  const { t } = useTranslation('vocabularies');
  const format = useFormat();
  const { terms = 0, label } = lexicon;
  const clears = what === 'clear';
  return (
    <DeleteDialog
      title={t(clears ? 'lexicon.clearTitle' : 'lexicon.deleteTitle', { label })}
      keepLabel={t(clears ? 'lexicon.keepTerms' : 'lexicon.keep')}
      deleteLabel={t(clears ? 'lexicon.clear' : 'lexicon.delete')}
      onClose={onClose}
      onDelete={() => mutations[clears ? 'clear' : 'remove'].mutateAsync(lexicon)}
      {...(terms > 0 && { strong: t('lexicon.removesTerms', { count: terms, number: format.number(terms) }) })}
    >
      {t(clears ? 'lexicon.clearText' : 'lexicon.deleteText')}
    </DeleteDialog>
  );
}

interface RemovalProps {
  readonly what: 'clear' | 'delete';
  readonly lexicon: Lexicon;
}

function LexiconDialogs({ project, opened, lexicons, onClose, mutations }: DialogsProps) {
  if (opened === null) return null;
  if (opened.what === 'create') return <LexiconDialog {...{ project, lexicons, onClose }} />;
  if (opened.what === 'edit') return <LexiconDialog {...{ project, lexicons, onClose }} lexicon={opened.lexicon} />;
  if (opened.what === 'import') return <ImportTermsDialog {...{ project, lexicons, onClose }} lexicon={opened.lexicon?.name ?? ''} />;
  return <RemovalDialog {...{ onClose, mutations }} what={opened.what} lexicon={opened.lexicon} />;
}

/** The dialogs of the tab; that of the import also opens by the address (R-029: from the menu of the project). */
function useOpenDialog(mayImport: boolean) {
  const [params, setParams] = useSearchParams();
  const [opened, setOpened] = useState<OpenDialog>(null);
  const wanted = mayImport && params.has('import');
  const close = () => {
    setOpened(null);
    if (params.has('import')) setParams({}, { replace: true });
  };
  return { opened: opened ?? (wanted ? ({ what: 'import' } as const) : null), open: setOpened, close };
}

function HeadButtons({ onOpen }: { readonly onOpen: (dialog: OpenDialog) => void }) {
  const { t } = useTranslation('vocabularies');
  return (
    <>
      <Button icon={Plus} keyCap="C" onClick={() => onOpen({ what: 'create' })}>
        {t('lexicon.new')}
      </Button>
      <Button kind="solid" icon={Upload} onClick={() => onOpen({ what: 'import' })}>
        {t('import.open')}
      </Button>
    </>
  );
}

/** S-047: the lexicons of the project with the number of their terms. */
export function LexiconsTab({ project }: { readonly project: string }) {
  const { t } = useTranslation('vocabularies');
  const navigate = useNavigate();
  const editable = useMayImportTerms();
  const query = useQuery({ ...lexiconsQuery(project), meta: { silent: true } });
  const mutations = useLexiconMutations(project);
  const { opened, open, close } = useOpenDialog(editable);
  const columns = useLexiconColumns();
  useKey('c', () => open({ what: 'create' }), editable && opened === null);
  const lexicons = query.data ?? [];
  const buttons = editable && <HeadButtons onOpen={open} />;
  const body = (): ReactNode => {
    if (query.data === undefined)
      return query.error === null ? (
        <Skeleton rows={4} rowHeight={54} />
      ) : (
        <ErrorState title={t('errors:error.lexicon')} error={query.error} onRetry={() => void query.refetch()} />
      );
    if (lexicons.length === 0) return <VocabularySteps project={project} what="lexicons" actions={buttons} />;
    return (
      <div className={styles['list']}>
        <DataTable
          label={t('tab.lexicons')}
          twoLines
          actionsAlways
          rows={lexicons}
          rowKey={(row) => row.name}
          columns={columns}
          onOpen={(row) => void navigate(pathOfTerms({ lexicon: row.name }))}
          rowActions={(row) => (
            <LexiconMenu
              lexicon={row}
              {...{ editable }}
              onOpen={open}
              onExport={(format) => mutations.save.mutate({ lexicon: row, format })}
            />
          )}
        />
      </div>
    );
  };
  return (
    <VocabularyFrame tab="lexicons" actions={lexicons.length > 0 && buttons}>
      {body()}
      <LexiconDialogs {...{ project, opened, lexicons, mutations }} onClose={close} />
    </VocabularyFrame>
  );
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { List } from 'lucide-react';
import { useCallback, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { ApiError, notifyFailure } from '@/api/errors';
import { bulkSearchParams, isDefaultSearch, type BulkSearch, type BulkTarget } from '@/api/resources/bulk-actions';
import { deleteDocument, documentKeys, documentQuery } from '@/api/resources/documents';
import { ButtonLink } from '@/ui/button-link';
import { DeleteDialog } from '@/ui/delete-dialog';
import { Page, useSearchBox } from '@/ui/page';
import { Toolbar } from '@/ui/toolbar';
import { EmptyState, Skeleton } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import { useLayoutStore } from '@/state/layout-store';
import { notify } from '@/state/notifications-store';
import { addressPath, fullAddressPath, useSearchAddress, type SearchAddress } from '@/state/search-address';
import { useCan, useProjectName, useProjectWritable } from '@/state/session-store';
import { DocumentView } from './document-view';
import { downloadDocuments } from './download-documents';
import styles from './documents.module.css';
import { useDocumentPosition, type DocumentPosition } from './use-document-position';

/** Path of the list page that contains the document. */
export function documentListPath(state: SearchAddress): string {
  const { from, size, origin } = state;
  const list: SearchAddress = {
    ...state,
    origin: 'documents',
    from: Math.floor(from / size) * size,
    deletedIdentifier: '',
    highlightedSentence: -1,
    highlightedEnd: -1,
    documentIdentifier: '',
  };
  return origin === 'explore' ? fullAddressPath('/explore', list) : addressPath('/documents', list);
}

/** S-014: after a deletion the next document takes its place; at the end, the previous one. */
function useDocumentDeletion(project: string, identifier: string, state: SearchAddress, total: number) {
  const { t } = useTranslation('documents');
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => deleteDocument(project, identifier),
    onSuccess: () => {
      notify({ type: 'success', message: t('deleted') });
      void queryClient.invalidateQueries({ queryKey: documentKeys.all });
      const from = Math.max(0, Math.min(state.from, total - 2));
      const next = { ...state, from, deletedIdentifier: identifier, highlightedSentence: -1, highlightedEnd: -1, documentIdentifier: '' };
      const goesOn = state.documentIdentifier === '' && state.origin === 'documents';
      void navigate(goesOn ? addressPath('/document', next) : documentListPath(state), { replace: true });
    },
    meta: { errorTitle: 'deleteDocument' },
  });
  return { asking, ask: () => setAsking(true), close: () => setAsking(false), run: () => remove.mutateAsync() };
}

/** W-013: the view of a segment in its document hides the filters of the explorer; showing them again leads back to the segments. */
function useShowExplorerFilters(state: SearchAddress): (() => void) | undefined {
  const navigate = useNavigate();
  const setDrawer = useLayoutStore((layout) => layout.setDrawer);
  if (state.origin !== 'explore') return undefined;
  return () => {
    setDrawer('explore', 'filters', true);
    void navigate(documentListPath(state));
  };
}

function NoDocument({ state }: { readonly state: SearchAddress }): ReactNode {
  const { t } = useTranslation('documents');
  return (
    <EmptyState
      title={t('noDocument')}
      actions={<ButtonLink to={documentListPath(state)}>{t(state.origin === 'explore' ? 'backToSegments' : 'backToList')}</ButtonLink>}
    >
      {t('noDocumentText')}
    </EmptyState>
  );
}

/** The search of the address, unless it finds everything. */
function restrictingSearch(state: SearchAddress): BulkSearch | undefined {
  const target: BulkTarget = { searchIn: state.origin === 'explore' ? 'segments' : 'documents', search: state, selection: [] };
  return isDefaultSearch(target) ? undefined : bulkSearchParams(target, 'currentSearch');
}

const isNotFoundError = (error: unknown) => error instanceof ApiError && error.status === 404;

interface MissingProps {
  readonly state: SearchAddress;
  readonly place: DocumentPosition;
  readonly error: unknown;
  readonly retry: () => void;
}

/** Shown instead of a document: loading, no result, or an error. */
function DocumentPlaceholder({ state, place, error, retry }: MissingProps): ReactNode {
  const { t } = useTranslation('documents');
  const failure = place.error ?? error;
  const none = isNotFoundError(error) || (failure === null && !place.searching && place.identifier === '');
  return (
    <Page
      screen="document"
      plain
      toolbar={
        <Toolbar>
          <ButtonLink kind="quiet" small icon={List} to={documentListPath(state)}>
            {t(state.origin === 'explore' ? 'backToSegments' : 'backToList')}
          </ButtonLink>
        </Toolbar>
      }
    >
      {none && <NoDocument state={state} />}
      {!none && failure !== null && (
        <ErrorState title={t('errors:error.getDocument')} error={failure} retained={t('search:kept')} onRetry={retry} />
      )}
      {!none && failure === null && (
        <div className={styles['reading']}>
          <Skeleton rows={12} rowHeight={36} waitingFor={t('waiting')} />
        </div>
      )}
    </Page>
  );
}

/** S-007: one document of a search, for reading and annotating. */
export function DocumentScreen(): ReactNode {
  const { t } = useTranslation(['documents', 'search', 'labelling']);
  const projectName = useProjectName();
  const { project } = useProjectLabels();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [state] = useSearchAddress('/document');
  const writable = useProjectWritable();
  const mayDelete = useCan('deleteDocuments') && writable;
  const place = useDocumentPosition(projectName, state);
  const { data: document, error, refetch } = useQuery(documentQuery(projectName, place.identifier));
  const onShowFilters = useShowExplorerFilters(state);
  const deletion = useDocumentDeletion(projectName, place.identifier, state, place.position.total);
  const onSearch = useCallback(
    (query: string, explicitSubmit: boolean) =>
      void navigate(
        addressPath('/documents', {
          ...state,
          query,
          explicitSubmit,
          from: 0,
          origin: 'documents',
          documentIdentifier: '',
          highlightedSentence: -1,
          highlightedEnd: -1,
          deletedIdentifier: '',
        }),
      ),
    [navigate, state],
  );
  useSearchBox({ placeholder: t('searchPlaceholder'), query: state.query, onSearch });
  if (document === undefined || isNotFoundError(error))
    return <DocumentPlaceholder {...{ state, place, error }} retry={() => (place.error === null ? void refetch() : place.retry())} />;
  return (
    <>
      <DocumentView
        key={document.identifier}
        project={projectName}
        language={typeof document.metadata?.['language'] === 'string' ? document.metadata['language'] : project?.lang}
        document={document}
        hit={place.hit}
        position={place.position}
        search={restrictingSearch(state)}
        writable={writable}
        listPath={documentListPath(state)}
        onShowFilters={onShowFilters}
        sentence={place.sentence}
        sentenceEnd={place.sentenceEnd}
        onMove={place.move}
        onDownload={() =>
          void downloadDocuments(queryClient, projectName, [document.identifier]).catch((reason: unknown) =>
            notifyFailure(reason, 'downloadDocument'),
          )
        }
        onDelete={mayDelete ? deletion.ask : undefined}
      />
      <DeleteDialog
        open={deletion.asking}
        title={t('deleteOneTitle', { title: document.title ?? document.identifier })}
        keepLabel={t('keep', { count: 1 })}
        deleteLabel={t('deleteOne')}
        strong={t('deleteStrong', { count: 1 })}
        onClose={deletion.close}
        onDelete={deletion.run}
      >
        {t('deleteText', { count: 1 })}
      </DeleteDialog>
    </>
  );
}

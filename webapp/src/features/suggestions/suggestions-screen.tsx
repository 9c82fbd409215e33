import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ArrowDownWideNarrow, ChevronDown, FileText, List, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { clearSuggestions, suggestionKeys, SUGGESTION_SORTS, suggestionTime } from '@/api/resources/suggestions';
import { hasLabelDrawer } from '@/blocks/labelling/label-panel';
import { ProjectLabelsProvider, useProjectLabels } from '@/blocks/labelling/project-labels';
import { UndoRedoButtons } from '@/blocks/labelling/undo-redo-buttons';
import { UndoConflictDialog } from '@/blocks/labelling/undo-conflict-dialog';
import { useLinkableTerms } from '@/blocks/terms/use-project-terms';
import { KeyCap } from '@/ui/badge';
import { Button } from '@/ui/button';
import { SegmentedControl } from '@/ui/choice-inputs';
import { DeleteDialog } from '@/ui/delete-dialog';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { useCommands, type Command } from '@/ui/command-registry';
import { useNarrow } from '@/ui/media-query';
import { Menu } from '@/ui/menu';
import { Page } from '@/ui/page';
import { Toolbar, ToolbarMore } from '@/ui/toolbar';
import { EmptyState, Skeleton } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import { useStoredChoice } from '@/state/layout-store';
import { useProjectName, useProjectWritable } from '@/state/session-store';
import { CONTEXT_LEVELS, DEFAULT_ZOOM } from './review-model';
import { ReviewBar } from './review-bar';
import { ReviewCard } from './review-card';
import { useReviewSession } from './review-session-store';
import { SuggestionLabelPanel } from './suggestion-labels';
import { SuggestionsEmpty } from './suggestions-empty';
import { SuggestionsFilters } from './suggestions-filters';
import { NextSuggestions } from './next-suggestions';
import { useReview, type ReviewState } from './use-review';
import styles from './suggestions.module.css';

function ClearSuggestionsButton({ review }: { readonly review: ReviewState }) {
  const { t } = useTranslation('suggestions');
  const format = useFormat();
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState(false);
  const clear = useMutation({
    mutationFn: () => clearSuggestions(review.project),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: suggestionKeys.all }),
    meta: { errorTitle: 'clearSuggestions' },
  });
  return (
    <>
      <Button kind="danger-text" icon={Trash2} onClick={() => setAsked(true)}>
        {t('clearAll')}
      </Button>
      <DeleteDialog
        open={asked}
        title={t('clear.title', { count: review.total, number: format.number(review.total) })}
        keepLabel={t('clear.keep')}
        deleteLabel={t('clear.confirm')}
        onClose={() => setAsked(false)}
        onDelete={() => clear.mutateAsync()}
      >
        {t('clear.text')}
      </DeleteDialog>
    </>
  );
}

function SuggestionsToolbar({ review, writable }: { readonly review: ReviewState; readonly writable: boolean }) {
  const { t } = useTranslation('suggestions');
  const format = useFormat();
  const { address, changeAddress, open, fresh } = review;
  const newest = open.reduce((latest, suggestion) => Math.max(latest, suggestionTime(suggestion._id)), 0);
  return (
    <Toolbar
      end={
        <>
          {fresh > 0 ? (
            <Button small icon={RefreshCw} onClick={review.reload}>
              {t('fresh', { count: fresh, number: format.number(fresh) })}
            </Button>
          ) : (
            <ToolbarMore>
              {newest > 0 && (
                <span className={styles['newest']} title={format.dateTime(newest)}>
                  {t('newest', { when: format.whenWithin(newest) })}
                </span>
              )}
              <IconButton icon={RefreshCw} label={t('reload')} onClick={review.reload} />
            </ToolbarMore>
          )}
          {writable && <UndoRedoButtons undoRedo={review.undoRedo} />}
          {writable && review.total > 0 && (
            <ToolbarMore>
              <ClearSuggestionsButton review={review} />
            </ToolbarMore>
          )}
        </>
      }
    >
      <ToolbarMore>
        <SegmentedControl
          label={t('display.label')}
          value={address.display}
          onChange={(display) => changeAddress({ display })}
          options={[
            {
              value: 'list',
              label: (
                <>
                  <List size={14} aria-hidden />
                  {t('display.list')}
                </>
              ),
            },
            {
              value: 'document',
              label: (
                <>
                  <FileText size={14} aria-hidden />
                  {t('display.document')}
                </>
              ),
            },
          ]}
        />
        <Menu
          label={t('sort')}
          entries={SUGGESTION_SORTS.map((sort) => ({
            key: sort,
            label: t(`sorts.${sort}`),
            checked: sort === address.sort,
            onSelect: () => changeAddress({ sort, index: 0, sugId: '' }),
          }))}
          trigger={(props) => (
            <Button icon={ArrowDownWideNarrow} endIcon={ChevronDown} {...props}>
              {t(`sorts.${address.sort}`)}
            </Button>
          )}
        />
      </ToolbarMore>
    </Toolbar>
  );
}

/**
 * The total of this sitting: suggestions that arrive meanwhile are announced beside the list and counted when the rest is done, when the
 * user fetches them, or with other filters.
 */
function usePlannedTotal({ project, total, round, address }: ReviewState): { readonly done: number; readonly all: number } {
  const done = useReviewSession(project).finished;
  const all = done + total;
  const plan = JSON.stringify([round, address.selectedFacets]);
  const [planned, setPlanned] = useState({ plan, all });
  const holds = planned.plan === plan && planned.all <= all && done < planned.all;
  if (!holds && (planned.plan !== plan || planned.all !== all)) setPlanned({ plan, all });
  return { done, all: holds ? planned.all : all };
}

function ReviewProgress({ done, all }: { readonly done: number; readonly all: number }) {
  const { t } = useTranslation('suggestions');
  const format = useFormat();
  const text = t('reviewed', { done: format.number(done), total: format.number(all) });
  return (
    <div className={styles['reviewed']}>
      <span
        className={styles['reviewed-bar']}
        role="progressbar"
        aria-label={t('reviewedLabel')}
        aria-valuemin={0}
        aria-valuemax={all}
        aria-valuenow={done}
        aria-valuetext={text}
      >
        <span style={{ width: `${String((100 * done) / Math.max(1, all))}%` }} />
      </span>
      <span>{text}</span>
    </div>
  );
}

function KeyHintBar() {
  const { t } = useTranslation('suggestions');
  const hints = {
    J: 'next',
    K: 'previous',
    Y: 'accept',
    N: 'reject',
    D: 'nothingMore',
    A: 'add',
    'Shift ←→': 'moveEnd',
    'Alt ←→': 'moveStart',
    S: 'skipShort',
    V: 'validate',
    'Ctrl Z': 'undo',
  };
  return (
    <div className={styles['hints']}>
      {Object.entries(hints).map(([key, word]) => (
        <span key={key}>
          <KeyCap>{key}</KeyCap> {t(`hint.${word}`)}
        </span>
      ))}
    </div>
  );
}

/** J K Y N D A S L V, Shift Y, Shift and Alt with arrows, + -, Ctrl Z; single letters depend on the user's setting. */
function useReviewKeys(review: ReviewState, zoom: (by: number) => void, pick: () => void, enabled: boolean): void {
  const { t } = useTranslation('suggestions');
  const linksTerms = useLinkableTerms(review.project);
  useCommands(() => {
    if (!enabled) return [];
    const spans = review.proposal?.kind === 'annotation';
    const command = (name: string, keys: readonly string[], run: () => unknown, more: Partial<Command> = {}): Command => ({
      id: `review.${name}`,
      section: 'annotation',
      title: t(`key.${name}`),
      keys,
      run: () => void run(),
      ...more,
    });
    return [
      command('next', ['J'], () => review.move(1)),
      command('previous', ['K'], () => review.move(-1)),
      command('accept', ['Y'], review.accept),
      command('acceptAll', ['Shift+Y'], review.acceptAllOffered ? review.acceptAll : review.accept),
      command('reject', ['N'], review.reject),
      command('nothingMore', ['D'], review.nothingMore),
      ...(spans
        ? [
            command('endForward', ['Shift+ArrowRight'], () => review.moveBoundary('end', true)),
            command('endBack', ['Shift+ArrowLeft'], () => review.moveBoundary('end', false)),
            command('startForward', ['Alt+ArrowRight'], () => review.moveBoundary('start', true)),
            command('startBack', ['Alt+ArrowLeft'], () => review.moveBoundary('start', false)),
          ]
        : []),
      ...(review.proposal?.moved === undefined
        ? []
        : [command('resetBoundary', ['Escape'], () => review.proposal && review.placeSpan(review.proposal.key))]),
      command('skip', ['S'], review.skip),
      command('label', ['L'], pick),
      // A proposal has no terms before it is accepted: the help says where they are linked.
      ...(spans && linksTerms
        ? [{ id: 'review.terms', section: 'annotation', title: t('key.terms'), keys: ['E', 'Shift+E', 'U'] } as const]
        : []),
      command('validate', ['V'], review.validateDocument),
      command('more', ['+', '='], () => zoom(1)),
      command('less', ['-'], () => zoom(-1)),
    ];
  });
}

interface SuggestionsBodyProps {
  readonly review: ReviewState;
  readonly writable: boolean;
  /** The picker of another label is open. */
  readonly picking: boolean;
  readonly onPick: (open: boolean) => void;
}

function SuggestionsBody({ review, writable, picking, onPick }: SuggestionsBodyProps) {
  const { t } = useTranslation('suggestions');
  const [level, setLevel] = useStoredChoice<string>('suggestions.zoom', String(DEFAULT_ZOOM));
  const progress = usePlannedTotal(review);
  const { page, current, address } = review;
  const zoom = (next: number) => setLevel(String(Math.min(CONTEXT_LEVELS.length - 1, Math.max(0, next))));
  useReviewKeys(
    review,
    (by) => zoom(Number(level) + by),
    () => onPick(true),
    writable && current !== undefined,
  );
  if (page.error !== null && page.data === undefined)
    return <ErrorState title={t('errors:error.getSuggestions')} error={page.error} onRetry={() => void page.refetch()} />;
  if (page.data === undefined) return <Skeleton rows={8} />;
  if (current === undefined) {
    if (page.isFetching || review.busy || page.data.suggestions.length > 0 || address.index > 0) return <Skeleton rows={8} />;
    if (address.selectedFacets.length > 0) {
      return (
        <EmptyState
          title={t('noMatch')}
          actions={<Button onClick={() => review.changeAddress({ selectedFacets: [], index: 0 })}>{t('clearFilters')}</Button>}
        >
          {t('noMatchText')}
        </EmptyState>
      );
    }
    return <SuggestionsEmpty project={review.project} nature={review.nature} onReady={review.reload} />;
  }
  return (
    <div className={styles['review']} data-stale={(page.isPlaceholderData && page.isFetching) || undefined}>
      <ReviewProgress {...progress} />
      <ReviewCard review={review} suggestion={current} level={Number(level)} onLevel={zoom} {...{ writable, picking, onPick }} />
      <NextSuggestions review={review} />
    </div>
  );
}

function Suggestions() {
  const { t } = useTranslation('suggestions');
  const review = useReview(useProjectName());
  const writable = useProjectWritable();
  const { project } = useProjectLabels();
  const narrow = useNarrow();
  const [picking, setPicking] = useState(false);
  const { address } = review;
  const filtered = address.selectedFacets.length > 0;
  const some = review.open.length > 0 || filtered;
  return (
    <Page
      screen="suggestions"
      toolbar={<SuggestionsToolbar review={review} writable={writable} />}
      plain={!some && review.page.data !== undefined}
      flush
      activeFilters={address.selectedFacets.length}
      onClearFilters={() => review.changeAddress({ selectedFacets: [], index: 0, sugId: '' })}
      {...(some && { filters: <SuggestionsFilters review={review} /> })}
      {...(some &&
        hasLabelDrawer(project) && {
          drawer: <SuggestionLabelPanel {...{ review, writable }} />,
          drawerTitle: t('labels.title'),
          drawerOpen: false,
        })}
    >
      <h1 className="visually-hidden">{t('title')}</h1>
      <p className="visually-hidden" role="status">
        {review.said}
      </p>
      <div className={styles['column']}>
        <div className={styles['content']}>
          <SuggestionsBody {...{ review, writable, picking }} onPick={setPicking} />
        </div>
        {review.current !== undefined && writable && (narrow ? <ReviewBar {...{ review, picking }} onPick={setPicking} /> : <KeyHintBar />)}
      </div>
      <UndoConflictDialog undoRedo={review.undoRedo} />
    </Page>
  );
}

/** R-014, picture 05. */
export function SuggestionsScreen() {
  return (
    <ProjectLabelsProvider project={useProjectName()}>
      <Suggestions />
    </ProjectLabelsProvider>
  );
}

import { useQuery } from '@tanstack/react-query';
import { MessageSquare } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentSerializer } from '@/annotation/document-serializer';
import type { CommentMark, Span, TextRange } from '@/annotation/model';
import { commentsQuery, type CommentThread } from '@/api/resources/comments';
import { useCommands } from '@/ui/command-registry';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { CommentsPanel, type CommentSubject } from '@/blocks/comments/comments-panel';
import styles from '@/blocks/comments/comments.module.css';
import type { ShownDocument } from './use-document-annotation';

const SHOWN_WORDS = 80;

interface CommentsViewInput extends ShownDocument {
  readonly serializer: DocumentSerializer;
  readonly selection: TextRange | undefined;
  readonly focused: Span | undefined;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  /** Scrolls to an offset of the text (UTF-16). */
  readonly onShow: (offset: number) => void;
}

export interface CommentsView {
  readonly button: ReactNode;
  /** Content of the page's drawer while the comments are open. */
  /** Of the open threads. */
  readonly marks: readonly CommentMark[];
  /** Opens the comments, with the cursor in the box of a new one. */
  readonly onComment: (() => void) | undefined;
  readonly onThread: (identifier: string) => void;
  readonly panel: { readonly drawer: ReactNode; readonly drawerTitle: string } | undefined;
}

const SAVED = /^\d+$/u;

/** The selected words, else the focused annotation, else the document. */
function commentSubject({ document, serializer, selection, focused }: CommentsViewInput): CommentSubject {
  const range = selection ?? focused;
  if (range === undefined) return { target: 'document', words: '' };
  const words = document.text.slice(range.start, Math.min(range.end, range.start + SHOWN_WORDS));
  // An annotation that is not saved yet has no identifier on the server.
  if (selection === undefined && focused !== undefined && SAVED.test(focused.id))
    return { target: 'annotation', annotation: focused.id, words };
  const { start, end } = serializer.apiRange(range);
  return { target: 'span', start, end, words };
}

/** One mark where threads end at the same place, at the last visible letter. */
export function commentMarks(threads: readonly CommentThread[], text: string, serializer: DocumentSerializer): readonly CommentMark[] {
  const marks = new Map<number, CommentMark>();
  for (const { identifier, resolved, start, end } of threads) {
    if (resolved || start === undefined || end === undefined) continue;
    const range = serializer.range(start, end);
    const at = range.start + (text.slice(range.start, range.end).trimEnd().length || range.end - range.start);
    const known = marks.get(at);
    marks.set(at, { id: known?.id ?? identifier, end: at, count: (known?.count ?? 0) + 1 });
  }
  return [...marks.values()];
}

/** Comments of one document, for its screen. */
export function useCommentsView(input: CommentsViewInput): CommentsView {
  const { project, document, writable, serializer, open, onOpen, onShow } = input;
  const { t } = useTranslation('comments');
  const format = useFormat();
  const { data } = useQuery(commentsQuery(project, document.identifier));
  const count = (data ?? []).filter(({ resolved }) => !resolved).length;
  const label = open ? t('hide') : t('open', { count, number: format.number(count) });
  useCommands(() => [{ id: 'document.comments', section: 'panels', title: label, keys: ['Mod+Alt+M'], run: () => onOpen(!open) }]);
  const [current, setCurrent] = useState<string>();
  const [writes, setWrites] = useState(0);
  const marks = useMemo(() => commentMarks(data ?? [], document.text, serializer), [data, document.text, serializer]);
  const show = ({ start = 0, end = start }: CommentThread) => onShow(serializer.range(start, end).start);
  const drawer = (
    <CommentsPanel
      {...{ project, writable }}
      document={document.identifier}
      subject={commentSubject(input)}
      onShow={show}
      {...{ current, writes }}
    />
  );
  return {
    button: (
      <span className={styles['button']}>
        <IconButton label={label} icon={MessageSquare} aria-pressed={open} onClick={() => onOpen(!open)} />
        {count > 0 && <span aria-hidden>{format.number(count)}</span>}
      </span>
    ),
    marks,
    onComment: writable
      ? () => {
          onOpen(true);
          setWrites((before) => before + 1);
        }
      : undefined,
    onThread: (identifier) => {
      setCurrent(identifier);
      setWrites(0);
      onOpen(true);
    },
    panel: open ? { drawer, drawerTitle: t('title') } : undefined,
  };
}

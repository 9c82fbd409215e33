import { useVirtualizer } from '@tanstack/react-virtual';
import { Pencil, Trash2 } from 'lucide-react';
import { useEffect, useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { isSameQuestion, type SavedQuestion } from '@/api/resources/questions';
import { textDirection } from '@/text/direction';
import { Badge } from '@/ui/badge';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import styles from './questions.module.css';

/** From here on only the rows near the viewport are drawn. */
const VIRTUAL_FROM = 100;
const ROW_HEIGHT = 44;
/** Rows before the end of what is loaded: the next ones are fetched. */
const FETCH_BEFORE = 40;

export interface QuestionListProps {
  readonly questions: readonly SavedQuestion[];
  /** Text of the question that is asked. */
  readonly asked: string;
  /** Neither: they can only be asked (S-028). */
  readonly mayChange: boolean;
  readonly mayDelete: boolean;
  readonly onAsk: (question: SavedQuestion) => void;
  readonly onEdit: (question: SavedQuestion) => void;
  readonly onDelete: (question: SavedQuestion) => void;
  /** The end of what is loaded comes into view. */
  readonly onEnd: () => void;
}

/** What is known about a question. */
function QuestionFacts({ question: { judged, relevant, answers } }: { readonly question: SavedQuestion }): ReactNode {
  const { t } = useTranslation('questions');
  const format = useFormat();
  if (judged === 0 && answers.length === 0) return null;
  return (
    <span className={styles['facts']}>
      {judged > 0 && (
        <Badge tone={relevant > 0 ? 'success' : 'neutral'}>
          {t('list.judged', { count: judged, judged: format.number(judged), relevant: format.number(relevant) })}
        </Badge>
      )}
      {answers.length > 0 && <Badge>{t('list.answers', { count: answers.length })}</Badge>}
    </span>
  );
}

/** Arrows go from question to question. */
function moveBetweenQuestions(event: KeyboardEvent<HTMLButtonElement>): void {
  const row = event.currentTarget.closest('li');
  const next = event.key === 'ArrowDown' ? row?.nextElementSibling : event.key === 'ArrowUp' ? row?.previousElementSibling : null;
  const button = next?.querySelector<HTMLElement>('[data-question]');
  if (button === null || button === undefined) return;
  event.preventDefault();
  button.focus();
}

interface RowProps extends Omit<QuestionListProps, 'questions' | 'onEnd'> {
  readonly question: SavedQuestion;
}

function QuestionRow({ question, asked, mayChange, mayDelete, onAsk, onEdit, onDelete }: RowProps): ReactNode {
  const { t } = useTranslation('questions');
  const { text } = question;
  return (
    <>
      <button
        type="button"
        data-question
        className={styles['question']}
        aria-current={isSameQuestion(text, asked) || undefined}
        onClick={() => onAsk(question)}
        onKeyDown={(event) => {
          if (event.key === 'Delete' && mayDelete) onDelete(question);
          else moveBetweenQuestions(event);
        }}
      >
        <span dir={textDirection(text)} title={text}>
          {text}
        </span>
        <QuestionFacts question={question} />
      </button>
      <span className={styles['acts']}>
        {mayChange && <IconButton small icon={Pencil} label={t('list.edit', { question: text })} onClick={() => onEdit(question)} />}
        {mayDelete && <IconButton small icon={Trash2} label={t('list.delete', { question: text })} onClick={() => onDelete(question)} />}
      </span>
    </>
  );
}

/** Where the list scrolls: the nearest ancestor that does. */
const scrollerOf = (list: HTMLElement | null) => list?.closest<HTMLElement>('[data-questions-scroll]') ?? null;

interface VirtualRows {
  readonly list: RefObject<HTMLUListElement | null>;
  readonly rows: readonly { readonly index: number; readonly top: number | undefined }[];
  readonly height: number | undefined;
  readonly measure: ((element: HTMLElement | null) => void) | undefined;
}

function useRows(count: number): VirtualRows {
  const list = useRef<HTMLUListElement>(null);
  const virtual = count >= VIRTUAL_FROM;
  const virtualizer = useVirtualizer({
    count: virtual ? count : 0,
    getScrollElement: () => scrollerOf(list.current),
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  if (!virtual)
    return { list, rows: Array.from({ length: count }, (_, index) => ({ index, top: undefined })), height: undefined, measure: undefined };
  const rows = virtualizer.getVirtualItems().map(({ index, start }) => ({ index, top: start }));
  return { list, rows, height: virtualizer.getTotalSize(), measure: virtualizer.measureElement };
}

/** The saved questions, each asked by a click; only those near the viewport are drawn. */
export function QuestionList({ questions, onEnd, ...row }: QuestionListProps): ReactNode {
  const { t } = useTranslation('questions');
  const { list, rows, height, measure } = useRows(questions.length);
  const last = rows.at(-1)?.index ?? 0;
  const atEnd = last >= questions.length - FETCH_BEFORE;
  useEffect(() => {
    if (atEnd) onEnd();
  }, [atEnd, onEnd, questions.length]);
  return (
    <ul ref={list} className={styles['list']} aria-label={t('list.title')} style={height === undefined ? undefined : { height }}>
      {rows.map(({ index, top }) => {
        const question = questions[index];
        if (question === undefined) return null;
        return (
          <li
            key={question.identifier}
            ref={measure}
            data-index={index}
            className={styles['row']}
            aria-setsize={questions.length}
            aria-posinset={index + 1}
            style={top === undefined ? undefined : { position: 'absolute', insetInline: 0, transform: `translateY(${String(top)}px)` }}
          >
            <QuestionRow question={question} {...row} />
          </li>
        );
      })}
    </ul>
  );
}

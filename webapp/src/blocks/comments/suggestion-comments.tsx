import { useQuery } from '@tanstack/react-query';
import { MessageSquare } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { commentsQuery } from '@/api/resources/comments';
import { Dialog } from '@/ui/dialog';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { CommentsPanel, threadsOn, type CommentSubject } from './comments-panel';
import styles from './comments.module.css';

const SHOWN_WORDS = 80;

interface SuggestionCommentsProps {
  readonly project: string;
  /** Where the suggestion is, in code points. */
  readonly suggestion: { readonly documentIdentifier: string; readonly start: number; readonly end: number; readonly text: string };
  readonly writable: boolean;
}

/** The button of a suggestion that shows what people wrote about it. */
export function SuggestionComments({ project, suggestion, writable }: SuggestionCommentsProps): ReactNode {
  const { t } = useTranslation('comments');
  const format = useFormat();
  const [open, setOpen] = useState(false);
  const { documentIdentifier, start, end, text } = suggestion;
  const { data = [] } = useQuery(commentsQuery(project, documentIdentifier));
  const subject: CommentSubject = { target: 'suggestion', start, end, words: text.slice(0, SHOWN_WORDS) };
  const count = threadsOn(data, subject).filter(({ resolved }) => !resolved).length;
  if (!writable && count === 0) return null;
  return (
    <span className={styles['button']}>
      <IconButton
        small
        label={t('open', { count, number: format.number(count) })}
        icon={MessageSquare}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      {count > 0 && <span aria-hidden>{format.number(count)}</span>}
      <Dialog open={open} title={t('title')} onClose={() => setOpen(false)}>
        <CommentsPanel only {...{ project, writable, subject }} document={documentIdentifier} />
      </Dialog>
    </span>
  );
}

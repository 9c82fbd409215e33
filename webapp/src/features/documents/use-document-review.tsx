/** Validating the open document, and going to the next one that nobody validated. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ArrowRight, Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { documentKeys, nextUnfinishedDocument, reviewDocument, type AnnotatedDocument } from '@/api/resources/documents';
import { historyKeys } from '@/api/resources/history';
import { notify } from '@/state/notifications-store';
import { addressPath } from '@/state/search-address';
import { Button } from '@/ui/button';
import { useCommands } from '@/ui/command-registry';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import type { ShownDocument } from './use-document-annotation';

/** Changes the state in the cache when the server has it; a notice offers the next document and the way back. */
function useReview(project: string, document: AnnotatedDocument, onNext: () => void) {
  const { t } = useTranslation('documents');
  const client = useQueryClient();
  const { identifier } = document;
  const key = documentKeys.one(project, identifier);
  return useMutation({
    mutationFn: (reviewed: boolean) => reviewDocument(project, identifier, document.version, reviewed),
    onSuccess: ({ reviewed, version }) => {
      client.setQueryData<AnnotatedDocument>(key, (before) => before && { ...before, reviewed, version });
      void client.invalidateQueries({ queryKey: [...documentKeys.all, project, 'search'] });
      void client.invalidateQueries({ queryKey: historyKeys.of(project, identifier) });
      if (reviewed) notify({ type: 'success', message: t('review.done'), action: { label: t('review.next'), run: onNext } });
    },
    onError: () => void client.invalidateQueries({ queryKey: key }),
    meta: { errorTitle: 'reviewDocument' },
  });
}

function useNextUnfinished(project: string, identifier: string) {
  const { t } = useTranslation('documents');
  const format = useFormat();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => nextUnfinishedDocument(project, identifier),
    onSuccess: ({ documentIdentifier, reviewed, documents }) => {
      if (documentIdentifier !== undefined) return void navigate(addressPath('/document', { documentIdentifier }));
      const count = { reviewed: format.number(reviewed), documents: format.number(documents) };
      return void notify({ type: 'info', message: reviewed < documents ? t('review.last', count) : t('review.all', count) });
    },
    meta: { errorTitle: 'nextUnfinished' },
  });
}

/** `V` validates or takes back, `Shift N` goes on. */
export function useDocumentReview({ project, document, writable }: ShownDocument): ReactNode {
  const { t } = useTranslation('documents');
  const next = useNextUnfinished(project, document.identifier);
  const review = useReview(project, document, () => next.mutate());
  const reviewed = document.reviewed === true;
  const title = t(reviewed ? 'review.undo' : 'review.validate');
  const toggle = () => {
    if (!review.isPending) review.mutate(!reviewed);
  };
  useCommands(() => [
    ...(writable ? [{ id: 'document.validate', section: 'screen' as const, title, keys: ['V'], run: toggle }] : []),
    { id: 'document.nextUnfinished', section: 'screen', title: t('review.next'), keys: ['Shift+N'], run: () => next.mutate() },
  ]);
  return (
    <>
      {writable && (
        <Button
          small
          kind={reviewed ? 'secondary' : 'outline'}
          icon={Check}
          keyCap="V"
          aria-pressed={reviewed}
          busy={review.isPending}
          onClick={toggle}
        >
          {t(reviewed ? 'review.validated' : 'review.validate')}
        </Button>
      )}
      <IconButton label={t('review.next')} icon={ArrowRight} keyCap="Shift N" onClick={() => next.mutate()} />
    </>
  );
}

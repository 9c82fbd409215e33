import { Check, CircleX, LoaderCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/badge';
import { Button } from '@/components/button';
import { savedState } from './edits';
import { useEdits } from './edits-store';
import type { Labelling } from './labelling';

/** Where the work is: saved, on its way, or not saved with a way to send it again. */
export function SavedState({ labelling }: { readonly labelling: Labelling }): ReactNode {
  const { t } = useTranslation('labelling');
  const state = savedState(useEdits(labelling.project));
  return (
    <span role="status" aria-live="polite" style={{ display: 'inline-flex', alignItems: 'center', gap: 6 }}>
      {state === 'saved' && (
        <Badge tone="success" icon={Check}>
          {t('saved')}
        </Badge>
      )}
      {state === 'saving' && (
        <Badge tone="primary" icon={LoaderCircle} turning>
          {t('saving')}
        </Badge>
      )}
      {state === 'failed' && (
        <>
          <Badge tone="error" icon={CircleX}>
            {t('notSaved')}
          </Badge>
          <Button small onClick={() => labelling.retryAll()}>
            {t('retry')}
          </Button>
        </>
      )}
    </span>
  );
}

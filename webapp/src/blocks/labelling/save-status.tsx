import { Check, CircleX, CloudOff, LoaderCircle } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { useFormat } from '@/ui/format';
import { useMediaQuery } from '@/ui/media-query';
import { savedState } from '@/labelling-sync/edits/apply';
import { useOffline, useEdits } from '@/labelling-sync/edits-store';
import type { LabellingEditor } from '@/labelling-sync/labelling-editor';
import { RejectedEdits } from './rejected-edits';

/** From this width on the toolbar of the document and of the segments fits one line, in French too (visual design, 10). */
const NARROW = '(max-width: 1439px)';

/** The save state: saved, saving, waiting for the server, or refused with a button that shows the edits. */
export function SaveStatus({ labelling }: { readonly labelling: LabellingEditor }): ReactNode {
  const { t } = useTranslation('labelling');
  const format = useFormat();
  const narrow = useMediaQuery(NARROW);
  const [looking, setLooking] = useState(false);
  const edits = useEdits(labelling.project);
  const state = savedState(edits, useOffline(labelling.project));
  const refused = edits.filter((edit) => edit.state === 'failed');
  return (
    <>
      <span role="status" aria-live="polite" style={{ display: 'inline-flex', alignItems: 'center', gap: 6 }}>
        {state === 'saved' && (
          <Badge tone="success" icon={Check}>
            <span {...(narrow && { className: 'visually-hidden' })}>{t('saved')}</span>
          </Badge>
        )}
        {state === 'saving' && (
          <Badge tone="primary" icon={LoaderCircle} spinning>
            {t('saving')}
          </Badge>
        )}
        {state === 'offline' && (
          <Badge tone="warning" icon={CloudOff}>
            {t('offline', { count: edits.length, number: format.number(edits.length) })}
          </Badge>
        )}
        {state === 'failed' && (
          <Badge tone="error" icon={CircleX}>
            {t('notSaved')}
          </Badge>
        )}
      </span>
      {refused.length > 0 && (
        <Button small onClick={() => setLooking(true)}>
          {t('refused.look', { count: refused.length, number: format.number(refused.length) })}
        </Button>
      )}
      <RejectedEdits labelling={labelling} edits={refused} open={looking && refused.length > 0} onClose={() => setLooking(false)} />
    </>
  );
}

import { FilePlus2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import { EmptyState } from '@/ui/placeholder-states';
import { useImportStore } from '@/state/import-dialog-store';
import { useCan } from '@/state/session-store';

/** Shown while the project has no documents. */
export function NoDocuments({ writable }: { readonly writable: boolean }) {
  const { t } = useTranslation('dashboard');
  const open = useImportStore((state) => state.setOpen);
  const mayImport = useCan('importDocuments') && writable;
  return (
    <EmptyState
      title={t('noDocuments.title')}
      actions={
        mayImport && (
          <Button kind="solid" icon={FilePlus2} onClick={() => open(true)}>
            {t('noDocuments.import')}
          </Button>
        )
      }
    >
      {t('noDocuments.text')}
    </EmptyState>
  );
}

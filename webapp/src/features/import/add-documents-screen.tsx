import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { Page, PageHead } from '@/ui/page';
import { EmptyState } from '@/ui/placeholder-states';
import { useProjectName, useProjectWritable } from '@/state/session-store';
import { ImportActions, ImportBody, ImportTools } from './import-body';
import { useFinishImport } from './import-dialog';
import { useImport } from './use-import';
import styles from './import.module.css';

function ImportPage() {
  const { t } = useTranslation('import');
  const navigate = useNavigate();
  const state = useImport(useProjectName());
  const leave = () => void navigate('/documents');
  useFinishImport(state, leave);
  return (
    <Page screen="addDocuments">
      <PageHead title={t('title')} actions={state.job === null && <ImportTools state={state} />} />
      <section className={styles['page']}>
        <ImportBody state={state} />
        <div className={styles['page-foot']}>
          <span />
          <span className={styles['page-actions']}>
            <ImportActions state={state} onCancel={leave} onClose={leave} />
          </span>
        </div>
      </section>
    </Page>
  );
}

/** the import dialog as a page. */
export function AddDocumentsScreen() {
  const { t } = useTranslation('import');
  const writable = useProjectWritable();
  if (writable) return <ImportPage />;
  return (
    <Page screen="addDocuments">
      <PageHead title={t('title')} />
      <EmptyState title={t('readOnly.title')}>{t('readOnly.text')}</EmptyState>
    </Page>
  );
}

import { useTranslation } from 'react-i18next';
import { isRouteErrorResponse, useNavigate, useRouteError } from 'react-router';
import { ApiError } from '@/api/errors';
import { Button } from '@/ui/button';
import { ButtonLink } from '@/ui/button-link';
import { EmptyState } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import { ScreenUnavailableError } from './load-screen';
import { signOut } from './session-lifecycle';
import styles from './start-screen.module.css';

/** A page that failed completely: cause, fix, link to the home screen. */
export function ErrorPage({ inShell = false }: { readonly inShell?: boolean }) {
  const { t } = useTranslation(['shell', 'errors']);
  const error = useRouteError();
  const navigate = useNavigate();
  const Frame = inShell ? 'div' : 'main';
  if (isRouteErrorResponse(error) && error.status === 403) {
    return (
      <Frame className={styles['page']}>
        <EmptyState
          title={t('shell:noRights.title')}
          actions={
            <Button kind="solid" onClick={() => void signOut((path) => void navigate(path))}>
              {t('shell:account.signOut')}
            </Button>
          }
        >
          {t('errors:userHasNoRights')}
        </EmptyState>
      </Frame>
    );
  }
  const away = error instanceof ScreenUnavailableError;
  return (
    <Frame className={styles['page']}>
      <div>
        <ErrorState
          title={t(away ? 'shell:away.title' : 'errors:unexpected')}
          error={away ? new ApiError(503, t('shell:away.cause')) : error}
          onRetry={() => location.reload()}
          actions={
            <ButtonLink small to="/home">
              {t('shell:goHome')}
            </ButtonLink>
          }
        />
      </div>
    </Frame>
  );
}

export function NotFoundPage() {
  const { t } = useTranslation('shell');
  return (
    <main className={styles['page']}>
      <EmptyState
        title={t('notFound.title')}
        actions={
          <ButtonLink kind="solid" to="/home">
            {t('goHome')}
          </ButtonLink>
        }
      >
        {t('notFound.text')}
      </EmptyState>
    </main>
  );
}

import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet } from 'react-router';
import { lazyPart } from '@/ui/lazy-part';
import { useNarrow } from '@/ui/media-query';
import { Skeleton } from '@/ui/placeholder-states';
import { useImportStore } from '@/state/import-dialog-store';
import { useSessionStore } from '@/state/session-store';
import { useRouteId } from '@/app/route-id';
import { AppBar } from './app-bar';
import { BottomBar } from './bottom-bar';
import { Footer } from './footer';
import { Rail } from './rail';
import { isOutsideProjects } from './outside-projects';
import { useReadOnlyMessage } from './read-only-message';
import { ShortcutsProvider } from './shortcuts';
import styles from './shell.module.css';

const KickedDialog = lazyPart(async () => (await import('./kicked-dialog')).KickedDialog);

/** D-004: any screen can open it; its code is loaded on first opening. */
const ImportDialogHost = lazy(async () => ({ default: (await import('@/features/import/import-dialog')).ImportDialogHost }));

/** App bar, rail, work area, footer. The screen renders its own drawers with `Page`. */
export function Shell() {
  const { t } = useTranslation('shell');
  const route = useRouteId();
  const projectName = useSessionStore((state) => state.projectName);
  const kicked = useSessionStore((state) => state.kicked);
  const importing = useImportStore((state) => state.open);
  useReadOnlyMessage();
  const narrow = useNarrow();
  // W-009: only with a project, and not on screens about something else.
  const inProject = projectName !== null && !isOutsideProjects(route);
  return (
    <ShortcutsProvider>
      <div className={styles['shell']} data-bottom-bar={(narrow && inProject) || undefined}>
        <a className={styles['skip']} href="#main">
          {t('skip')}
        </a>
        <AppBar route={route} />
        <div className={styles['work']}>
          {inProject && !narrow && <Rail route={route} />}
          <div className={styles['screen']}>
            <Suspense fallback={<Skeleton rows={12} />}>
              <Outlet />
            </Suspense>
          </div>
        </div>
        {narrow && inProject ? <BottomBar route={route} /> : <Footer inProject={inProject} />}
        {kicked && <KickedDialog />}
        {importing && (
          <Suspense fallback={null}>
            <ImportDialogHost />
          </Suspense>
        )}
      </div>
    </ShortcutsProvider>
  );
}

import { Ellipsis, LayoutGrid, LogOut, WifiOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { Badge } from '@/ui/badge';
import { useFormat } from '@/ui/format';
import { Sheet } from '@/ui/sheet';
import { useLiveStore } from '@/state/live-store';
import { useCan } from '@/state/session-store';
import { liveConnection, signOut } from '@/app/session-lifecycle';
import { Footer } from './footer';
import { HelpMenu } from './help-menu';
import { JobBadges } from './job-badges';
import { useJobCounts } from './job-counts';
import { useNavigationEntries, type NavigationEntry } from './use-navigation-entries';
import styles from './bottom-bar.module.css';

/** Screens for a phone, the most useful first: as many as fit beside "More". */
const FIRST = ['answers', 'documents', 'explore', 'suggestions', 'dashboard'];
const PLACES = 4;

/** The entries of the bar and those behind "More", both in the order of the navigation. */
export function bottomBarEntries(entries: readonly NavigationEntry[]): { bar: NavigationEntry[]; more: NavigationEntry[] } {
  const rank = ({ row }: NavigationEntry) => (FIRST.includes(row.id) ? FIRST.indexOf(row.id) : FIRST.length);
  const chosen = new Set([...entries].sort((a, b) => rank(a) - rank(b)).slice(0, PLACES));
  return { bar: entries.filter((entry) => chosen.has(entry)), more: entries.filter((entry) => !chosen.has(entry)) };
}

interface MoreSheetProps {
  readonly open: boolean;
  readonly entries: readonly NavigationEntry[];
  readonly route: string;
  readonly onClose: () => void;
}

/** The other screens, all projects, sign out (W-008), and what the footer says on wide windows. */
function MoreSheet({ open, entries, route, onClose }: MoreSheetProps) {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const maySignOut = useCan('seeLogout');
  return (
    <Sheet open={open} title={t('rail.label')} titleAside={<HelpMenu />} onClose={onClose}>
      <ul className={styles['more']}>
        {entries.map(({ entry: { icon: Icon }, row }) => (
          <li key={row.id}>
            <Link to={row.to ?? row.path} aria-current={row.id === route ? 'page' : undefined} onClick={onClose}>
              <Icon size={20} aria-hidden />
              <span>{t(`nav.${row.id}`)}</span>
              {row.id === 'jobs' && <JobBadges />}
            </Link>
          </li>
        ))}
        <li data-group>
          <Link to="/home" onClick={onClose}>
            <LayoutGrid size={20} aria-hidden />
            <span>{t('goHome')}</span>
          </Link>
        </li>
        {maySignOut && (
          <li>
            <button type="button" onClick={() => void signOut((path) => void navigate(path))}>
              <LogOut size={20} aria-hidden />
              <span>{t('account.signOut')}</span>
            </button>
          </li>
        )}
      </ul>
      <div className={styles['state']}>
        <Footer inProject />
      </div>
    </Sheet>
  );
}

/** Without the server, and only then: what the footer of wide windows says about it. */
function OfflineStrip() {
  const { t } = useTranslation('shell');
  const format = useFormat();
  const { status, since } = useLiveStore();
  if (status !== 'offline') return null;
  return (
    <div className={styles['offline']}>
      <WifiOff size={14} aria-hidden />
      <span role="status">{t('footer.offlineSince', { time: format.time(since) })}</span>
      <button type="button" onClick={() => liveConnection.retry()}>
        {t('footer.reconnect')}
      </button>
    </div>
  );
}

/** Narrow windows: the navigation of the project at the lower edge, instead of the rail. */
export function BottomBar({ route }: { readonly route: string }) {
  const { t } = useTranslation('shell');
  const [open, setOpen] = useState(false);
  const { failed } = useJobCounts();
  const { bar, more } = bottomBarEntries(useNavigationEntries());
  const behind = more.some(({ row }) => row.id === route);
  return (
    <div className={styles['bottom']} data-bottom-bar>
      <OfflineStrip />
      <nav className={styles['bar']} aria-label={t('rail.label')}>
        {bar.map(({ entry: { icon: Icon }, row }) => (
          <Link key={row.id} to={row.to ?? row.path} aria-current={row.id === route ? 'page' : undefined}>
            <Icon size={20} aria-hidden />
            <span>{t(`nav.${row.id}`)}</span>
          </Link>
        ))}
        <button type="button" aria-haspopup="dialog" aria-expanded={open} data-current={behind || undefined} onClick={() => setOpen(true)}>
          <Ellipsis size={20} aria-hidden />
          <span>{t('rail.more')}</span>
          {failed > 0 && (
            <i className={styles['failed']}>
              <Badge tone="error">
                <span className="visually-hidden">{t('rail.failedJobs')}</span>
                {failed}
              </Badge>
            </i>
          )}
        </button>
      </nav>
      <MoreSheet open={open} entries={more} route={route} onClose={() => setOpen(false)} />
    </div>
  );
}

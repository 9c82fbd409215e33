import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { useMediaQuery } from '@/ui/media-query';
import { useLayoutStore } from '@/state/layout-store';
import { JobBadges } from './job-badges';
import { useNavigationEntries } from './use-navigation-entries';
import styles from './shell.module.css';

const WORKING = new Set(['documents', 'explore', 'suggestions', 'plans', 'answers', 'compare-search']);

/** W-008, W-009, C-011: icon and text in both widths. */
export function Rail({ route }: { readonly route: string }) {
  const { t } = useTranslation('shell');
  const entries = useNavigationEntries();
  const wide = useMediaQuery('(min-width: 1680px)');
  const { rail, landing, setRail } = useLayoutStore();
  const { pathname } = useLocation();
  const landed = landing !== null && `${pathname}/`.startsWith(`${landing}/`);
  const expanded = rail === 'expanded' || (rail === 'auto' && wide && (landed || !WORKING.has(route)));
  const Toggle = expanded ? PanelLeftClose : PanelLeftOpen;
  return (
    <nav className={styles['rail']} data-expanded={expanded || undefined} aria-label={t('rail.label')}>
      <ul>
        {entries.map(({ entry, row }, index) => {
          const Icon = entry.icon;
          const newGroup = index > 0 && entries[index - 1]?.entry.group !== entry.group;
          return (
            <li key={row.id} data-group={newGroup || undefined}>
              <Link to={row.to ?? row.path} aria-current={row.id === route ? 'page' : undefined}>
                <Icon size={16} aria-hidden />
                <span>{t(`nav.${row.id}`)}</span>
                {row.id === 'jobs' && <JobBadges />}
              </Link>
            </li>
          );
        })}
      </ul>
      <button type="button" aria-expanded={expanded} onClick={() => setRail(expanded ? 'compact' : 'expanded')}>
        <Toggle size={16} aria-hidden />
        <span>{t(expanded ? 'rail.collapse' : 'rail.expand')}</span>
      </button>
    </nav>
  );
}

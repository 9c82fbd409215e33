import MuiDrawer from '@mui/material/Drawer';
import { X } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './icon-button';
import styles from './sheet.module.css';

export interface SheetProps {
  readonly open: boolean;
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Beside the title: a button that acts on all of the content. */
  readonly titleAside?: ReactNode;
}

/** On narrow windows: a part that rises from the lower edge, over the page, and is closed by a touch outside, Escape or its button. */
export function Sheet({ open, title, onClose, children, titleAside }: SheetProps) {
  const { t } = useTranslation('common');
  const id = useId();
  return (
    <MuiDrawer
      anchor="bottom"
      open={open}
      onClose={onClose}
      slotProps={{ paper: { className: styles['sheet'] ?? '', role: 'dialog', 'aria-modal': true, 'aria-labelledby': id } }}
    >
      <div className={styles['head']}>
        <h2 id={id}>{title}</h2>
        {titleAside}
        <IconButton label={t('close')} icon={X} onClick={onClose} />
      </div>
      <div className={styles['body']}>{children}</div>
    </MuiDrawer>
  );
}

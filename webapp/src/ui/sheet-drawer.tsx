import MuiDrawer from '@mui/material/Drawer';
import { X } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './icon-button';
import { MuiRoot } from './mui-root';
import type { SheetProps } from './sheet-props';
import styles from './sheet.module.css';

/** `Sheet` with its library; loaded when the first sheet opens. */
export function SheetDrawer({ open, title, onClose, children, titleAside }: SheetProps) {
  const { t } = useTranslation('common');
  const id = useId();
  return (
    <MuiRoot>
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
    </MuiRoot>
  );
}

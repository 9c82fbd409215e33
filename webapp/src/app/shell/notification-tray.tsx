import { useState, type ReactElement } from 'react';
import { lazyPart } from '@/ui/lazy-part';
import type { MenuTriggerProps } from '@/ui/menu';

const NotificationTrayPopover = lazyPart(async () => (await import('./notification-tray-popover')).NotificationTrayPopover);

/** All recent notifications, faded or not. */
export function NotificationTray({ trigger }: { readonly trigger: (props: MenuTriggerProps) => ReactElement }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      {trigger({ 'aria-expanded': anchor !== null, 'aria-haspopup': 'menu', onClick: (event) => setAnchor(event.currentTarget) })}
      {anchor !== null && <NotificationTrayPopover anchor={anchor} onClose={() => setAnchor(null)} />}
    </>
  );
}

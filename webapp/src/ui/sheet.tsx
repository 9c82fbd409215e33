import { useState } from 'react';
import { lazyPart } from './lazy-part';
import type { SheetProps } from './sheet-props';

const SheetDrawer = lazyPart(async () => (await import('./sheet-drawer')).SheetDrawer);

/** On narrow windows: a part that rises from the lower edge, over the page, and is closed by a touch outside, Escape or its button. */
export function Sheet(props: SheetProps) {
  const [opened, setOpened] = useState(props.open);
  // Stays, so that it can sink.
  if (props.open && !opened) setOpened(true);
  return opened ? <SheetDrawer {...props} /> : null;
}

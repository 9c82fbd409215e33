import type { ReactNode } from 'react';

export interface SheetProps {
  readonly open: boolean;
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Beside the title: a button that acts on all of the content. */
  readonly titleAside?: ReactNode;
}

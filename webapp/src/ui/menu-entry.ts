import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

export type MenuEntry =
  | { readonly kind: 'divider'; readonly key: string }
  | { readonly kind: 'title'; readonly key: string; readonly label: string }
  | {
      readonly kind?: 'item';
      readonly key: string;
      readonly label: ReactNode;
      readonly icon?: LucideIcon;
      readonly onSelect?: () => void;
      readonly to?: string;
      readonly href?: string;
      readonly disabled?: boolean;
      readonly danger?: boolean;
      readonly checked?: boolean;
      readonly aside?: ReactNode;
    };

import MuiTab from '@mui/material/Tab';
import MuiTabs from '@mui/material/Tabs';
import type { ReactNode } from 'react';
import { MuiRoot } from './mui-root';
import styles from './ui.module.css';

export interface TabItem<T extends string> {
  readonly value: T;
  readonly label: ReactNode;
  readonly disabled?: boolean;
}

export interface TabsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly items: readonly TabItem<T>[];
  readonly onChange: (value: T) => void;
}

/** A row of tabs; the panel below is a `TabPanel` with the same value. */
export function Tabs<T extends string>({ label, value, items, onChange }: TabsProps<T>) {
  return (
    <MuiRoot>
      <MuiTabs value={value} onChange={(_event, next: T) => onChange(next)} aria-label={label} variant="scrollable" scrollButtons={false}>
        {items.map((item) => (
          <MuiTab
            key={item.value}
            value={item.value}
            label={item.label}
            disabled={item.disabled === true}
            id={`tab-${item.value}`}
            aria-controls={`panel-${item.value}`}
          />
        ))}
      </MuiTabs>
    </MuiRoot>
  );
}

export function TabPanel({ value, children }: { readonly value: string; readonly children: ReactNode }) {
  return (
    <div role="tabpanel" id={`panel-${value}`} aria-labelledby={`tab-${value}`}>
      {children}
    </div>
  );
}

/** The tabs below the title of a page, and the panel of the one shown. */
export function PageTabs<T extends string>({ children, ...tabs }: TabsProps<T> & { readonly children: ReactNode }) {
  return (
    <>
      <div className={styles['page-tabs']}>
        <Tabs {...tabs} />
      </div>
      <TabPanel value={tabs.value}>{children}</TabPanel>
    </>
  );
}

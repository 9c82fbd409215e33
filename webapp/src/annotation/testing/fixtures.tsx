/** Appearance and spans for the tests of this folder. */
import type { ReactNode } from 'react';
import { AppearanceContext } from '@/annotation/drawing/label-style';
import type { Appearance, LabelAppearance } from '@/annotation/drawing/label-style';
import type { Span } from '@/annotation/model';

const style = { bar: 'teal', fill: 'azure', strong: 'lightblue', ink: 'darkblue', onBar: 'white' };
const label = (name: string, readable: string, tag: string): LabelAppearance => ({ name, label: readable, tag, style });

export const LABELS = [
  label('person', 'Person', 'PER'),
  label('organisation', 'Organisation', 'ORG'),
  label('location', 'Location', 'LOC'),
  label('role', 'Role or title', 'ROLE'),
];

export const APPEARANCE: Appearance = {
  labels: new Map(LABELS.map((item) => [item.name, item])),
  readingSize: 15,
  tags: 'always',
  reinforced: false,
};

export function span(id: string, start: number, end: number, name = 'person', more: Partial<Span> = {}): Span {
  return { id, start, end, label: name, status: 'confirmed', creationMode: 'manual', ...more };
}

export function WithAppearance({ children }: { readonly children: ReactNode }): ReactNode {
  return <AppearanceContext value={APPEARANCE}>{children}</AppearanceContext>;
}

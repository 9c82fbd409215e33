/** Short name of a label on its colour, for lists (10/14). */
import type { ReactNode } from 'react';
import '@/annotation/annotation.css';
import type { LabelAppearance } from '@/annotation/drawing/label-style';

export function LabelTag({ label }: { readonly label: LabelAppearance }): ReactNode {
  return (
    <span className="ann-label-tag" style={{ background: label.style.bar, color: label.style.onBar }}>
      {label.tag}
    </span>
  );
}

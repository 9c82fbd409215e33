/** In narrow windows a picker lies at the lower edge, with the words it is for; the text scrolls so that they stay in sight. */
import { useLayoutEffect, useRef } from 'react';
import type { ReactNode, RefObject } from 'react';
import { createPortal } from 'react-dom';
import { X } from 'lucide-react';
import { useAnnotationStrings } from '@/annotation/strings';

const MARGIN = 24;

interface BottomPickerProps {
  /** Words that the picker is about. */
  readonly words: string;
  readonly scroller: RefObject<HTMLElement | null>;
  /** The boxes of these words, lowest last. */
  readonly boxes: () => readonly DOMRect[];
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function BottomPicker({ words, scroller, boxes, onClose, children }: BottomPickerProps): ReactNode {
  const strings = useAnnotationStrings();
  const own = useRef<HTMLDivElement>(null);
  const latest = useRef(boxes);
  useLayoutEffect(() => {
    latest.current = boxes;
  });
  useLayoutEffect(() => {
    const lowest = latest.current().at(-1)?.bottom;
    const top = own.current?.getBoundingClientRect().top;
    if (lowest !== undefined && top !== undefined && lowest + MARGIN > top) scroller.current?.scrollBy?.({ top: lowest + MARGIN - top });
  }, [words, scroller]);
  return createPortal(
    <div
      ref={own}
      className="ann-bottom"
      role="dialog"
      aria-label={strings.labels}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <div className="ann-bottom-head">
        <strong>{words}</strong>
        <button type="button" className="ann-icon-button" aria-label={strings.close} onClick={onClose}>
          <X size={16} strokeWidth={1.75} aria-hidden />
        </button>
      </div>
      {children}
    </div>,
    document.body,
  );
}

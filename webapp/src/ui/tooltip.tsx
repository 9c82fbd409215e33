import {
  cloneElement,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type SyntheticEvent,
} from 'react';
import { createPortal } from 'react-dom';
import { KeyCap } from './badge';
import styles from './ui.module.css';

/**
 * C-007: the three open delays, milliseconds. `slow`: the complete version of a truncated text; `slowest`: details about visible content.
 */
export const TOOLTIP_DELAYS = { normal: 200, slow: 500, slowest: 600 } as const;

/** Between the element and its tooltip, and to the edges of the window. */
const GAP = 8;

export interface TooltipProps {
  readonly title: ReactNode;
  readonly detail?: ReactNode;
  readonly keyCap?: string;
  readonly delay?: keyof typeof TOOLTIP_DELAYS;
  readonly children: ReactElement;
}

interface ChildProps {
  readonly onMouseOver?: (event: MouseEvent) => void;
  readonly onMouseLeave?: (event: MouseEvent) => void;
  readonly onMouseDown?: (event: MouseEvent) => void;
  readonly onFocus?: (event: FocusEvent) => void;
  readonly onBlur?: (event: FocusEvent) => void;
  readonly 'aria-describedby'?: string;
}

/** Below the element where there is room, else above it, within the window. */
function TooltipBox({ anchor, id, children }: { readonly anchor: Element; readonly id: string; readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const around = anchor.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = element;
    const left = around.left + (around.width - width) / 2;
    const below = around.bottom + GAP;
    const top = below + height > window.innerHeight - GAP ? around.top - GAP - height : below;
    element.style.left = `${String(Math.max(GAP, Math.min(left, window.innerWidth - width - GAP)))}px`;
    element.style.top = `${String(Math.max(GAP, top))}px`;
  });
  return createPortal(
    <div ref={box} id={id} role="tooltip" className={styles['tooltip']}>
      {children}
    </div>,
    document.body,
  );
}

/** Opens after a delay; closes with Escape, scrolling, a click, or when the pointer or the focus leaves. */
function useTooltipAnchor(wait: number) {
  const [anchor, setAnchor] = useState<Element | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hide = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    setAnchor(null);
  }, []);
  const show = useCallback(
    (element: Element) => {
      // The pointer moves over the children: the delay counts from its arrival.
      timer.current ??= setTimeout(() => setAnchor(element), wait);
    },
    [wait],
  );
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (anchor === null) return undefined;
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') hide();
    };
    window.addEventListener('keydown', onKey);
    window.addEventListener('scroll', hide, true);
    return () => {
      window.removeEventListener('keydown', onKey);
      window.removeEventListener('scroll', hide, true);
    };
  }, [anchor, hide]);
  return { anchor, show, hide };
}

const canHover = () => !window.matchMedia('(hover: none)').matches;

/** Never the only source of information: its text is also in a name or elsewhere on the page. */
export function Tooltip({ title, detail, keyCap, delay = 'normal', children }: TooltipProps) {
  const id = useId();
  const { anchor, show, hide } = useTooltipAnchor(TOOLTIP_DELAYS[delay]);
  const own = children.props as ChildProps;
  const open = anchor !== null && title !== '';
  const chained =
    <E extends SyntheticEvent>(given: ((event: E) => void) | undefined, act: (event: E) => void) =>
    (event: E) => {
      given?.(event);
      act(event);
    };
  const trigger: ChildProps = {
    onMouseOver: chained(own.onMouseOver, ({ currentTarget }) => {
      if (canHover()) show(currentTarget);
    }),
    onMouseLeave: chained(own.onMouseLeave, hide),
    onMouseDown: chained(own.onMouseDown, hide),
    onFocus: chained(own.onFocus, ({ currentTarget, target }) => {
      if (target.matches(':focus-visible')) show(currentTarget);
    }),
    onBlur: chained(own.onBlur, hide),
    ...(open && { 'aria-describedby': [own['aria-describedby'], id].filter(Boolean).join(' ') }),
  };
  return (
    <>
      {cloneElement(children, trigger)}
      {open && (
        <TooltipBox anchor={anchor} id={id}>
          {title}
          {keyCap !== undefined && <KeyCap inButton>{keyCap}</KeyCap>}
          {detail !== undefined && detail !== null && <div>{detail}</div>}
        </TooltipBox>
      )}
    </>
  );
}

/**
 * Keeps the keyboard focus inside the page. When the focused element is removed or disabled, the focus moves to its replacement, else to a
 * neighbour, else to the previously focused element. On another page it moves to the page itself, and to the corresponding element once
 * that is drawn.
 */

interface Step {
  readonly element: Element;
  readonly next: Element | null;
  readonly previous: Element | null;
}

/** A focus position: the element, then its ancestors outwards. */
interface Trail {
  readonly steps: readonly Step[];
  readonly page: Element | null;
}

/** Elements with the same key correspond to each other across pages, such as the text of a document. */
const KEY = 'data-focus-key';
const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex]:not([tabindex="-1"])';
/** Neighbours are only searched within one of these parts. */
const PART = 'main, aside, nav, header, footer, form, section, ul, ol, fieldset, [role="dialog"], [role="toolbar"], [role="group"]';
const REMEMBERED = 6;
/** How long a page may take to draw the corresponding element, in ms. */
const PATIENCE = 5000;
/** How long a disabled button may be busy before the focus leaves it, in ms. */
const BUSY = 500;

const pageOf = (): HTMLElement | null => document.getElementById('main');
const isFocusLost = (): boolean => {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || activeElement.matches(':disabled');
};
const isUsableElement = (element: Element): boolean =>
  element.isConnected && !element.matches(':disabled') && element.checkVisibility?.() !== false;

function focusTrailOf(target: Element): Trail {
  const steps: Step[] = [];
  for (let at: Element | null = target; at !== null && at !== document.body; at = at.parentElement)
    steps.push({ element: at, next: at.nextElementSibling, previous: at.previousElementSibling });
  return { steps, page: pageOf() };
}

const focusablesOf = (element: Element): readonly HTMLElement[] =>
  [...(element.matches(FOCUSABLE) ? [element] : []), ...element.querySelectorAll(FOCUSABLE)].filter(
    (one): one is HTMLElement => one instanceof HTMLElement && isUsableElement(one),
  );

/** The same element after a new render. */
function redrawnElement({ steps }: Trail): HTMLElement | undefined {
  const lost = steps[0]?.element;
  const key = lost?.getAttribute(KEY);
  const name = lost?.getAttribute('aria-label');
  if (lost === undefined || (!key && !name)) return undefined;
  const selector = key ? `[${KEY}="${CSS.escape(key)}"]` : `${lost.tagName}[aria-label="${CSS.escape(name ?? '')}"]`;
  return [...document.querySelectorAll<HTMLElement>(selector)].find((one) => one.matches(FOCUSABLE) && isUsableElement(one));
}

/** In the same part: the next element, the previous one, else any. */
function neighbourOf({ steps }: Trail): HTMLElement | undefined {
  for (let at = 1; at < steps.length; at += 1) {
    const [inner, outer] = [steps[at - 1], steps[at]];
    if (inner === undefined || outer === undefined) return undefined;
    if (outer.element.isConnected) {
      const adjacentOf = ({ next, previous }: Step) => [
        next?.parentElement === outer.element ? focusablesOf(next)[0] : undefined,
        previous?.parentElement === outer.element ? focusablesOf(previous).at(-1) : undefined,
      ];
      const found = [...adjacentOf(inner), focusablesOf(outer.element)[0]].find((one) => one !== undefined);
      if (found !== undefined) return found;
    }
    if (outer.element.matches(PART)) return undefined;
  }
  return undefined;
}

/** The page has no accessible name, so it gets the page title. */
function focusPage(): boolean {
  const page = pageOf();
  if (page === null) return false;
  const title = document.title.split(' - ').slice(1).join(' - ');
  if (title !== '') page.setAttribute('aria-label', title);
  page.focus({ preventScroll: true });
  return true;
}

/** Starts keeping the focus; returns the function that stops it. */
export function keepFocus(): () => void {
  let trails: readonly Trail[] = [];
  // The element of the previous page that the new one has not drawn yet.
  let awaited: { readonly trail: Trail; readonly until: number } | undefined;
  let moving = false;
  let waiting = 0;
  let busy = 0;
  // The key that removed the element is still down: its repetitions must not reach the newly focused element.
  let moved = false;

  const move = (act: () => void): void => {
    moving = true;
    act();
    moving = false;
    moved = true;
  };

  const place = (lost: Trail): void => {
    const twin = redrawnElement(lost);
    const elsewhere = lost.page !== pageOf();
    if (twin === undefined && elsewhere) awaited = { trail: lost, until: Date.now() + PATIENCE };
    if (twin === undefined && elsewhere && focusPage()) return;
    const before = trails.slice(1).find(({ steps }) => steps[0] !== undefined && isUsableElement(steps[0].element))?.steps[0]?.element;
    const target = twin ?? neighbourOf(lost) ?? (before instanceof HTMLElement ? before : undefined);
    if (target === undefined) focusPage();
    else target.focus({ preventScroll: true });
  };

  const look = (): void => {
    waiting = 0;
    const [lost] = trails;
    const element = lost?.steps[0]?.element;
    if (awaited !== undefined && Date.now() < awaited.until && (isFocusLost() || document.activeElement === pageOf())) {
      const twin = redrawnElement(awaited.trail);
      if (twin !== undefined) {
        awaited = undefined;
        return move(() => twin.focus({ preventScroll: true }));
      }
    }
    if (lost === undefined || element === undefined || !isFocusLost()) return;
    if (element.matches(':disabled') && element.isConnected) {
      busy = window.setTimeout(() => {
        if (isFocusLost() && element.isConnected)
          move(() => (element.matches(':disabled') ? place(lost) : (element as HTMLElement).focus()));
      }, BUSY);
    } else if (!isUsableElement(element)) move(() => place(lost));
  };

  const press = (event: KeyboardEvent): void => {
    if (!event.repeat) moved = false;
    else if (moved && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };

  const remember = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element) || target === document.body) return;
    if (!moving) awaited = undefined;
    window.clearTimeout(busy);
    trails = [focusTrailOf(target), ...trails.filter(({ steps }) => steps[0]?.element !== target)].slice(0, REMEMBERED);
  };

  const observer = new MutationObserver(() => {
    if (waiting === 0 && (awaited !== undefined || isFocusLost())) waiting = window.setTimeout(look, 0);
  });
  document.addEventListener('focusin', remember);
  document.addEventListener('keydown', press, true);
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
  return () => {
    window.clearTimeout(waiting);
    window.clearTimeout(busy);
    document.removeEventListener('keydown', press, true);
    document.removeEventListener('focusin', remember);
    observer.disconnect();
  };
}

/** Page of the bench and of the selection check: renders the case named by `?case=` with the real surface and theme functions. */
import '@fontsource-variable/inter';
import { useEffect, useMemo, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { computeColourRoles, cssVariables } from '../src/theme/colour-roles';
import { labelColours } from '../src/theme/label-colours';
import { FONT, MONO } from '../src/theme/tokens';
import '../src/theme/global.css';
import { AnnotationSurface } from '../src/annotation/surface/surface';
import type { SurfaceHandle } from '../src/annotation/surface/surface-types';
import { AppearanceContext } from '../src/annotation/drawing/label-style';
import type { Appearance } from '../src/annotation/drawing/label-style';
import { LabelPicker } from '../src/annotation/labels/label-picker';
import type { Span, TextRange } from '../src/annotation/model';
import type { SelectionExtension } from '../src/text/extend-selection';
import { benchCase, LABELS } from './cases';

const query = new URLSearchParams(window.location.search);
const mode = query.get('mode') === 'dark' ? 'dark' : 'light';
const given = benchCase(query.get('case') ?? 'picture', query);

for (const [name, value] of Object.entries(cssVariables(computeColourRoles(mode, { primary: '#1976D2', secondary: '#EEEEEE' })))) {
  document.documentElement.style.setProperty(name, value);
}
document.documentElement.style.setProperty('--font', FONT);
document.documentElement.style.setProperty('--mono', MONO);

declare global {
  interface Window {
    bench: {
      text: string;
      selection: TextRange | undefined;
      painted: number;
      handle: SurfaceHandle | null;
      renders: number;
      spans: readonly Span[];
      draw: () => void;
    };
  }
}
window.bench = { text: given.text, selection: undefined, painted: 0, handle: null, renders: 0, spans: given.spans, draw: () => undefined };

const appearance: Appearance = {
  labels: new Map(
    LABELS.map(([name, label, tag, colour, hotkey]) => [name, { name, label, tag, hotkey, style: labelColours(colour, mode) }]),
  ),
  readingSize: Number(query.get('size') ?? 15),
  tags: 'always',
  reinforced: query.has('reinforced'),
};

const countRender = (): void => {
  window.bench.renders += 1;
};

function Page() {
  const [spans, setSpans] = useState<readonly Span[]>(given.spans);
  const [focusedId, setFocused] = useState<string | undefined>(given.focusedId);
  useEffect(() => {
    window.bench.spans = spans;
  }, [spans]);
  const handle = useRef<SurfaceHandle>(null);
  const add = (label: string, range: TextRange): void => {
    setSpans((known) => [...known, { id: `new${String(known.length)}`, ...range, label, status: 'confirmed', creationMode: 'manual' }]);
  };
  const labels = useMemo(() => [...appearance.labels.values()], []);
  return (
    <AppearanceContext value={appearance}>
      <div style={{ height: '100vh', width: Number(query.get('width') ?? 927) }}>
        <AnnotationSurface
          ref={(value) => {
            handle.current = value;
            window.bench.handle = value;
          }}
          text={given.text}
          segments={given.segments}
          spans={spans}
          hits={given.hits}
          categories={given.categories}
          alternate={query.has('alternate')}
          extension={(query.get('extension') ?? 'none') as SelectionExtension}
          focusedId={focusedId}
          onFocusSpan={setFocused}
          onSelection={(range) => (window.bench.selection = range)}
          onLabel={(label, target) => {
            if (target.kind === 'selection') add(label, { start: target.start, end: target.end });
            else setSpans((known) => known.map((span) => (span.id === target.id ? { ...span, label } : span)));
          }}
          onAccept={(id) => setSpans((known) => known.map((span) => (span.id === id ? { ...span, status: 'confirmed' } : span)))}
          onReject={(id) => setSpans((known) => known.map((span) => (span.id === id ? { ...span, status: 'rejected' } : span)))}
          onResize={(id, range) => setSpans((known) => known.map((span) => (span.id === id ? { ...span, ...range } : span)))}
          onRemove={(id) => setSpans((known) => known.filter((span) => span.id !== id))}
          onRowRender={countRender}
          header={given.title && <h1 style={{ fontSize: 20, lineHeight: '28px', margin: '16px 0 8px' }}>{given.title}</h1>}
          renderPicker={
            query.has('nopicker')
              ? undefined
              : ({ query: typed, pick, close }) => (
                  <LabelPicker labels={labels} likely={['ORG']} initialQuery={typed} onPick={pick} onClose={close} />
                )
          }
        />
      </div>
    </AppearanceContext>
  );
}

const root = document.getElementById('root');

/** Renders the case. With `wait` the bench starts the rendering, so that loading the page is not measured. */
function draw(): void {
  if (root === null) return;
  const start = performance.now();
  createRoot(root).render(<Page />);
  requestAnimationFrame(function wait() {
    if (document.querySelector('.ann-text') === null) return void requestAnimationFrame(wait);
    requestAnimationFrame(() => (window.bench.painted = performance.now() - start));
  });
}
window.bench.draw = draw;
if (!query.has('wait')) draw();

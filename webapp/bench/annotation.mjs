/**
 * Bench of the annotation surface: `node bench/annotation.mjs [--shots folder]`.
 * Prints first paint, act-to-paint (Shift+arrow, label key), DOM size, frames per second while scrolling; 18 % of the spans are nested, 12 % cross.
 * Goals at 5,000 spans: first paint 150 ms after the data are there, act to paint 16 ms, 60 fps, and a DOM that does not grow with the document.
 */
import { openBench } from './server.mjs';

const SIZES = [
  { chars: 100_000, spans: 500 },
  { chars: 1_000_000, spans: 5_000 },
  { chars: 1_000_000, spans: 50_000 },
];

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function measure(bench, { chars, spans }) {
  const page = await bench.browser.newPage({ viewport: { width: 1000, height: 800 } });
  await page.goto(bench.url({ case: 'large', chars, spans, nopicker: '1' }));
  await page.waitForFunction(() => window.bench?.painted > 0);
  const result = await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const root = document.querySelector('.ann-root');
    const press = (key, shiftKey = false) =>
      root.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }));
    // Time from the key to the end of the style, layout and script work that it caused (the paint follows at the next frame).
    const act = async (key, shift) => {
      await frame();
      const start = performance.now();
      press(key, shift);
      await Promise.resolve();
      await new Promise((done) => setTimeout(done));
      void root.offsetHeight;
      return performance.now() - start;
    };
    root.focus();
    const select = [];
    const annotate = [];
    const renders = [];
    press('ArrowRight');
    for (let n = 0; n < 15; n += 1) {
      await act('ArrowRight');
      select.push(await act('ArrowRight', true));
      const before = window.bench.renders;
      annotate.push(await act('1'));
      renders.push(window.bench.renders - before);
    }
    const tab = [];
    for (let n = 0; n < 10; n += 1) tab.push(await act('Tab'));
    const scroller = document.querySelector('.ann-scroller');
    const start = performance.now();
    let frames = 0;
    while (performance.now() - start < 2000) {
      scroller.scrollTop += 60;
      await frame();
      frames += 1;
    }
    const jumpStart = performance.now();
    scroller.scrollTop = scroller.scrollHeight / 2;
    await frame();
    await frame();
    const jump = performance.now() - jumpStart;
    await frame();
    const blank = document.querySelectorAll('.ann-text').length === 0;
    return {
      paint: window.bench.painted,
      select,
      annotate,
      tab,
      renders,
      fps: frames / 2,
      jump,
      blank,
      elements: document.querySelectorAll('.ann-surface *').length,
    };
  });
  await page.close();
  return result;
}

async function shots(bench, folder) {
  const views = [
    ['picture-light', { case: 'picture' }],
    ['picture-dark', { case: 'picture', mode: 'dark' }],
    ['rtl-light', { case: 'rtl' }],
    ['rtl-dark', { case: 'rtl', mode: 'dark' }],
    ['alternate', { case: 'picture', alternate: '1', reinforced: '1' }],
    ['large', { case: 'large', chars: 20000, spans: 400 }],
  ];
  for (const [name, query] of views) {
    const page = await bench.browser.newPage({ viewport: { width: 960, height: 800 } });
    await page.goto(bench.url(query));
    await page.waitForFunction(() => window.bench?.painted > 0);
    await page.waitForTimeout(200);
    await page.screenshot({ path: `${folder}/${name}.png` });
    await page.close();
  }
}

const bench = await openBench();
try {
  const at = process.argv.indexOf('--shots');
  if (at > 0) await shots(bench, process.argv[at + 1]);
  else {
    for (const size of SIZES) {
      const { paint, select, annotate, tab, renders, fps, jump, elements, blank } = await measure(bench, size);
      console.info(
        `${size.chars / 1000} kB, ${size.spans} spans: first paint ${paint.toFixed(0)} ms, select ${median(select).toFixed(1)} ms, ` +
          `annotate ${median(annotate).toFixed(1)} ms (${median(renders)} rows rendered), next span ${median(tab).toFixed(1)} ms, ` +
          `scroll ${fps.toFixed(0)} fps, jump ${jump.toFixed(0)} ms, ${elements} elements${blank ? ', BLANK after the jump' : ''}`,
      );
    }
  }
} finally {
  await bench.close();
}

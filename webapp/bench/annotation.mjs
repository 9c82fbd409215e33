/**
 * Bench of the annotation surface: `node bench/annotation.mjs [--shots folder]`; 18 % of the spans are nested, 12 % cross.
 * Prints the CPU time of the page's main thread for script, style, layout and paint, which does not depend on other load of the machine:
 * from the data to the first paint, from a key to its paint (Shift+arrow, label key, Tab), per frame while scrolling; and the size of the
 * DOM. Goals at 5,000 spans: 150 ms to the first paint, 16 ms from an edit to its paint (also at 50,000 spans), 16 ms per frame, and a DOM
 * size independent of the document.
 */
import { openBench } from './server.mjs';

const SIZES = [
  { chars: 100_000, spans: 500 },
  { chars: 1_000_000, spans: 5_000 },
  { chars: 1_000_000, spans: 50_000 },
];
const PAINTS = 5;
const ACTS = 15;

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Returns a function that measures work in CPU time of the main thread, milliseconds. */
async function clockOf(page) {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () => {
    const { metrics } = await protocol.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
  };
  return async (work) => {
    const before = await read();
    await work();
    return (await read()) - before;
  };
}

async function openCase(bench, size) {
  const page = await bench.browser.newPage({ viewport: { width: 1000, height: 800 } });
  await page.goto(bench.url({ case: 'large', ...size, nopicker: '1', wait: '1' }));
  await page.waitForFunction(() => document.fonts.status === 'loaded' && window.bench?.text !== '');
  return { page, count: await clockOf(page) };
}

const nextPaint = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));

async function draw(page) {
  await page.evaluate(() => window.bench.draw());
  await page.waitForFunction(() => window.bench.painted > 0, undefined, { polling: 20 });
}

async function firstPaints(bench, size) {
  const times = [];
  for (let n = 0; n < PAINTS; n += 1) {
    const { page, count } = await openCase(bench, size);
    times.push(await count(() => draw(page)));
    await page.close();
  }
  return times;
}

async function measure(bench, size) {
  const paint = median(await firstPaints(bench, size));
  const { page, count } = await openCase(bench, size);
  await draw(page);
  const press = (key, shiftKey = false) =>
    page.evaluate(
      ([pressed, shift]) => {
        const root = document.querySelector('.ann-root');
        root.focus({ preventScroll: true });
        root.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, shiftKey: shift, bubbles: true, cancelable: true }));
        return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      },
      [key, shiftKey],
    );
  const times = { select: [], annotate: [], tab: [] };
  const renders = [];
  await press('ArrowRight');
  for (let n = 0; n < ACTS; n += 1) {
    await press('ArrowRight');
    times.select.push(await count(() => press('ArrowRight', true)));
    const before = await page.evaluate(() => window.bench.renders);
    times.annotate.push(await count(() => press('1')));
    renders.push((await page.evaluate(() => window.bench.renders)) - before);
  }
  for (let n = 0; n < ACTS; n += 1) times.tab.push(await count(() => press('Tab')));
  const scroll = [];
  for (let n = 0; n < 60; n += 1) {
    const step = () =>
      page.evaluate(() => {
        document.querySelector('.ann-scroller').scrollTop += 60;
        return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      });
    scroll.push(await count(step));
  }
  const jump = await count(async () => {
    await page.evaluate(() => {
      const scroller = document.querySelector('.ann-scroller');
      scroller.scrollTop = scroller.scrollHeight / 2;
    });
    await nextPaint(page);
    await nextPaint(page);
  });
  const blank = await page.evaluate(() => document.querySelectorAll('.ann-text').length === 0);
  const elements = await page.evaluate(() => document.querySelectorAll('.ann-surface *').length);
  await page.close();
  return { paint, ...times, scroll, jump, renders, blank, elements };
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
      const { paint, select, annotate, tab, renders, scroll, jump, elements, blank } = await measure(bench, size);
      console.info(
        `${size.chars / 1000} kB, ${size.spans} spans: first paint ${paint.toFixed(0)} ms, select ${median(select).toFixed(1)} ms, ` +
          `annotate ${median(annotate).toFixed(1)} ms (${median(renders)} rows rendered), next span ${median(tab).toFixed(1)} ms, ` +
          `scroll ${median(scroll).toFixed(1)} ms a frame, jump ${jump.toFixed(0)} ms, ${elements} elements` +
          (blank ? ', BLANK after the jump' : ''),
      );
    }
  }
} finally {
  await bench.close();
}

/**
 * Real mouse and keyboard selections in Chromium on hard texts: the selected text must equal the slice of the model, on grapheme boundaries.
 * `node bench/selection-check.mjs`; exits 1 on a mismatch.
 */
import { openBench } from './server.mjs';

const TEXTS = {
  zwj: 'My family 👨‍👩‍👧‍👦 went home 👍🏽 early, 👩🏿‍🚒 said so.',
  flags: 'From 🇫🇷 to 🇩🇪 and 🇯🇵🇧🇷 by train.',
  combining: 'Cafe\u0301 re\u0301sume\u0301 Z\u0335\u0334algo n\u0303andu\u0301 end.',
  arabic: 'بدأ مجلس المدينة في القاهرة جلسته يوم الثلاثاء بحضور أحمد زكي.',
  vowels: 'بِسْمِ اللَّهِ الرَّحْمَنِ الرَّحِيمِ كتابٌ',
  hebrew: 'שלום לעולם English words כאן ועוד 123 מילים.',
  mixed: 'The word שלום means peace and سلام too.',
  hindi: 'नमस्ते दुनिया, यह क्षेत्र बहुत सुंदर है।',
  thai: 'สวัสดีชาวโลก วันนี้อากาศดีมาก น้ำใส',
  chinese: '市议会星期二投票决定修建一座活动闸门。价格三亿。',
  crlf: 'First line here.\r\nSecond line follows.\r\n\r\nFourth line ends.\r\n',
  tabs: 'name\tvalue\tunit\n\tindented line\twith tabs',
  zerowidth: 'zero\u200bwidth and no\u2060break and می\u200cخواهم \u200fmark\u200e ends',
  astral: '𝒜𝓁𝓅𝒽𝒶 and 𝔹𝕖𝕥𝕒 in 𐍈𐌹 script.',
};

const boundariesOf = (text) => new Set([0, text.length, ...Array.from(new Intl.Segmenter().segment(text), ({ index }) => index)]);

/** Window coordinates of the left and right edge of a range, measured by the browser. */
function edgesOf(page, from, to) {
  return page.evaluate(
    ([start, end]) => {
      const place = (offset) => {
        for (const block of document.querySelectorAll('[data-start]')) {
          let at = Number(block.dataset.start);
          const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            if (offset < at + node.length) return { node, offset: offset - at };
            at += node.length;
          }
        }
        return null;
      };
      // The middle of the first half of the first character and of the second half of the last: unambiguous for the caret.
      const box = (offset, length) => {
        const spot = place(offset);
        if (spot === null) return null;
        const range = document.createRange();
        range.setStart(spot.node, spot.offset);
        range.setEnd(spot.node, Math.min(spot.node.length, spot.offset + length));
        const { left, right, top, bottom } = range.getBoundingClientRect();
        return { left, right, y: (top + bottom) / 2, rtl: getComputedStyle(spot.node.parentElement).direction };
      };
      return [box(start[0], start[1]), box(end[0], end[1])];
    },
    [from, to],
  );
}

const isRtl = (sign) => /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(sign);
const nearStart = (box, sign) => (isRtl(sign) ? box.right - (box.right - box.left) * 0.2 : box.left + (box.right - box.left) * 0.2);
const nearEnd = (box, sign) => (isRtl(sign) ? box.left + (box.right - box.left) * 0.2 : box.right - (box.right - box.left) * 0.2);

async function dragChecks(page, text) {
  const signs = Array.from(new Intl.Segmenter().segment(text), ({ segment, index }) => ({ segment, index })).filter(({ segment }) =>
    /[\p{L}\p{N}\p{So}\p{Extended_Pictographic}\p{RI}]/u.test(segment),
  );
  const pairs = [
    [1, Math.floor(signs.length / 3)],
    [Math.floor(signs.length / 4), Math.floor(signs.length / 2)],
    [Math.floor(signs.length / 2), signs.length - 2],
    [2, signs.length - 1],
    [5, 7],
  ];
  const problems = [];
  for (const [a, b] of pairs) {
    const first = signs[a];
    const last = signs[b];
    const [from, to] = await edgesOf(page, [first.index, first.segment.length], [last.index, last.segment.length]);
    await page.evaluate(() => window.bench.handle.clearSelection());
    await page.mouse.move(nearStart(from, first.segment), from.y);
    await page.mouse.down();
    await page.mouse.move((from.left + to.left) / 2, (from.y + to.y) / 2, { steps: 3 });
    await page.mouse.move(nearEnd(to, last.segment), to.y);
    await page.mouse.up();
    await page.waitForTimeout(30);
    const expected = text.slice(first.index, last.index + last.segment.length);
    problems.push(...(await compare(page, text, expected)));
  }
  return problems;
}

async function compare(page, text, expected) {
  const { range, drawn } = await page.evaluate(() => ({
    range: window.bench.selection ?? null,
    drawn: [...document.querySelectorAll('[data-selected]')].map((element) => element.textContent).join(''),
  }));
  const got = range === null ? null : text.slice(range.start, range.end);
  const problems = [];
  if (got !== expected) problems.push(`selected ${JSON.stringify(got)} instead of ${JSON.stringify(expected)}`);
  if (drawn !== got) problems.push(`painted ${JSON.stringify(drawn)} for ${JSON.stringify(got)}`);
  if (range && !(boundariesOf(text).has(range.start) && boundariesOf(text).has(range.end)))
    problems.push(`cut inside a grapheme at ${range.start}-${range.end}`);
  return problems;
}

async function textChecks(page, text) {
  const shown = await page.evaluate(() => [...document.querySelectorAll('[data-start]')].map((block) => block.textContent).join(''));
  return shown === text ? [] : [`the text nodes give ${JSON.stringify(shown)}`];
}

async function keyboardChecks(page, text) {
  await page.evaluate(() => window.bench.handle.clearSelection());
  await page.focus('.ann-root');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Control+Home');
  const rtl = (await page.getAttribute('.ann-root', 'dir')) === 'rtl';
  const forward = rtl ? 'ArrowLeft' : 'ArrowRight';
  for (let n = 0; n < 2; n += 1) await page.keyboard.press(`Shift+${forward}`);
  const words = Array.from(new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)).filter(
    ({ segment }) => segment.trim() !== '',
  );
  const expected = text.slice(words[0].index, words[2].index + words[2].segment.length);
  return compare(page, text, expected);
}

/** Copies with the keyboard; the clipboard must contain the model's text, including line ends. */
async function copyChecks(page, text) {
  await page.evaluate(() => {
    window.copied = undefined;
    document.addEventListener('copy', (event) => (window.copied = event.clipboardData.getData('text/plain')), { once: true });
  });
  await page.keyboard.press('Control+c');
  const { copied, range } = await page.evaluate(() => ({ copied: window.copied, range: window.bench.selection }));
  return copied === text.slice(range.start, range.end) ? [] : [`copied ${JSON.stringify(copied)}`];
}

/** Drags over thousands of characters while the wheel scrolls: rows are mounted and unmounted, the offsets must stay right. */
async function scrollCheck(page) {
  const from = await page.evaluate(() => {
    const box = document.querySelector('[data-start]').getBoundingClientRect();
    return { x: box.left + 60, y: box.top + 18 };
  });
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let n = 0; n < 12; n += 1) {
    await page.mouse.move(from.x + 40 + n, 400);
    await page.mouse.wheel(0, 500);
    await page.waitForTimeout(30);
  }
  await page.mouse.move(from.x + 200, 500);
  await page.waitForTimeout(60);
  const focus = await page.evaluate(
    ([x, y]) => {
      const { offsetNode, offset } = document.caretPositionFromPoint(x, y);
      const block = offsetNode.parentElement.closest('[data-start]');
      const range = document.createRange();
      range.setStart(block, 0);
      range.setEnd(offsetNode, offset);
      return Number(block.dataset.start) + range.toString().length;
    },
    [from.x + 200, 500],
  );
  await page.mouse.up();
  await page.waitForTimeout(50);
  const range = await page.evaluate(() => window.bench.selection);
  const problems = [];
  if (!range || range.start > 100) problems.push(`the anchor was lost: ${JSON.stringify(range)}`);
  if (!range || Math.abs(range.end - focus) > 1) problems.push(`ends at ${range?.end}, the pointer is at ${focus}`);
  if (range && range.end - range.start < 4000) problems.push(`only ${range.end - range.start} characters`);
  return problems;
}

/** Marks must not move letters: words have the same positions with and without spans. */
async function stillCheck(page, bench) {
  const widths = async (query) => {
    await page.goto(bench.url(query));
    await page.waitForFunction(() => window.bench?.painted > 0);
    await page.waitForTimeout(150);
    return page.evaluate(() => {
      const places = [];
      for (const block of document.querySelectorAll('[data-start]')) {
        const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          for (let at = 0; at < node.length; at += 1) {
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + 1);
            if (node.data[at].trim() !== '')
              places.push([node.data[at], range.getBoundingClientRect().left, node.data.slice(Math.max(0, at - 8), at + 8)]);
          }
        }
      }
      return places;
    });
  };
  const problems = [];
  for (const name of ['picture', 'rtl']) {
    const marked = await widths({ case: name });
    const plain = await widths({ case: 'plain', of: name });
    const moved = marked.filter(([, left], n) => Math.abs(left - plain[n][1]) > 0.5);
    if (moved.length > 0 || marked.length !== plain.length) {
      const first = marked.findIndex(([, left], n) => Math.abs(left - plain[n][1]) > 0.5);
      problems.push(`${name}: ${moved.length} of ${marked.length} letters moved, first ${JSON.stringify([marked[first], plain[first]])}`);
    }
  }
  return problems;
}

const bench = await openBench();
let failures = 0;
const report = (name, problems) => {
  failures += problems.length;
  console.info(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name}${problems.map((problem) => `\n       ${problem}`).join('')}`);
};
try {
  const page = await bench.browser.newPage({ viewport: { width: 1000, height: 800 } });
  page.on('pageerror', (error) => report('page', [String(error)]));
  for (const [name, text] of Object.entries(TEXTS)) {
    await page.goto(bench.url({ case: 'text', text, nopicker: '1' }));
    await page.waitForFunction(() => window.bench?.painted > 0);
    report(`${name}: text nodes`, await textChecks(page, text));
    report(`${name}: drag`, await dragChecks(page, text));
    report(`${name}: keyboard`, await keyboardChecks(page, text));
    report(`${name}: copy`, await copyChecks(page, text));
  }
  await page.goto(bench.url({ case: 'large', chars: 60000, spans: 800, nopicker: '1' }));
  await page.waitForFunction(() => window.bench?.painted > 0);
  report('drag while scrolling', await scrollCheck(page));
  report('no word moves sideways', await stillCheck(page, bench));
} finally {
  await bench.close();
}
console.info(failures === 0 ? 'all selections equal the model' : `${failures} mismatches`);
process.exitCode = failures === 0 ? 0 : 1;

/**
 * Fetches each region that may change by itself, alone, while the page is looked at: every 3 s after a change, and up to
 * every 30 s while nothing changes. Without this file a page offers to be loaded again.
 */
const shortestMs = 3_000;
const longestMs = 30_000;
const slower = 1.5;

/** @typedef {{ name: string, etag: string, seen: string, waitMs: number, timer: number }} Watch */

const bar = document.getElementById('live');
/** @type {Map<string, Watch>} */
const watches = new Map();
let isPaused = false;
let updated = new Date();

const policy = /** @type {any} */ (window).trustedTypes?.createPolicy('console', {
  // Our own origin alone is parsed, and never run: the parser makes a document without scripts.
  createHTML: (/** @type {string} */ html) => html,
}) ?? { createHTML: (/** @type {string} */ html) => html };

/** @param {string} name @returns {HTMLElement | null} */
const findRegion = (name) => document.querySelector(`section[data-region="${CSS.escape(name)}"]`);

/** @param {Watch} watch */
function plan(watch) {
  clearTimeout(watch.timer);
  if (isPaused || document.hidden) return;
  watch.timer = window.setTimeout(() => void ask(watch), watch.waitMs);
}

/** @param {Watch} watch */
async function ask(watch) {
  const url = new URL(location.href);
  url.searchParams.set('region', watch.name);
  if (watch.seen) url.searchParams.set('seen', watch.seen);
  const answer = await fetch(url, {
    cache: 'no-store',
    headers: { 'If-None-Match': watch.etag },
  }).catch(() => null);
  if (answer?.status === 401) return end('Your session has ended. Load the page again to sign in.');
  const isNew = answer !== null && (await take(watch, answer));
  watch.waitMs = isNew ? shortestMs : Math.min(watch.waitMs * slower, longestMs);
  showBar();
  if (watches.has(watch.name)) plan(watch);
}

/** @param {Watch} watch @param {Response} answer @returns {Promise<boolean>} whether the region has changed */
async function take(watch, answer) {
  updated = new Date();
  if (answer.status === 304) watch.seen = answer.headers.get('Event-Sequence') ?? watch.seen;
  if (answer.status === 304 || answer.status >= 500 || isBusy(watch.name)) return false;
  watch.etag = answer.headers.get('ETag') ?? '';
  watch.seen = answer.headers.get('Event-Sequence') ?? '';
  if (!replace(watch.name, await answer.text())) watches.delete(watch.name);
  return true;
}

/** Whether somebody types in the region, or has selected a text of it. @param {string} name */
function isBusy(name) {
  const region = findRegion(name);
  const selection = getSelection();
  const isSelected = selection && !selection.isCollapsed && region?.contains(selection.anchorNode);
  return Boolean(isSelected) || Boolean(region?.querySelector('input:focus, textarea:focus, select:focus'));
}

/** Puts the region's new state in its place. @param {string} name @param {string} html @returns {boolean} more may come */
function replace(name, html) {
  const old = findRegion(name);
  const parsed = new DOMParser().parseFromString(policy.createHTML(html), 'text/html');
  const next = parsed.querySelector('section');
  if (!old || !next) return false;
  const links = 'a, button, summary, [tabindex]';
  const focused = [...old.querySelectorAll(links)].indexOf(/** @type {Element} */ (document.activeElement));
  const opened = [...old.querySelectorAll('details')].map(({ open }) => open);
  const scrolled = [...old.querySelectorAll('.scroll')].map(({ scrollLeft }) => scrollLeft);
  for (const [index, details] of next.querySelectorAll('details').entries())
    details.open = opened[index] ?? details.open;
  holdNewRows(old, next);
  old.replaceWith(next);
  callPage(old.dataset['title'], next.dataset['title']);
  for (const [index, place] of next.querySelectorAll('.scroll').entries())
    place.scrollLeft = scrolled[index] ?? 0;
  /** @type {HTMLElement | undefined} */ ([...next.querySelectorAll(links)][focused])?.focus({
    preventScroll: true,
  });
  document.dispatchEvent(new Event('console:changed'));
  return next.dataset['live'] !== undefined;
}

/** The page may be called by what a region shows. @param {string | undefined} was @param {string | undefined} is */
function callPage(was, is) {
  const heading = document.querySelector('h1');
  if (!heading || was === undefined || is === undefined || heading.textContent !== was) return;
  heading.textContent = is;
  document.title = document.title.replace(was, () => is);
}

/** New rows wait behind a button, so that nobody's row moves away under the pointer. @param {Element} old @param {Element} next */
function holdNewRows(old, next) {
  const table = next.querySelector('table[data-grows]');
  const known = new Set(
    [...old.querySelectorAll('tr[data-key]:not([hidden])')].map((row) => row.getAttribute('data-key')),
  );
  if (!table || known.size === 0) return;
  const rows = /** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll('tr[data-key]'));
  const added = [...rows].filter((row) => !known.has(row.dataset['key'] ?? ''));
  if (added.length === 0) return;
  for (const row of added) row.hidden = true;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'plain';
  button.textContent = `${added.length} new ${table.getAttribute('data-grows')}`;
  button.addEventListener('click', () => {
    for (const row of added) {
      row.hidden = false;
      row.classList.add('changed');
    }
    button.remove();
    added[0]?.querySelector('a')?.focus();
  });
  table.before(button);
}

const text = document.createElement('span');
const pause = document.createElement('button');
pause.type = 'button';
pause.className = 'plain';
pause.addEventListener('click', () => {
  isPaused = !isPaused;
  showBar();
  for (const watch of watches.values()) {
    clearTimeout(watch.timer);
    if (!isPaused) void ask(watch);
  }
});

function showBar() {
  const time = updated.toLocaleTimeString(undefined, { timeZone: bar?.dataset['zone'] });
  if (watches.size === 0) return end(`Updated ${time}. Nothing changes here any more.`);
  text.textContent = `${isPaused ? 'paused' : 'live'} · ${time} · `;
  pause.textContent = isPaused ? 'Resume' : 'Pause';
}

/** @param {string} words */
function end(words) {
  for (const { timer } of watches.values()) clearTimeout(timer);
  watches.clear();
  text.textContent = words;
  pause.remove();
}

document.addEventListener('visibilitychange', () => {
  for (const watch of watches.values()) {
    clearTimeout(watch.timer);
    if (!document.hidden && !isPaused) void ask(watch);
  }
});

for (const region of /** @type {NodeListOf<HTMLElement>} */ (
  document.querySelectorAll('section[data-live]')
)) {
  const { region: name = '', etag = '' } = region.dataset;
  watches.set(name, { name, etag, seen: '', waitMs: shortestMs, timer: 0 });
}
if (bar && watches.size > 0) {
  bar.replaceChildren(text, pause);
  showBar();
  for (const watch of watches.values()) plan(watch);
}

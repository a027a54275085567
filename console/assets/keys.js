/** Keys for those who use the console all day. None of them changes anything, and all can be turned off. */
const storageKey = 'keys';
const help = [
  ['/', 'search'],
  ['g, then a letter', 'a screen: o p r w e s a'],
  ['j, k', 'the next row, the one before'],
  ['Enter', 'open the row'],
  ['?', 'this list'],
];

const isOn = () => localStorage.getItem(storageKey) !== 'off';
let isGoing = false;

/** @param {number} step */
function moveRow(step) {
  const rows = /** @type {HTMLElement[]} */ ([
    ...document.querySelectorAll('main tbody tr:not([hidden]) th a'),
  ]);
  const at = rows.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  rows[Math.min(Math.max(at + step, 0), rows.length - 1)]?.focus();
}

/** @param {string} letter */
function goTo(letter) {
  const link = document.querySelector(`.sections a[data-key="${CSS.escape(letter)}"]`);
  if (link instanceof HTMLElement) link.click();
}

/** @type {Record<string, () => void>} */
const keys = {
  '/': () => document.getElementById('q')?.focus(),
  g: () => (isGoing = true),
  j: () => moveRow(1),
  k: () => moveRow(-1),
  '?': () => dialog.showModal(),
};

document.addEventListener('keydown', (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const isTyping = target.matches('input, textarea, select') || target.isContentEditable;
  if (!isOn() || isTyping || dialog.open || event.ctrlKey || event.metaKey || event.altKey) return;
  if (isGoing) {
    isGoing = false;
    goTo(event.key);
    return;
  }
  if (!Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key]?.();
});

/** @param {string} tag @param {(Node | string)[]} children */
function make(tag, ...children) {
  const element = document.createElement(tag);
  element.append(...children);
  return element;
}

function makeDialog() {
  const list = make(
    'dl',
    ...help.flatMap(([key = '', meaning = '']) => [make('dt', make('kbd', key)), make('dd', meaning)]),
  );
  const box = Object.assign(document.createElement('input'), { type: 'checkbox', checked: isOn() });
  box.addEventListener('change', () => localStorage.setItem(storageKey, box.checked ? 'on' : 'off'));
  const close = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Close' });
  const element = /** @type {HTMLDialogElement} */ (
    make('dialog', make('h2', 'Keys'), list, make('p', make('label', box, ' Use these keys')), close)
  );
  element.setAttribute('aria-label', 'Keys');
  close.addEventListener('click', () => element.close());
  document.body.append(element);
  return element;
}

const dialog = makeDialog();
const opener = Object.assign(document.createElement('button'), {
  type: 'button',
  className: 'plain',
  textContent: 'Keys',
});
opener.addEventListener('click', () => dialog.showModal());
document.querySelector('.person')?.append(' ', opener);

/** Puts a button that copies into each place that names a value. Without this file the pages lose nothing else. */
const shownMs = 2_000;

function addButtons() {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.copy:empty'))) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'plain';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      void navigator.clipboard.writeText(place.dataset['copy'] ?? '').then(() => {
        button.textContent = 'Copied';
        setTimeout(() => (button.textContent = 'Copy'), shownMs);
      });
    });
    place.append(button);
  }
}

addButtons();
document.addEventListener('console:changed', addButtons);

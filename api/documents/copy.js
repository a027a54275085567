/* global document, navigator, setTimeout */

/** Adds a button to each block of code that copies it. Without this file the pages lose nothing else. */
for (const block of document.querySelectorAll('figure.block')) {
  const button = document.createElement('button');
  const show = (text, ms) => setTimeout(() => (button.textContent = text), ms);
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', () => {
    const code = block.querySelector('code').textContent;
    void navigator.clipboard.writeText(code).then(() => {
      show('Copied', 0);
      show('Copy', 2_000);
    });
  });
  block.append(button);
}

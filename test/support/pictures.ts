import { join } from 'node:path';
import { launchBrowser } from './stack/outside/browser.ts';

/** Where pictures of pages go, for docs/console.md. (Default: none are taken) */
const folder = process.env['PICTURES'];

/** Takes a picture of a page of the console at `url` that somebody has got. */
export async function takePicture(name: string, url: string, html: string): Promise<void> {
  if (folder === undefined) return;
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1100, height: 300 } });
    // The console gives it the styles alone.
    await page.route(`${url}/picture`, (route) => route.fulfill({ contentType: 'text/html', body: html }));
    await page.goto(`${url}/picture`);
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  } finally {
    await browser.close();
  }
}

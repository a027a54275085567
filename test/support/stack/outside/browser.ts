import { accessSync, constants } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';

/** A real browser, to look at pages with. */

const places = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** @throws an error that says how to get one. */
function findBrowser(): string {
  const found = places.find((path) => path !== undefined && isExecutable(path));
  if (found !== undefined) return found;
  throw new Error(
    'There is no Chromium to look at the pages with: `apt-get install chromium-headless-shell`, or set CHROMIUM to one',
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function launchBrowser(): Promise<Browser> {
  // Chromium refuses its sandbox to root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: findBrowser(), args });
}

/** What went wrong on a page without stopping it. */
export interface PageFaults {
  /** Errors and warnings in the console, refusals of the Content-Security-Policy among them. */
  console: string[];
  /** Requests that went elsewhere, or failed. */
  requests: string[];
}

/** A page that keeps what goes wrong on it; `origin` is where it may ask. */
export async function openPage(
  browser: Browser,
  origin: string,
): Promise<{ page: Page; faults: PageFaults }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const faults: PageFaults = { console: [], requests: [] };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.console.push(message.text());
  });
  page.on('pageerror', (error) => faults.console.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) faults.requests.push(url);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) faults.requests.push(`${response.status()} ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    const failure = request.failure()?.errorText;
    // Whoever leaves a page ends what it still fetches; a second click replaces the navigation of the first.
    if (failure !== 'net::ERR_ABORTED') faults.requests.push(`${failure} ${request.url()}`);
  });
  return { page, faults };
}

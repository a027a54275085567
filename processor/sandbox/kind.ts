import { ProcessorFault, ProcessorKeyError, type ProcessorKind, type ProcessorSettings } from '../port.ts';
import { createSandboxProcessor, sandboxAbilities, sandboxCapabilities } from './adapter.ts';
import { createSandboxNotificationParser } from './notifications.ts';

/** The shortest secret that the sandbox takes. */
const shortestKey = 16;

/** The built-in sandbox as a kind of processor: its key is the secret that it shares with its callers. */
export const sandboxKind: ProcessorKind = {
  kind: 'sandbox',
  capabilities: sandboxCapabilities,
  open: (settings) =>
    createSandboxProcessor({
      url: requireUrl(settings),
      secret: settings.key,
      without: readWithout(settings.options?.['without']),
      keysKnownMs: readMemory(settings.options?.['keys_known_ms']),
    }),
  createParser: (secrets, _settings, now) => createSandboxNotificationParser(secrets, now),
  readKey(key) {
    if (key.length >= shortestKey) return { mode: 'test' };
    throw new ProcessorKeyError(`The secret of a sandbox has at least ${shortestKey} characters`);
  },
  async checkKey(settings) {
    readWithout(settings.options?.['without']);
    readMemory(settings.options?.['keys_known_ms']);
    const url = requireUrl(settings);
    const processor = createSandboxProcessor({ url, secret: settings.key });
    try {
      await processor.describeToken!('tok_visa');
      return { externalAccount: new URL(url).host, mode: 'test' };
    } catch (error) {
      if (error instanceof ProcessorFault && error.misconfigured)
        throw new ProcessorKeyError('The sandbox refuses the secret');
      throw error;
    } finally {
      await processor.close();
    }
  },
};

function requireUrl({ url }: ProcessorSettings): string {
  if (url !== null) return url;
  throw new ProcessorKeyError('A sandbox needs the address that it listens on: name it with --url');
}

/** Reads what this sandbox is not to be able to do, so that its callers meet such a processor. */
function readWithout(text = '') {
  const names = text.split(',').filter((name) => name !== '');
  const known = sandboxAbilities.filter((ability) => names.includes(ability));
  if (known.length === names.length) return known;
  throw new ProcessorKeyError(`The option "without" names abilities: ${sandboxAbilities.join(', ')}`);
}

/** Reads how long this sandbox is to know keys, in milliseconds, so that its callers meet such a processor. */
function readMemory(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new ProcessorKeyError('The option "keys_known_ms" is a number of milliseconds');
}

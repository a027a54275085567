import { once } from 'node:events';
import { startChargeLoad } from '../support/resources/charge-load.ts';

/* Charges and reads at a URL, with a token, until SIGTERM. Then it says what the answers were, and fails if one was no success. */

const [url, token] = process.argv.slice(2);
const load = startChargeLoad(url!, token!);
await load.goesOn('at first');
console.log('The load has begun.');
await once(process, 'SIGTERM');
const { answers, faults } = await load.stop();
console.log(`Answers: ${[...answers].map(([kind, count]) => `${kind} ${count} times`).join(', ')}`);
for (const fault of faults.slice(0, 5)) console.log(fault);
process.exit(faults.length > 0 ? 1 : 0);

import assert from 'node:assert/strict';
import { appendFile, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { eventually } from '../support/eventually.ts';
import { sentCapture, sentCharge, sentRefund } from '../support/resources/sent-charge.ts';
import { runToEnd, secret, startService, type Service } from './service.ts';

let service: Service;
let charges = 0;

function newCharge(token = 'tok_visa', capture = true) {
  charges += 1;
  return sentCharge({ key: `ch_store_${charges}`, token, capture });
}

async function settle<T>(call: Promise<T>): Promise<T | null> {
  return call.catch(() => null);
}

describe('sandbox store', () => {
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  it('answers a known key again after a crash', async () => {
    const sent = ['tok_visa', 'tok_declined', 'tok_nobody', 'tok_async'].map((token) => newCharge(token));
    const first = [];
    for (const charge of sent) first.push(await service.processor.authorize(charge));
    await service.crash();
    // The last one first: an answer made anew would carry another id.
    const again = [];
    for (const charge of sent.toReversed()) again.unshift(await service.processor.authorize(charge));
    assert.deepEqual(again, first);
  });

  it('answers known captures and refunds again after a crash', async () => {
    const { processor } = service;
    const charge = newCharge('tok_visa', false);
    await processor.authorize(charge);
    const capture = sentCapture(charge, { amount: 700 });
    const refund = sentRefund(charge, { amount: 300 });
    const send = async () => [await processor.capture(capture), await processor.refund(refund)];
    const first = await send();
    await service.crash();
    assert.deepEqual(await send(), first);
    assert.deepEqual(await service.books(charge.key), [
      { kind: 'authorization', key: charge.key, amount: 1000 },
      { kind: 'capture', key: capture.key, amount: 700 },
      { kind: 'refund', key: refund.key, amount: 300 },
    ]);
  });

  it('remembers an unknown key’s void after a crash', async () => {
    const charge = newCharge();
    await service.processor.void({ charge });
    await service.crash();
    assert.equal((await service.processor.authorize(charge)).kind, 'voided');
  });

  it('counts a key’s refused sends across a crash', async () => {
    const charge = newCharge('tok_unavailable');
    for (let send = 0; send < 2; send += 1)
      assert.equal(await settle(service.processor.authorize(charge)), null);
    await service.crash();
    assert.equal((await service.processor.authorize(charge)).kind, 'captured');
  });

  it('completes an outcome that became due during a crash', async () => {
    const charge = newCharge('tok_async_silent');
    await service.processor.authorize(charge);
    const { body } = await service.call('GET', `/charges/${charge.key}`);
    assert.equal(body.status, 'pending');
    const due = Date.now() + 500;
    await service.crash(async () => {
      await eventually('the outcome is due', () => Date.now() > due);
    });
    assert.equal((await service.processor.findCharge(charge))?.kind, 'captured');
    assert.deepEqual(await service.books(charge.key), [{ kind: 'capture', key: charge.key, amount: 1000 }]);
  });

  it('moves money once, whenever it is killed', async () => {
    const { processor } = service;
    for (let crash = 0; crash < 3; crash += 1) {
      const sent = Array.from({ length: 200 }, () => newCharge());
      let answered = 0;
      const first = sent.map(async (charge) => {
        const outcome = await settle(processor.authorize(charge));
        if (outcome) answered += 1;
        return outcome;
      });
      await eventually('some are answered', () => answered > 20 * crash);
      await service.crash();
      const before = await Promise.all(first);
      for (const [index, charge] of sent.entries()) {
        const outcome = await processor.authorize(charge);
        if (before[index]) assert.deepEqual(outcome, before[index]);
        assert.deepEqual(await service.books(charge.key), [
          { kind: 'capture', key: charge.key, amount: 1000 },
        ]);
      }
    }
  });

  it('drops a broken last line and continues after it', async () => {
    const [kept, torn, next] = [newCharge(), newCharge(), newCharge()];
    await service.processor.authorize(kept);
    await service.processor.authorize(torn);
    await service.crash(async () => truncate(service.store, (await stat(service.store)).size - 10));
    assert.equal((await service.processor.findCharge(kept))?.kind, 'captured');
    assert.equal(await service.processor.findCharge(torn), null);
    await service.processor.authorize(next);
    await service.crash(() => appendFile(service.store, 'no JSON\n'));
    assert.equal((await service.processor.findCharge(next))?.kind, 'captured');
  });

  it('refuses a store that is damaged in the middle', async () => {
    await service.processor.authorize(newCharge());
    const damaged = `${service.store}.damaged`;
    const journal = await readFile(service.store);
    journal[5] = 0;
    await writeFile(damaged, journal);
    const { code, errors } = await runToEnd({
      PORT: '0',
      PROCESSOR_STORE: damaged,
      PROCESSOR_SECRET: secret,
    });
    assert.equal(code, 1);
    assert.match(errors, /^The sandbox processor cannot start: .* is damaged at byte 0\n$/);
  });
});

describe('sandbox books', () => {
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  it('show every movement of a charge, in order', async () => {
    const { processor } = service;
    const charge = newCharge('tok_visa', false);
    const { key } = charge;
    await processor.authorize(charge);
    await processor.capture(sentCapture(charge, { key: 'cap_1', amount: 800 }));
    await processor.refund(sentRefund(charge, { key: 're_1', amount: 300 }));
    await processor.reverseRefund!({ key: 're_1', charge });
    await processor.refund(sentRefund(charge, { key: 're_2', amount: 100 }));
    await processor.void({ charge });
    assert.deepEqual(await service.books(key), [
      { kind: 'authorization', key, amount: 1000 },
      { kind: 'capture', key: 'cap_1', amount: 800 },
      { kind: 'refund', key: 're_1', amount: 300 },
      { kind: 'refund_reversal', key: 're_1', amount: 300 },
      { kind: 'refund', key: 're_2', amount: 100 },
      { kind: 'void', key, amount: 700 },
    ]);
    assert.deepEqual(await service.books('cap_1'), [{ kind: 'capture', key: 'cap_1', amount: 800 }]);
  });

  it('hold one capture for a key sent many times', async () => {
    const charge = newCharge();
    await Promise.all(Array.from({ length: 50 }, () => service.processor.authorize(charge)));
    assert.deepEqual(await service.books(charge.key), [{ kind: 'capture', key: charge.key, amount: 1000 }]);
  });

  it('show one refund and one void for each key', async () => {
    const { processor } = service;
    const charge = newCharge();
    await processor.authorize(charge);
    const refund = sentRefund(charge, { amount: 400 });
    await Promise.all(Array.from({ length: 10 }, () => processor.refund(refund)));
    await Promise.all(Array.from({ length: 10 }, () => processor.void({ charge })));
    assert.deepEqual(await service.books(charge.key), [
      { kind: 'capture', key: charge.key, amount: 1000 },
      { kind: 'refund', key: refund.key, amount: 400 },
      { kind: 'void', key: charge.key, amount: 600 },
    ]);
  });

  it('can be read whole, a page at a time', async () => {
    const whole = await service.call('GET', '/books');
    const seqs = whole.body.data!.map((entry) => entry.seq);
    assert.deepEqual(
      seqs,
      seqs.map((_, index) => index + 1),
    );
    const first = await service.call('GET', '/books?limit=2');
    assert.deepEqual([first.body.has_more, first.body.next_after], [true, 2]);
    const rest = await service.call('GET', '/books?after=2');
    assert.deepEqual([...first.body.data!, ...rest.body.data!], whole.body.data);
  });
});

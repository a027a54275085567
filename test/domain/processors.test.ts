import assert from 'node:assert/strict';
import { chooseProcessor, type AccountProcessor } from '#domain/processors.ts';

const processor = (id: string, given: Partial<AccountProcessor> = {}): AccountProcessor => ({
  id,
  status: 'active',
  currencies: null,
  version: 1,
  ...given,
});

describe('The processor of a new charge', () => {
  const dollars = processor('prc_dollars', { currencies: ['USD', 'CAD'] });
  const all = processor('prc_all');
  const off = processor('prc_off', { status: 'disabled' });
  const cases: [string, AccountProcessor[], string | null, string | null | undefined][] = [
    ['is the built-in one of an account without any', [], 'EUR', null],
    ['is the first that takes its currency', [dollars, all], 'USD', 'prc_dollars'],
    ['is another where the first takes others', [dollars, all], 'EUR', 'prc_all'],
    ['is none where all take others', [dollars], 'EUR', undefined],
    ['is none where all are disabled', [off], 'EUR', undefined],
    ['is the next where one is disabled', [off, all], 'EUR', 'prc_all'],
    ['is the first for a card of any currency', [dollars, all], null, 'prc_dollars'],
  ];
  for (const [title, processors, currency, expected] of cases) {
    it(title, () => {
      const choice = chooseProcessor({ processors, hasBuiltIn: true }, currency, null);
      assert.equal(choice === null ? undefined : choice.processorId, expected);
    });
  }

  it('is none where there is no built-in one', () => {
    assert.equal(chooseProcessor({ processors: [], hasBuiltIn: false }, 'EUR', null), null);
  });

  it('is that of a card on file, wherever others go', () => {
    const account = { processors: [all], hasBuiltIn: true };
    const card = (processorId: string | null, status: 'active' | 'disabled' | null) =>
      chooseProcessor(account, 'EUR', { processorId, status });
    assert.deepEqual(card('prc_before', 'active'), { processorId: 'prc_before' });
    assert.deepEqual(card(null, null), { processorId: null });
    assert.equal(card('prc_before', 'disabled'), null);
  });
});

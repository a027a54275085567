import assert from 'node:assert/strict';
import { encodeForm } from '#processor/stripe/form.ts';

describe('forms of Stripe', () => {
  const encode = (members: Parameters<typeof encodeForm>[0]) => decodeURIComponent(encodeForm(members));

  it('writes members, lists and members of members', () => {
    const form = { amount: 100, metadata: { charge: 'ch_1' }, expand: ['a', 'b'], test: true };
    assert.equal(encode(form), 'amount=100&metadata[charge]=ch_1&expand[0]=a&expand[1]=b&test=true');
  });

  it('leaves out what has no value', () => {
    assert.equal(encode({ a: null, b: undefined, c: { d: null }, e: [] }), '');
  });

  it('escapes what would end a member', () => {
    assert.equal(encodeForm({ description: 'a&b=c ü%' }), 'description=a%26b%3Dc+%C3%BC%25');
    assert.deepEqual([...new URLSearchParams(encodeForm({ a: 'x&y=z+1' }))], [['a', 'x&y=z+1']]);
  });
});

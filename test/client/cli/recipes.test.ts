import assert from 'node:assert/strict';
import { endpointEvents, reasons, recipes } from '#client/cli/tools/recipes.ts';
import { eventTypes } from '#domain/events.ts';

describe('payments trigger', () => {
  it('makes every event, or says why it cannot', () => {
    const known = [...Object.keys(recipes), ...endpointEvents, ...Object.keys(reasons)];
    assert.deepEqual(
      eventTypes.filter((type) => !known.includes(type)),
      [],
    );
  });
});

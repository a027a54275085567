import assert from 'node:assert/strict';
import { createLogger } from '#telemetry/log.ts';

function logged(write: (log: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  write(createLogger('api', 'info', { write: (line) => void (text += line) }));
  return text;
}

describe('The log', () => {
  it('holds no secret, wherever it was put', () => {
    const text = logged((log) => {
      log.info({ client_secret: 'hidden', headers: { authorization: 'Bearer hidden' } }, 'x');
      log.info({ a: { b: { Access_Token: 'hid\\"hidden', more: 'shown' } }, cookie: 'hidden' }, 'x');
    });
    assert.doesNotMatch(text, /hidden/);
    assert.equal(text.match(/\[Redacted\]/g)?.length, 4);
    assert.match(text, /shown/);
  });

  it('holds no card number, wherever it was put', () => {
    const text = logged((log) => {
      log.info({ a: '4242-4242-4242-4242', x4: ['5555 5555 5555 4444'] }, 'card 378282246310005');
      log.error({ err: new Error('insert of 4242424242424242') }, 'x');
    });
    assert.doesNotMatch(text, /4242|5555|3782/);
    for (const line of text.trim().split('\n')) JSON.parse(line);
  });

  it('holds an error’s cause without Postgres’s values', () => {
    const cause = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (name)=(hidden)' });
    const text = logged((log) => log.error({ err: new Error('could not insert', { cause }) }, 'x'));
    const { err } = JSON.parse(text) as {
      err: { message: string; cause: { code: string; message: string } };
    };
    assert.deepEqual(
      [err.message, err.cause.code, err.cause.message],
      ['could not insert', '23505', 'duplicate key'],
    );
    assert.doesNotMatch(text, /hidden/);
  });
});

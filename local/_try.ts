const t0 = performance.now();
const { startStack } = await import('./stack.ts');
console.log('imports', Math.round(performance.now()), Math.round(performance.now() - t0));
const t = Date.now();
const s = await startStack({
  localDir: process.argv[2]!,
  log: console.log,
  onChange: () => console.log('change', Date.now() - t),
  restart: process.argv[3] === 'r',
});
console.log('ready', Date.now() - t, Math.round(performance.now()), s.apiUrl, s.temporalUi);
for (const p of ['postgres', 'temporal', 'processor', 'worker', 'api'] as const) console.log(p, s.pid(p));
if (process.argv[4]) {
  setInterval(() => {}, 1000);
} else {
  const u = Date.now();
  await s.stop();
  console.log('stopped', Date.now() - u);
}
